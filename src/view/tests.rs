//! Screens as text: what stands where, and in which tone.

use crate::{
    app::{
        event::{Dossier, Event, Found, Phase, RunReport},
        fixture,
        listed::{List, ListNews, Listed, Lists, Mark, Trouble},
        model::{Model, Size, Start},
        update::update,
    },
    domain::{patch, review::Review, text},
    task::state::{State, TaskReport},
    view::{
        line::{Screen, Tone},
        screen,
    },
};
use std::{fmt::Write as _, sync::Arc};
use unicode_segmentation::UnicodeSegmentation as _;

/// The cells of a screen, as `tui` paints them: a grapheme and its tone each.
fn cells(screen: &Screen, width: usize, height: usize) -> Vec<Vec<(String, Tone)>> {
    let mut cells = vec![vec![(" ".to_owned(), Tone::Text); width]; height];
    for block in &screen.blocks {
        for y in 0..block.area.height {
            let line = block.lines.get(usize::from(y));
            let row = &mut cells[usize::from(block.area.y + y)];
            let start = usize::from(block.area.x);
            let end = start + usize::from(block.area.width);
            let fill = line.map_or(block.fill, |it| it.fill);
            row[start..end].fill((" ".to_owned(), fill));
            let mut x = start;
            for span in line.map(|it| it.spans.as_slice()).unwrap_or_default() {
                for grapheme in span.text.graphemes(true) {
                    let wide = text::width(grapheme);
                    if x + wide <= end && wide > 0 {
                        row[x] = (grapheme.to_owned(), span.tone);
                        for follow in &mut row[x + 1..x + wide] {
                            *follow = (String::new(), span.tone);
                        }
                    }
                    x += wide;
                }
            }
            assert!(x <= end, "a line runs over its block: {:?}", line.map(|it| &it.spans));
        }
    }
    cells
}

/// Paints the screen, which checks that no line runs over its block.
pub(crate) fn cells_of(model: &Model) -> usize {
    let (width, height) = (model.size.width, model.size.height);
    cells(&screen(model, width, height), usize::from(width), usize::from(height)).len()
}

/// The screen as text, with the tones of each line behind it.
pub(crate) fn picture(model: &Model) -> String {
    let (width, height) = (model.size.width, model.size.height);
    let shown = screen(model, width, height);
    let mut out = String::new();
    for row in cells(&shown, usize::from(width), usize::from(height)) {
        let text: String = row.iter().map(|it| it.0.as_str()).collect();
        let mut tones: Vec<(usize, Tone)> = Vec::new();
        for (at, (_, tone)) in row.iter().enumerate() {
            if tones.last().is_none_or(|it| it.1 != *tone) {
                tones.push((at, *tone));
            }
        }
        let tones = tones.iter().filter(|it| it.1 != Tone::Text);
        let tones: Vec<_> = tones.map(|(at, tone)| format!("{at}:{tone:?}")).collect();
        let _ = writeln!(out, "{}\n    ⟨{}⟩", text.trim_end(), tones.join(" "));
    }
    out
}

/// The words of the screen alone.
pub(crate) fn words(model: &Model) -> String {
    let picture = picture(model);
    picture.lines().filter(|it| !it.starts_with("    ⟨")).collect::<Vec<_>>().join("\n")
}

/// One snapshot of a screen at both sizes.
fn snap(name: &str, keys: &str) {
    for (width, height) in [(160, 48), (80, 24)] {
        let mut model = fixture::model(width, height);
        if !keys.is_empty() {
            fixture::press(&mut model, keys);
        }
        insta::assert_snapshot!(format!("{name}-{width}x{height}"), picture(&model));
    }
}

#[test]
fn diff() {
    snap("diff", "] j j j");
}

/// What is no plain text change: each file says what it is (cases 3, 4, 5, 8, 9, 10, 49, 50).
const SPECIAL: &str = "\
diff --git a/sub b/sub
index b28c246..8d15fb6 160000
--- a/sub
+++ b/sub
@@ -1 +1 @@
-Subproject commit b28c24670699665603e8434aa3ce107073380cd1
+Subproject commit 8d15fb6e9245fd2a52ed896d8c7c17c2b8912162
diff --git a/old_name.txt b/new_name.txt
similarity index 93%
rename from old_name.txt
rename to new_name.txt
--- a/old_name.txt
+++ b/new_name.txt
@@ -1,2 +1,2 @@
 same
