//! No escape from a pull request reaches the terminal (promise C1): hostile comments, code, paths
//! and names through every screen, the bytes that come out read by a strict reader.
//!
//! The closing runs are larger: `CASEFILE_HOSTILE=10000 cargo test --test it pty_hostile` through
//! the terminal, `CASEFILE_HOSTILE_MEMORY=1000000 cargo test --release --test it hostile_comments`
//! through memory.

use crate::ptyrig::{casefile, outside_vocabulary};
use casefile::{
    app::{
        event::{Event, Opened},
        key::Chord,
        model::{First, Model, Size, Start},
        update::update,
    },
    domain::review::Review,
    forge::capture_file,
    tui::{
        canvas::Canvas,
        frame,
        highlight::colours::Colours,
        theme::{Theme, colour::Depth},
    },
    view,
};
use serde_json::{Value, json};
use std::{fmt::Write as _, io::Write as _, sync::Arc};

/// Comments sent through the terminal, and through memory.
const IN_TERMINAL: usize = 1_000;
const IN_MEMORY: usize = 10_000;
/// Comments in one capture; more come in rounds, each with other texts.
const A_ROUND: usize = 10_000;

/// What attackers write, by kind: C0, C1, CSI, OSC, DCS, APC, bidi, no width, tags, broken pairs.
pub(crate) const PIECES: &[&str] = &[
    "\u{1b}[2J",
    "\u{1b}[31;1m",
    "\u{1b}[?1049l",
    "\u{1b}[6n",
    "\u{1b}c",
    "\u{1b}]0;owned\u{7}",
    "\u{1b}]2;owned\u{1b}\\",
    "\u{1b}]4;1;?\u{7}",
    "\u{1b}]7;file://x\u{7}",
    "\u{1b}]8;;https://evil.example\u{7}link\u{1b}]8;;\u{7}",
    "\u{1b}]52;c;ZXZpbA==\u{7}",
    "\u{1b}]1337;File=:AA==\u{7}",
    "\u{1b}]8;;open",
    "\u{1b}P$q\"p\u{1b}\\",
    "\u{1b}_Gi=1\u{1b}\\",
    "\u{1b}^pm\u{1b}\\",
    "\u{9b}31m",
    "\u{9d}0;owned\u{9c}",
    "\u{90}q\u{9c}",
    "\u{85}",
    "\u{7}",
    "\u{8}\u{8}\u{8}",
    "\r",
    "\u{b}\u{c}",
    "\u{7f}",
    "\u{0}",
    "\u{e}\u{f}",
    "\u{202e}gnp.exe\u{202c}",
    "\u{2066}\u{2069}\u{200f}",
    "\u{200b}\u{200c}\u{200d}\u{feff}",
    "\u{ad}\u{2060}\u{61c}",
    "\u{e0001}\u{e0041}\u{e007f}",
    "\u{fffd}\u{fff9}\u{fffb}",
    // Halves: what one field begins, the next may end.
    "\u{1b}",
    "\u{1b}[",
    "\u{1b}]0;half",
    "31m",
    "owned\u{7}",
    "\u{1b}P",
    "\u{9d}52;c;",
    "é\u{301}\u{301}\u{301}\u{301}",
    "漢字かな\u{ff9e}",
    "🏳\u{fe0f}\u{200d}🌈",
    "**bold** `code` [x](https://a.example)",
    "```suggestion\nx\n```",
    "```\nopen fence",
    "<details><summary>s</summary>\n\nx</details>",
    "<!-- hidden -->",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "\n",
    "\t",
    " plain words ",
];

/// A small generator, so that a failing run can be had again.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    fn next(&mut self, sides: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }

    fn text(&mut self, pieces: usize) -> String {
        let count = 1 + self.next(pieces);
        (0..count).map(|_| PIECES[self.next(PIECES.len())]).collect()
    }

    pub(crate) fn line(&mut self, pieces: usize) -> String {
        self.text(pieces).replace('\n', " ")
    }
}

