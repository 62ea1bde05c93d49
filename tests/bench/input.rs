//! Inputs of the benches, made in code so that they are the same everywhere, and the steps that
//! are measured. Must not read a file or the clock.

use casefile::{
    app::{
        event::{Event, Opened},
        key::Chord,
        keymap::Keymap,
        model::{First, Model, Size, Start},
        update::update,
    },
    domain::{
        anchor::{Placement, place},
        capture::Capture,
        diff::Diff,
        patch,
        review::Review,
    },
    tui::{
        canvas::Canvas,
        frame,
        highlight::{
            colours::Colours,
            tracks::{Stretch, Tracks},
        },
        theme::{Theme, colour::Depth},
    },
    view,
};
use std::{fmt::Write as _, io, sync::Arc};

/// Lines of a period: five of context, one removed, two added. Both sides close what they open.
const PERIOD: [char; 8] = [' ', ' ', ' ', '-', '+', '+', ' ', ' '];
/// Where line numbers start, so that they have as many digits in a small file as in a huge one.
const FIRST: usize = 1_000_001;
/// Small files beside the one that is read: the list of files is full at every size.
const BESIDE: usize = 60;

/// Code that gives a grammar something to do: words, strings, numbers, comments, calls.
const RUST: [&str; 8] = [
    "fn next_attempt(&mut self, budget: &Budget) -> Option<Attempt> {",
    "    let left = budget.remaining().min(self.limit); // never below zero",
    "    if left == 0 || self.closed { return None; }",
    "    let name = format!(\"attempt {} of {left}\", self.count + 1);",
    "    self.log.push(Entry { at: self.clock.now(), name: name.clone() });",
    "    self.count += 1;",
    "    match self.kind { Kind::Network => Some(Attempt::after(0x1f, name)), _ => None }",
    "}",
];

/// The hunk of a file: `lines` of diff, one hunk.
fn hunk(lines: usize) -> String {
    let mut body = String::with_capacity(lines * 64);
    for at in 0..lines {
        writeln!(body, "{}{}", PERIOD[at % 8], RUST[at % 8]).expect("text takes all");
    }
    let (old, new) = sides(lines);
    format!("@@ -{FIRST},{old} +{FIRST},{new} @@ impl Retry\n{body}")
}

/// Lines of the old and of the new side.
fn sides(lines: usize) -> (usize, usize) {
    let count = |gone: char| (0..lines).filter(|it| PERIOD[it % 8] != gone).count();
    (count('+'), count('-'))
}

/// A unified diff as git writes it, of about `lines` lines in files of 2,000.
pub(crate) fn diff_text(lines: usize) -> Vec<u8> {
    let mut text = String::new();
    for at in 0..lines.div_ceil(2_000) {
        write!(
            text,
            "diff --git a/src/part_{at}.rs b/src/part_{at}.rs\nindex 1111111..2222222 100644\n\
             --- a/src/part_{at}.rs\n+++ b/src/part_{at}.rs\n{}",
            hunk(2_000)
        )
        .expect("text takes all");
    }
    text.into_bytes()
}

/// Where threads stand in a capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Talk {
    Nobody,
    /// A thousand of them in the first half, out of sight of whoever reads the middle.
    Elsewhere,
    /// A thousand of them, evenly over the whole file.
    Spread,
}

/// A capture document: one file of `lines` and small ones beside it.
pub(crate) fn document(lines: usize, talk: Talk) -> Vec<u8> {
    let mut files: Vec<_> =
        (0..BESIDE).map(|at| file(&format!("a/beside_{at:02}.rs"), 8)).collect();
    files.push(file("src/retry.rs", lines));
    let threads: Vec<_> = match talk {
        Talk::Nobody => Vec::new(),
        Talk::Elsewhere => {
            (0..1_000).map(|it| thread(it, it * (lines / 2 - 300) / 1_000)).collect()
        }
        Talk::Spread => (0..1_000).map(|it| thread(it, it * lines / 1_000)).collect(),
    };
    let document = serde_json::json!({
        "format": "casefile-capture", "version": 1, "repository": "acme/store",
        "pull_request": {"number": 482, "title": "Retry budget for uploads", "author": "alice"},
        "files": files, "review_threads": threads,
    });
    serde_json::to_vec(&document).expect("plain values")
}

fn file(path: &str, lines: usize) -> serde_json::Value {
    let changed = lines / 8;
    serde_json::json!({"path": path, "status": "modified", "additions": 2 * changed,
        "deletions": changed, "patch": hunk(lines)})
}