-gone
\\ No newline at end of file
+\tcome
\\ No newline at end of file
diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
diff --git a/fresh.txt b/fresh.txt
new file mode 100644
index 0000000..e69de29
diff --git a/logo.png b/logo.png
index 1111111..2222222 100644
Binary files a/logo.png and b/logo.png differ
diff --git \"a/esc\\033[31m.txt\" \"b/esc\\033[31m.txt\"
index 1111111..2222222 100644
--- \"a/esc\\033[31m.txt\"
+++ \"b/esc\\033[31m.txt\"
@@ -1 +1,2 @@
-plain
+clear\u{1b}[2J and \u{202e}turned
+blanks at the end  
";

#[test]
fn files_that_are_no_plain_text_change_say_so() {
    let capture = Arc::new(fixture::capture(&serde_json::json!([])));
    let diff = Arc::new(patch::parse(SPECIAL.as_bytes()));
    let mut model = fixture::model_of(Review::with_diff(capture, diff), 100, 40);
    for _ in 0..20 {
        update(&mut model, Event::Woken);
    }
    insta::assert_snapshot!("special", picture(&model));
}

#[test]
fn side_by_side() {
    snap("split", "| z R ] j");
}

#[test]
fn everything_opened_and_wrapped() {
    snap("open", "w z R G k k k");
}

#[test]
fn compare() {
    snap("compare", "t t t t c j");
}

#[test]
fn compare_on_the_whole_screen() {
    snap("compare-full", "t t t t c f");
}

#[test]
fn a_summary_corrected() {
    for (width, height) in [(160, 48), (80, 24)] {
        let mut model = fixture::model(width, height);
        fixture::corrected(&mut model);
        fixture::press(&mut model, "t t t m m c");
        insta::assert_snapshot!(format!("corrected-{width}x{height}"), picture(&model));
        fixture::press(&mut model, "e Tab Up Up Home");
        insta::assert_snapshot!(format!("correct-{width}x{height}"), picture(&model));
    }
}

#[test]
fn threads() {
    snap("threads", "g t j j");
}

#[test]
fn tasks() {
    snap("tasks", "g k");
}

#[test]
fn search() {
    snap("search", "/ b u d g e t");
}

#[test]
fn help() {
    snap("help", "? t h r e a d");
}

#[test]
fn home() {
    let entry = |label: &str, problem: Option<&str>| Dossier {
        target: label.to_owned(),
        label: label.to_owned(),
        title: "Retry budget for uploads".to_owned().into(),
        author: Some("alice".to_owned().into()),
        state: Some("open".to_owned().into()),
        additions: 120,
        deletions: 7,
        unresolved: 3,
        settled: 12,
        captured_at: Some("2026-03-01T00:00:00Z".to_owned()),
        problem: problem.map(str::to_owned),
        ..Dossier::default()
    };
    for (name, entries) in [
        (
            "home",
            vec![
                entry("acme/store#482", None),
                entry("acme/old#1", Some("the capture is damaged")),
            ],
        ),
        ("welcome", Vec::new()),
    ] {
        let start =
            Start { size: Size { width: 80, height: 24 }, now: fixture::NOW, ..Start::default() };
        let (mut model, _) = Model::start(start);
        update(&mut model, Event::Dossiers { request: 1, entries });
        insta::assert_snapshot!(name, picture(&model));
    }
}

/// What a forge lists, two of them known here as dossiers.
fn lists() -> ListNews {
    let listed = |number: u64, title: &str, mark| Listed {
        target: format!("https://github.com/acme/store/pull/{number}"),
        label: format!("acme/store#{number}"),
        title: title.into(),
        author: Some(if number == 490 { "alice" } else { "bob" }.into()),
        state: "open".into(),
        draft: number == 490,
        additions: number,
        deletions: 7,
        threads: number % 5,
        updated_at: Some("2026-03-03T12:00:00Z".into()),
        mark,
    };
    let requested = vec![
        listed(482, "Retry budget for uploads", Mark::Updated),
        listed(485, "Bound the queue of the store's writer by bytes, not by entries", Mark::New),
        listed(481, "Say which lock is waited for", Mark::Known),
    ];
    let mine = vec![listed(490, "Draft of a thing", Mark::Known)];
    ListNews::Read(Box::new(Lists {
        host: "github.com".into(),
        login: Some("alice".into()),
        read_at: Some("2026-03-03T23:48:00Z".into()),
        requested: List { rows: requested, total: 12 },
        mine: List { rows: mine, total: 1 },
    }))
}

/// Home at a size with one dossier, after some news of the lists.
fn home_with(width: u16, height: u16, news: Vec<ListNews>) -> Model {
    let size = Size { width, height };
    let start = Start { size, now: fixture::NOW, ..Start::default() };
    let (mut model, _) = Model::start(start);
    let entries = vec![Dossier {
        target: "x".to_owned(),
        label: "acme/store#482".to_owned(),
        page: Some("https://github.com/acme/store/pull/482".to_owned()),
        title: "Retry budget for uploads".into(),
        author: Some("bob".into()),
        state: Some("open".into()),
        unresolved: 3,
        settled: 12,
        outdated: 1,
        phases: vec![Phase { name: "dossier".into(), ..Phase::default() }],
        captured_at: Some("2026-03-01T00:00:00Z".to_owned()),
        ..Dossier::default()
    }];
    update(&mut model, Event::Dossiers { request: 1, entries });
    for news in news {
        update(&mut model, Event::Lists { request: 2, news });
    }
    model
}

#[test]
fn home_shows_what_waits() {
    for (width, height) in [(60, 20), (80, 24), (160, 48)] {
        let model = home_with(width, height, vec![lists()]);
        insta::assert_snapshot!(format!("home_requested_{width}x{height}"), picture(&model));
    }
    let mut model = home_with(80, 24, vec![lists()]);
    for (key, name) in [("1", "approval"), ("3", "mine"), ("4", "recent")] {
        fixture::press(&mut model, key);
        insta::assert_snapshot!(format!("home_{name}"), picture(&model));
    }
}

#[test]
fn set_up_says_what_is_found() {
    for (width, height) in [(60, 20), (80, 24), (160, 48)] {
        let mut model = home_with(width, height, Vec::new());
        fixture::press(&mut model, "s");
        let all = [
            ("git", "2.47.1", None),
            ("engine", "extractive", None),
            (
                "sign-in",
                "nobody is signed in at github.com",
                Some("gh auth login --hostname github.com"),
            ),
        ];
        let found = all.map(|(name, says, todo)| Found {
            name: name.into(),
            says: says.into(),
            todo: todo.map(str::to_owned),
        });
        update(&mut model, Event::Around { request: 3, found: found.into() });
        insta::assert_snapshot!(format!("setup_{width}x{height}"), picture(&model));
    }
}

#[test]
fn home_says_how_the_lists_stand() {
    let shown = |news: Vec<ListNews>| {
        let mut model = home_with(80, 24, news);
        fixture::press(&mut model, "2");
        words(&model).lines().nth(2).unwrap_or_default().trim().to_owned()
    };
    let failed = |says: &str, todo: &str, pause| {
        let (says, todo) = (says.to_owned(), Some(todo.to_owned()));
        ListNews::Failed(Trouble { says, todo, pause, lasting: false })
    };
    let kept = || match lists() {
        ListNews::Read(it) => ListNews::Kept(it),
        other => other,
    };
    let check = |news: Vec<ListNews>, expected: &str| {
        let line = shown(news);
        let line = line.trim_matches('│').trim();
        assert_eq!(line.split_whitespace().collect::<Vec<_>>().join(" "), expected);
    };
    check(vec![], "asking for the lists …");
    check(vec![kept()], "github.com as alice · as of 12m ago refreshing …");
    check(vec![lists()], "github.com as alice · as of 12m ago");
    let missing = failed("nobody is signed in", "gh auth login", None);
    check(vec![missing], "nobody is signed in: gh auth login");
    let lost = failed("the lists could not be read: the connection failed, and so on", "try", None);
    check(vec![kept(), lost], "try as of 12m ago");
    let limit = failed("GitHub's limit is reached", "wait", Some(200));
    check(vec![kept(), limit], "GitHub's limit is reached asked again in 3m 20s");
    check(vec![ListNews::Offline(None)], "offline: these lists were never read here");
    let Some(ListNews::Kept(it)) = Some(kept()) else { return };
    check(vec![ListNews::Offline(Some(it))], "github.com as alice · as of 12m ago · offline");
}

#[test]
fn ascii_draws_with_ascii_alone() {
    let mut model = fixture::model(80, 24);
    model.options.ascii = true;
    let words = words(&model);
    let other: String = words.chars().filter(|it| !it.is_ascii()).collect();
    assert_eq!(other, "");
}

#[test]
fn below_the_smallest_size_one_line_says_so() {
    let model = fixture::model(39, 10);
    assert_eq!(words(&model).trim_end(), "too small: 39×10, casefile needs 40×10");
}

/// What must never reach a terminal as it is.
const HOSTILE: &str = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{9b}31m\u{202e}\u{200b}\r\n\t\u{8}";

/// Adds hostile text to every string a pull request can hold.
fn poison(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::String(it) => it.push_str(HOSTILE),
        serde_json::Value::Array(them) => them.iter_mut().for_each(poison),
        serde_json::Value::Object(them) => {
            let fixed = ["id", "side", "start_side", "created_at", "format", "status", "patch"];
            for (_, it) in them.iter_mut().filter(|it| !fixed.contains(&it.0.as_str())) {
                poison(it);
            }
        }
        _ => {}
    }
}