/// A capture with so many hostile comments, and hostile text in every other field.
pub(crate) fn capture(comments: usize, seed: u64) -> Value {
    let mut dice = Dice(seed);
    let files = 8.max(comments / 100);
    let mut paths = Vec::new();
    let file = |at: usize| {
        let path = format!("src/{}{at}.rs", dice.line(2).replace('/', "_"));
        let mut patch = String::from("@@ -1,20 +1,40 @@ ");
        patch.push_str(&dice.line(2));
        for line in 0..60 {
            let mark = if line % 3 == 0 { ' ' } else { '+' };
            let text = dice.line(4);
            let _ = write!(patch, "\n{mark}{}", if mark == ' ' { "same".into() } else { text });
        }
        paths.push(path.clone());
        json!({"path": path, "status": "modified", "additions": 40, "deletions": 0,
               "changes": 40, "patch": patch})
    };
    let files: Vec<Value> = (0..files).map(file).collect();
    let mut said = 0;
    let mut threads = Vec::new();
    while said < comments {
        let talk = 1 + dice.next(5).min(comments - said - 1);
        let list: Vec<Value> = (0..talk).map(|at| comment(&mut dice, said + at)).collect();
        said += talk;
        threads.push(json!({
            "id": format!("T{}{}", threads.len(), dice.line(1)),
            "path": paths[dice.next(paths.len())],
            "line": 1 + dice.next(45), "side": "RIGHT", "is_resolved": dice.next(3) == 0,
            "is_outdated": dice.next(7) == 0, "comments": list, "comments_total": talk}));
    }
    json!({
        "format": "casefile-capture", "version": 1, "captured_at": "2026-01-02T03:04:05Z",
        "repository": "acme/store",
        "pull_request": {"number": 7, "title": dice.line(4), "body": dice.text(9),
            "state": dice.line(1), "author": dice.line(2), "labels": [dice.line(2)],
            "base": {"ref": dice.line(2), "sha": "a".repeat(40)},
            "head": {"ref": dice.line(2), "sha": "b".repeat(40)}},
        "files": files,
        "issue_comments": [comment(&mut dice, 90_000_000)],
        "reviews": [{"id": 1, "author": dice.line(2), "state": dice.line(1), "body": dice.text(5)}],
        "review_threads": threads})
}

fn comment(dice: &mut Dice, id: usize) -> Value {
    json!({"id": id + 1, "author": dice.line(2), "body": dice.text(7),
           "created_at": "2026-01-02T03:04:05Z", "url": format!("https://x.example/{}", dice.line(1)),
           "diff_hunk": format!("@@ -1 +1 @@ {}\n+{}", dice.line(1), dice.line(3))})
}

/// Keys that lead through the screens: unfold all, down, the next threads, compare, the lists.
const WALK: &[&str] = &[
    "z", "R", "]", "}", "t", "m", "c", "Esc", "n", "/", "e", "v", "Enter", "Tab", "j", "?", "Esc",
    "F3", "j", "Enter", "F4", "j", "Esc", "F5", "Esc", "F6", "Esc", "F7", "Esc", "F8", "j", "Esc",
    "w", "W", "|", "D", "b", "b", "Ctrl-p", "Esc", "F3", "G", "g", "g",
];

fn wanted(variable: &str, default: usize) -> usize {
    std::env::var(variable).ok().and_then(|it| it.parse().ok()).unwrap_or(default)
}

/// C1, through the terminal.
#[test]
fn hostile_text_cannot_drive_the_terminal() {
    let comments = wanted("CASEFILE_HOSTILE", IN_TERMINAL);
    let mut file = tempfile::Builder::new().suffix(".json").tempfile().expect("a file");
    serde_json::to_writer(&mut file, &capture(comments, 7)).expect("it is written");
    file.flush().expect("it is written");
    let mut rig = casefile(&[&file.path().display().to_string()]).size(120, 40).run();
    rig.wait_for("the review", |it| it.contents().contains("@@") || it.contents().contains("src/"));
    for key in WALK {
        rig.press(&bytes(key));
        rig.settle();
    }
    for _ in 0..comments.div_ceil(25) {
        rig.press("\x1b[6~");
        rig.settle();
    }
    let log = rig.log();
    if let Some(foreign) = outside_vocabulary(&log) {
        panic!("{comments} comments, {} bytes: {foreign}", log.len());
    }
    assert_eq!(rig.quit(), 0);
    assert_eq!(outside_vocabulary(&rig.log()), None, "on the way out");
    rig.assert_restored();
}