/// A thread of three comments on the context line nearest before a line of the diff.
fn thread(number: usize, line: usize) -> serde_json::Value {
    let (_, before) = sides(line - line % 8);
    let said = |id: usize, who: &str, body: &str| {
        serde_json::json!({"id": number * 3 + id, "author": who, "body": body,
            "created_at": "2026-03-02T00:00:00Z"})
    };
    serde_json::json!({
        "id": format!("T{number}"), "path": "src/retry.rs", "side": "RIGHT",
        "line": FIRST + before, "is_resolved": false,
        "comments": [
            said(0, "bob", "Should this count *network* errors only?\n\n- first\n- second"),
            said(1, "alice", "It should; pushed in 3fa9c1d, with a test for `remaining`."),
            said(2, "bob", "Then what about a refused upload?"),
        ],
    })
}

/// A document, decoded.
pub(crate) fn capture(document: &[u8]) -> Capture {
    serde_json::from_slice(document).expect("a capture")
}

/// A capture with its diff.
pub(crate) fn placed(lines: usize, talk: Talk) -> (Capture, Diff) {
    let capture = capture(&document(lines, talk));
    let diff = patch::of_capture(&capture);
    (capture, diff)
}

/// Places all threads.
pub(crate) fn anchors((capture, diff): &(Capture, Diff)) -> Placement {
    place(capture, diff)
}

/// A model with a review open, its cursor in the middle of the long file, everything around it
/// coloured: somebody who reads.
pub(crate) struct Reader {
    pub(crate) model: Model,
    canvas: Canvas<io::Sink>,
    theme: Theme,
    colours: Colours,
}

impl Reader {
    pub(crate) fn new(lines: usize, talk: Talk, inspector: bool) -> Self {
        let start = Start {
            size: Size { width: 160, height: 48 },
            now: 1_772_582_400,
            first: First::Target("pr.json".to_owned()),
            keymap: Keymap::default(),
            mouse: true,
            ..Start::default()
        };
        let (mut model, _) = Model::start(start);
        let review = Review::of(Arc::new(capture(&document(lines, talk))));
        let opened = Opened::whole("acme/store#482".to_owned(), review);
        update(&mut model, Event::Opened { request: 1, opened: Box::new(opened) });
        let desk = model.desk.as_mut().expect("just opened");
        desk.inspector.shown = inspector;
        // A multiple of the period and of a piece's size: every size stands at the same place of both.
        let middle = (lines / 2 / 512 * 512).max(256) as u32;
        let mut stage = desk.stage();
        let spot = stage.layout.spot_of_line(stage.scene, BESIDE as u32, middle);
        stage.jump(spot.expect("a line that is there"));
        let mut tracks = tracks(&desk.review.diff);
        let mut colours = Colours::default();
        let lines = middle.saturating_sub(256)..middle + 512;
        tracks.colour(&Stretch { file: BESIDE as u32, lines }, &mut |it| {
            colours.insert(it.file, it.line, it.runs);
            true
        });
        let theme = Theme::built_in("dark", Depth::Exact).expect("a theme of ours");
        let mut reader = Self { model, canvas: Canvas::new(io::sink(), 160, 48), theme, colours };
        reader.keys("j", 4);
        reader
    }

    /// Presses a key so many times, and draws a frame after each.
    pub(crate) fn keys(&mut self, key: &str, times: usize) {
        let chord: Chord = key.parse().expect("a key");
        for _ in 0..times {
            update(&mut self.model, Event::Key(chord));
            self.draw();
        }
    }

    /// Presses a key so many times without drawing.
    pub(crate) fn rows(&mut self, key: &str, times: usize) {
        let chord: Chord = key.parse().expect("a key");
        for _ in 0..times {
            update(&mut self.model, Event::Key(chord));
        }
    }

    fn draw(&mut self) {
        let screen = view::screen(&self.model, 160, 48);
        let (theme, colours) = (&self.theme, &self.colours);
        let drawn = self.canvas.draw(screen.cursor, |it| frame::paint(&screen, theme, colours, it));
        drawn.expect("nothing is written anywhere");
    }
}

/// A highlighter that has not seen the diff yet.
pub(crate) fn tracks(diff: &Arc<Diff>) -> Tracks {
    let set = Arc::new(two_face::syntax::extra_newlines());
    Tracks::new(Arc::clone(diff), 4, set).patient()
}

/// A warm highlighter and the viewport it shall colour: 48 lines whose grammar has run before.
pub(crate) fn viewport() -> (Tracks, Stretch) {
    let (_, diff) = placed(1_000, Talk::Nobody);
    let mut tracks = tracks(&Arc::new(diff));
    let file = BESIDE as u32;
    tracks.colour(&Stretch { file, lines: 0..256 }, &mut |_| true);
    (tracks, Stretch { file, lines: 256..304 })
}

/// Colours a stretch; the number of runs.
pub(crate) fn colour((tracks, stretch): &mut (Tracks, Stretch)) -> usize {
    let mut runs = 0;
    tracks.colour(stretch, &mut |it| {
        runs += it.runs.len();
        true
    });
    runs
}