#[test]
fn hostile_text_reaches_no_screen_as_it_is() {
    let mut capture = serde_json::to_value(fixture::capture(&fixture::threads())).expect("JSON");
    capture["pull_request"]["body"] = "a body".into();
    capture["issue_comments"] = serde_json::json!([{"author": "x", "body": "words"}]);
    poison(&mut capture);
    let review = Review::of(Arc::new(serde_json::from_value(capture).expect("a capture")));
    let mut discussion = fixture::discussion(&review);
    for thread in &mut discussion.threads {
        thread.text = format!("{}{HOSTILE}", thread.text.raw()).into();
        thread.checks = vec![HOSTILE.to_owned()];
    }
    let mut model = fixture::model_of(review, 160, 48);
    let hostile = || HOSTILE.to_owned();
    let phase = Phase { name: hostile(), reason: Some(hostile()), ..Phase::default() };
    let task = crate::app::work::tests::report(State::FailedIsolated { error: hostile() });
    for report in [
        RunReport::Summary(Arc::new(discussion)),
        RunReport::Phase(phase),
        RunReport::Task(Box::new(TaskReport { task_id: hostile(), engine: hostile(), ..task })),
        RunReport::Ended { error: Some(hostile()) },
    ] {
        update(&mut model, Event::Run { request: 2, report });
    }
    let entry = Dossier {
        label: hostile(),
        title: hostile().into(),
        author: Some(hostile().into()),
        ..Dossier::default()
    };
    let mut marks = 0;
    let walk = "Enter z R t t t c f Esc Esc g t / x Esc g k Enter g d | w : g h";
    for keys in walk.split(' ') {
        fixture::press(&mut model, keys);
        update(&mut model, Event::Paste(HOSTILE.to_owned()));
        if let Some(request) = model.home.waits_for {
            update(&mut model, Event::Dossiers { request, entries: vec![entry.clone()] });
        }
        let screen = screen(&model, 160, 48);
        let lines = screen.blocks.iter().flat_map(|it| &it.lines);
        for span in lines.flat_map(|it| &it.spans) {
            let bad = |it: char| it.is_control() || "\u{202e}\u{200b}".contains(it);
            assert!(!span.text.contains(bad), "after {keys}: {:?}", span.text);
            marks += usize::from(span.text.contains('␛'));
        }
    }
    assert!(marks > 500, "the hostile text was on the screens, made visible: {marks}");
}