/// The bytes a terminal sends for a key of the walk.
fn bytes(key: &str) -> String {
    let function = |it: &str| {
        ["OP", "OQ", "OR", "OS", "[15~", "[17~", "[18~", "[19~"]
            [it[1..].parse::<usize>().expect("a number") - 1]
    };
    match key {
        "Esc" => "\x1b".into(),
        "Enter" => "\r".into(),
        "Tab" => "\t".into(),
        "Ctrl-p" => "\x10".into(),
        it if it.len() == 2 && it.starts_with('F') => format!("\x1b{}", function(it)),
        it => it.into(),
    }
}

/// C1, on a memory backend: many more comments, in rounds.
#[test]
fn hostile_comments_stay_text_in_memory() {
    let comments = wanted("CASEFILE_HOSTILE_MEMORY", IN_MEMORY);
    for round in 0..comments.div_ceil(A_ROUND) {
        in_memory(A_ROUND.min(comments - round * A_ROUND), 11 + round as u64);
    }
}

fn in_memory(comments: usize, seed: u64) {
    let document = serde_json::to_vec(&capture(comments, seed)).expect("JSON");
    let opened = capture_file::of_document("hostile", document).expect("a capture");
    let size = Size { width: 160, height: 50 };
    let first = First::Target("hostile".into());
    let (mut model, effects) = Model::start(Start { size, first, ..Start::default() });
    let request = effects.iter().find_map(|it| match it {
        casefile::app::event::Effect::Open { request, .. } => Some(*request),
        _ => None,
    });
    let review = Review::of(Arc::clone(&opened.capture));
    let opened = Opened::whole(opened.label, review);
    let request = request.expect("a target is opened");
    let opened = Event::Opened { request, opened: Box::new(opened) };
    let theme = Theme::built_in("dark", Depth::Exact).expect("a theme");
    let mut log = Vec::new();
    let mut canvas = Canvas::new(&mut log, size.width, size.height);
    let mut step = |model: &mut Model, event: Event| {
        update(model, event);
        let screen = view::screen(model, size.width, size.height);
        let draw = canvas.draw(screen.cursor, |buffer| {
            frame::paint(&screen, &theme, &Colours::default(), buffer);
        });
        draw.expect("memory takes bytes");
    };
    step(&mut model, opened);
    let key = |it: &str| Event::Key(it.parse::<Chord>().expect("a key"));
    for name in WALK {
        step(&mut model, key(name));
    }
    for _ in 0..comments / 4 {
        step(&mut model, key("PgDn"));
    }
    drop(canvas);
    assert!(log.len() > comments * 100, "only {} bytes were drawn", log.len());
    assert_eq!(outside_vocabulary(&log), None, "seed {seed}");
}

/// C1: what JSON cannot carry. A `.diff` file of any bytes, names included.
#[test]
fn broken_utf8_cannot_drive_the_terminal() {
    let mut dice = Dice(23);
    let mut diff = Vec::new();
    for file in 0..20 {
        let name = format!("src/{}{file}.rs", dice.line(2).replace(['/', '\t', '"', '\\'], "_"));
        diff.extend_from_slice(format!("--- a/{name}\n+++ b/{name}\n@@ -1,0 +1,20 @@ ").as_bytes());
        diff.extend_from_slice(b"\xff\x9b2J\xc0\x9b\n");
        for _ in 0..20 {
            diff.push(b'+');
            for _ in 0..4 {
                let broken: [&[u8]; 6] = [
                    b"\xff\xfe",
                    b"\x9b31m",
                    b"\x9d0;owned\x9c",
                    b"\xc2",
                    b"\xed\xa0\x80",
                    b"\xf0\x9f",
                ];
                diff.extend_from_slice(broken[dice.next(broken.len())]);
                diff.extend_from_slice(dice.line(2).as_bytes());
            }
            diff.push(b'\n');
        }
    }
    let mut file = tempfile::Builder::new().suffix(".diff").tempfile().expect("a file");
    file.write_all(&diff).expect("it is written");
    let mut rig = casefile(&[&file.path().display().to_string()]).size(120, 40).run();
    rig.wait("src/");
    for _ in 0..20 {
        rig.press("\x1b[6~");
        rig.settle();
    }
    assert_eq!(rig.quit(), 0);
    assert_eq!(outside_vocabulary(&rig.log()), None);
    rig.assert_restored();
}
