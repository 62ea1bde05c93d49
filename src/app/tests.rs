//! The state machine driven by keys: events in, cursor, folds and effects out.

use crate::{
    app::{
        desk::Focus,
        event::{Arrives, Effect, Event, Opened, RunReport},
        fixture::{self, model, press},
        key::{Chord, Key, Mouse, MouseKind},
        layout::row::{List, Row, Spot},
        model::{First, Model, Screen, Size, Start},
        update::update,
        viewed::ViewedMark,
    },
    domain::{
        capture::{Capture, Comment},
        review::Review,
    },
    task::state::State,
    view,
};
use proptest::prelude::*;
use serde_json::json;
use std::{collections::BTreeSet, sync::Arc};

fn row(model: &Model) -> Row {
    let reader = &model.desk.as_ref().expect("a review is open").reader;
    reader.layout.row(reader.at.cursor).expect("the cursor is on a row")
}

fn thread(model: &Model) -> Option<u32> {
    match row(model) {
        Row::Thread { thread, .. } => Some(thread),
        _ => None,
    }
}

#[test]
fn hunks_files_and_threads_are_a_key_apart() {
    let mut model = model(160, 48);
    press(&mut model, "]");
    assert_eq!(row(&model), Row::Hunk { file: 0, hunk: 0 });
    press(&mut model, "] ]");
    assert_eq!(row(&model), Row::Hunk { file: 1, hunk: 0 });
    press(&mut model, "[ j [");
    assert_eq!(row(&model), Row::Hunk { file: 0, hunk: 1 });
    press(&mut model, "}");
    assert_eq!(row(&model), Row::File { file: 1 });
    press(&mut model, "j {");
    assert_eq!(row(&model), Row::File { file: 1 });
    press(&mut model, "g g 2 ]");
    assert_eq!(row(&model), Row::Hunk { file: 0, hunk: 1 });
    press(&mut model, "G k g g");
    assert_eq!(row(&model), Row::File { file: 0 });
}

#[test]
fn next_thread_visits_each_unresolved_one_in_document_order() {
    let mut model = model(160, 48);
    let mut seen = Vec::new();
    for _ in 0..12 {
        press(&mut model, "t");
        seen.extend(thread(&model));
    }
    seen.dedup();
    assert_eq!(seen, [5, 4, 2, 0, 3, 6, 7, 8, 9]);
    press(&mut model, "M");
    assert_eq!(thread(&model), Some(8));
    assert!(model.notice().is_some(), "the end is said");
}

#[test]
fn enter_opens_a_folded_thread_in_place() {
    let mut model = model(160, 48);
    press(&mut model, "m m m m");
    assert_eq!(row(&model), Row::Thread { thread: 1, line: 0 });
    let block = |model: &Model| {
        let layout = &model.desk.as_ref().expect("open").reader.layout;
        layout.block(1).map_or(0, |it| it.lines.len())
    };
    assert_eq!(block(&model), 1);
    press(&mut model, "Enter");
    assert_eq!((row(&model), block(&model)), (Row::Thread { thread: 1, line: 0 }, 4));
    press(&mut model, "j z a");
    assert_eq!((row(&model), block(&model)), (Row::Thread { thread: 1, line: 0 }, 1));
}

#[test]
fn a_hidden_comment_shows_on_enter() {
    let mut model = model(160, 48);
    for _ in 0..8 {
        press(&mut model, "m");
    }
    assert_eq!(thread(&model), Some(7));
    assert!(view::tests::words(&model).contains("hidden as off-topic – Enter shows"));
    press(&mut model, "Enter j Enter");
    assert!(view::tests::words(&model).contains("off topic words"));
}

#[test]
fn viewed_folds_the_file_and_is_saved() {
    let mut model = model(160, 48);
    let effects = press(&mut model, "j j Space");
    let [Effect::SaveViewed { label, marks }] = effects.as_slice() else { panic!("{effects:?}") };
    assert_eq!((label.as_str(), marks[0].path.as_str()), ("acme/store#482", "src/upload.rs"));
    assert!(marks.len() == 1 && marks[0].patch.is_some());
    press(&mut model, "j j");
    assert_eq!(row(&model), Row::File { file: 1 });
    press(&mut model, "T");
    assert_eq!(thread(&model), Some(3), "a jump opens the file");
}

#[test]
fn search_is_smart_incremental_and_goes_around() {
    let mut model = model(160, 48);
    press(&mut model, "/ b u d g e t");
    assert!(matches!(row(&model), Row::Code { file: 0, line: 0, .. }));
    press(&mut model, "Enter n");
    assert!(matches!(row(&model), Row::Code { file: 0, line: 1, .. }));
    press(&mut model, "g g / d o n e . Enter");
    assert_eq!(thread(&model), Some(1), "a hit opens its thread");
    press(&mut model, "/ L e f t Esc");
    assert_eq!(thread(&model), Some(1), "Esc goes back");
    press(&mut model, "/ z z z Enter");
    assert!(model.notice().is_some_and(|it| it.text.contains("zzz")));
}

#[test]
fn compare_lights_what_a_sentence_cites() {
    let mut model = model(160, 48);
    press(&mut model, "t t t t c");
    let desk = model.desk.as_ref().expect("open");
    assert_eq!((desk.focus, desk.inspector.thread), (Focus::Inspector, Some(0)));
    assert!(desk.inspector.cited().is_some_and(|it| !it.is_empty()));
    press(&mut model, "f");
    assert!(view::tests::words(&model).contains("Raw"));
    press(&mut model, "Esc Esc");
    assert_eq!(model.desk.as_ref().map(|it| it.focus), Some(Focus::Diff));
    press(&mut model, "Esc Esc Esc Esc");
    assert_eq!(model.screen, Screen::Home, "Esc never quits");
}

#[test]
fn threads_list_groups_filters_and_jumps() {
    let mut model = model(160, 48);
    press(&mut model, "g t");
    let rows = |model: &Model| model.desk.as_ref().map_or(0, |it| it.threads.rows.len());
    assert_eq!(rows(&model), 12, "ten threads under two headings");
    press(&mut model, "s s");
    assert_eq!(rows(&model), 2);
    press(&mut model, "x / g o n e Enter Enter");
    assert_eq!((model.screen, thread(&model)), (Screen::Diff, Some(3)));
}

#[test]
fn stale_answers_are_dropped() {
    let mut model = model(160, 48);
    let other =
        Event::Run { request: 99, report: RunReport::Ended { error: Some("x".to_owned()) } };
    update(&mut model, other);
    assert_eq!(model.work.error, None);
    update(&mut model, Event::Failed { request: Some(99), message: "x".to_owned() });
    assert!(model.notice().is_none());
}

#[test]
fn refresh_reads_what_was_opened_again_and_keeps_the_place() {
    let mut model = model(160, 48);
    press(&mut model, "Space } Space");
    let effects = press(&mut model, "R");
    let [Effect::Open { request, target }] = effects.as_slice() else { panic!("{effects:?}") };
    assert_eq!(target, "pr.json");
    let label = "acme/store#482".to_owned();
    let opened = Opened::whole(label, fixture::review());
    update(&mut model, Event::Opened { request: *request, opened: Box::new(opened) });
    assert_eq!(row(&model), Row::File { file: 1 });
    assert_eq!(model.desk.as_ref().map(|it| it.viewed.files.len()), Some(2));
}

#[test]
fn quitting_asks_while_work_runs() {
    let mut model = model(80, 24);
    assert_eq!(press(&mut model, "q"), [Effect::Quit]);
    let running = Box::new(crate::app::work::tests::report(State::Running { attempt: 1 }));
    update(&mut model, Event::Run { request: 2, report: RunReport::Task(running) });
    assert_eq!(press(&mut model, "q Enter"), []);
    assert_eq!(press(&mut model, "h"), [], "without a run there is nothing to hand over");
    assert_eq!(press(&mut model, "y"), [Effect::CancelTask { task: None }, Effect::Quit]);
}

#[test]
fn a_run_is_handed_over_before_it_is_stopped_here() {
    let mut model = model(80, 24);
    let mut running = crate::app::work::tests::report(State::Running { attempt: 1 });
    running.run = Some("r1".to_owned());
    update(&mut model, Event::Run { request: 2, report: RunReport::Task(Box::new(running)) });
    press(&mut model, "q");
    let run = "r1".to_owned();
    assert_eq!(
        press(&mut model, "h"),
        [Effect::HandOver { run }, Effect::CancelTask { task: None }, Effect::Quit]
    );
}

#[test]
fn a_paste_runs_no_commands() {
    let mut model = model(80, 24);
    assert_eq!(update(&mut model, Event::Paste("q:q\nG".repeat(2_000))), []);
    assert_eq!(row(&model), Row::File { file: 0 });
    press(&mut model, "/");
    update(&mut model, Event::Paste("bud\nget".to_owned()));
    assert!(view::tests::words(&model).contains("/bud get"));
}

#[test]
fn keys_work_on_a_cyrillic_layout() {
    let mut model = model(160, 48);
    press(&mut model, "ъ");
    assert_eq!(row(&model), Row::Hunk { file: 0, hunk: 0 });
    press(&mut model, "П п п");
    assert_eq!(row(&model), Row::File { file: 0 });
}

#[test]
fn switches_keep_the_row_under_the_cursor() {
    let mut model = model(160, 48);
    press(&mut model, "] j");
    let before = row(&model);
    for keys in ["|", "w", "|", "w", "W", "W", "z M", "z R", "D", "i", "b", "b", "i"] {
        press(&mut model, keys);
    }
    assert_eq!(row(&model), before);
}

#[test]
fn whitespace_only_changes_hide_behind_their_count() {
    let mut model = model(160, 48);
    assert!(!view::tests::words(&model).contains("differ in whitespace only"));
    press(&mut model, "W");
    assert!(view::tests::words(&model).contains("2 lines that differ in whitespace only"));
}

#[test]
fn description_and_conversation_open_on_top() {
    let mut capture = fixture::capture(&fixture::threads());
    capture.pull_request.body =
        Some("Uploads *retry* for ever.\n\nThis adds a budget.".to_owned().into());
    let comment: Comment =
        serde_json::from_value(json!({"author": "bob", "body": "Nice idea"})).expect("a comment");
    capture.issue_comments = vec![comment.clone(), comment];
    let mut model = fixture::model_of(Review::of(Arc::new(capture)), 160, 48);
    let first = Row::List { file: u32::MAX, list: List::Description };
    assert_eq!(row(&model), first);
    press(&mut model, "Enter j j");
    assert_eq!(row(&model), Row::Said { entry: 0, line: 1 });
    press(&mut model, "z a");
    assert_eq!(row(&model), first, "folding goes to the heading");
    press(&mut model, "/ n i c e Enter n");
    assert_eq!(row(&model), Row::Said { entry: 2, line: 1 });
    press(&mut model, "]");
    assert_eq!(row(&model), Row::Hunk { file: 0, hunk: 0 });
}

/// What every thread of the small review is shown as, over the whole document.
fn shown(model: &mut Model) -> BTreeSet<u32> {
    let mut threads = BTreeSet::new();
    let stage = model.desk.as_mut().expect("open").stage();
    for piece in 0..stage.layout.pieces.all.len() as u32 {
        for row in stage.layout.rows(stage.scene, piece) {
            if let Row::Thread { thread, .. } = row {
                threads.insert(*thread);
            }
        }
    }
    threads
}

fn event() -> impl Strategy<Value = Event> {
    let keys = "jkjkjkGgtTmMcfnN/{}[]|wWDbiyYoeSXRxsaB?:qhlzaMRo12 ь";
    let letters: Vec<char> = keys.chars().collect();
    let named = vec![
        Key::Enter,
        Key::Esc,
        Key::Tab,
        Key::Backspace,
        Key::Down,
        Key::Up,
        Key::PageDown,
        Key::PageUp,
        Key::Home,
        Key::End,
        Key::F(3),
        Key::F(4),
        Key::F(8),
        Key::Left,
        Key::Right,
    ];
    prop_oneof![
        8 => prop::sample::select(letters).prop_map(|it| Event::Key(Chord::char(it))),
        4 => prop::sample::select(named).prop_map(|it| Event::Key(Chord::plain(it))),
        1 => prop::sample::select(vec!['d', 'u', 'p', 'w']).prop_map(|it| Event::Key(Chord::ctrl(it))),
        1 => (0..200_u16, 0..200_u16).prop_map(|(width, height)| Event::Resize { width, height }),
        1 => (0..200_u16, 0..60_u16, 0..3_u8).prop_map(|(column, row, kind)| {
            let kind = [MouseKind::Click, MouseKind::WheelDown, MouseKind::WheelUp][usize::from(kind)];
            Event::Mouse(Mouse { kind, column, row })
        }),
        1 => Just(Event::Woken),
        1 => "[a-z\n\u{202e}]{0,9}".prop_map(Event::Paste),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// No key, resize or click panics, the cursor stays on a row, and no thread is ever lost:
    /// shown + in folded files and lists = all.
    #[test]
    fn nothing_panics_and_nothing_is_lost(
        events in prop::collection::vec(event(), 0..50),
        (width, height) in (0..200_u16, 0..80_u16),
    ) {
        let mut model = model(width, height);
        for event in events {
            update(&mut model, event);
            let size = model.size;
            view::tests::cells_of(&model);
            view::screen(&model, size.height, size.width);
        }
        let reader = &model.desk.as_ref().expect("open").reader;
        if !model.size.too_small() {
            prop_assert!(reader.layout.row(reader.at.cursor).is_some());
        }
        let seen = shown(&mut model);
        let desk = model.desk.as_ref().expect("open");
        for thread in 0..10_u32 {
            let piece = desk.reader.layout.pieces.of_thread[thread as usize];
            let at = &desk.reader.layout.pieces.all[piece as usize];
            let lists = [List::Unknown, List::Outdated, List::Elsewhere];
            let folded = desk.reader.folds.file_folded(at.file)
                || lists.iter().any(|it| desk.reader.folds.list_folded(at.file, *it));
            prop_assert!(seen.contains(&thread) || folded, "thread {thread} is gone");
        }
    }
}

/// A review of `lines` changed lines in files of 2,000, with a thread on every `every`th line.
pub(crate) fn big(lines: usize, every: usize) -> Review {
    let mut files = Vec::new();
    let mut threads = Vec::new();
    for (at, start) in (0..lines).step_by(2_000).enumerate() {
        let count = 2_000.min(lines - start);
        let body: Vec<_> = (0..count).map(|it| format!("+let line = {it};")).collect();
        let body = body.join("\n");
        let path = format!("src/file_{at}.rs");
        let patch = format!("@@ -0,0 +1,{count} @@\n{body}");
        files.push(json!({"path": path, "status": "added", "additions": count, "patch": patch}));
        for line in (1..=count).step_by(every.max(1)).filter(|_| every > 0) {
            threads.push(
                json!({"id": format!("{at}-{line}"), "path": path, "line": line, "side": "RIGHT",
                "comments": [{"author": "bob", "body": "Is *this* right?\n\n- a\n- b"},
                             {"author": "alice", "body": "Yes, it is."}]}),
            );
        }
    }
    let capture: Capture = serde_json::from_value(json!({
        "format": "casefile-capture", "version": 1, "repository": "a/b",
        "pull_request": {"number": 1}, "files": files, "review_threads": threads
    }))
    .expect("a capture");
    Review::of(Arc::new(capture))
}

/// Rows built for a session of scrolling.
fn rows_built(lines: usize, every: usize) -> u64 {
    let mut model = fixture::model_of(big(lines, every), 160, 48);
    let before = model.desk.as_ref().map_or(0, |it| it.reader.layout.rows_built);
    for _ in 0..300 {
        press(&mut model, "j");
    }
    press(&mut model, "Ctrl-d Ctrl-d PgDn Ctrl-u");
    model.desk.as_ref().map_or(0, |it| it.reader.layout.rows_built) - before
}

#[test]
fn a_key_costs_a_screenful_whatever_the_size() {
    let small = rows_built(1_000, 0);
    assert!(small < 1_000, "{small} rows for 400 rows of scrolling");
    assert_eq!(rows_built(100_000, 0), small);
    let talk = rows_built(100_000, 100);
    assert!(
        talk <= small * 12 / 10 + 120,
        "{talk} rows with a thousand threads, {small} with none"
    );
    let mut model = fixture::model_of(big(100_000, 100), 160, 48);
    press(&mut model, "G 9 9 9 9 9 9 k G g g 5 0 0 0 0 G");
    let built = model.desk.as_ref().map_or(0, |it| it.reader.layout.rows_built);
    assert!(built < 3_000, "{built} rows for jumps over the document");
}

#[test]
fn a_line_of_400_kb_is_never_processed_whole() {
    let line = "x".repeat(400_000);
    let capture: Capture = serde_json::from_value(json!({
        "format": "casefile-capture", "version": 1, "repository": "a/b", "pull_request": {"number": 1},
        "files": [{"path": "min.js", "patch": format!("@@ -1 +1 @@\n-{line}\n+{line}y")}]
    }))
    .expect("a capture");
    let mut model = fixture::model_of(Review::of(Arc::new(capture)), 160, 48);
    assert!(view::tests::words(&model).contains("» 400,001 bytes"));
    press(&mut model, "w");
    let rows = model.desk.as_ref().map_or(0, |it| it.reader.layout.progress(Spot::default()).1);
    assert!(rows < 120, "{rows}");
}

#[test]
fn a_review_that_is_still_read_grows_without_moving() {
    let part = |count: usize| {
        let files: Vec<_> = (0..count)
            .map(|at| {
                json!({"path": format!("src/f{at}.rs"), "status": "added", "patch":
                format!("@@ -0,0 +1,60 @@\n{}", vec!["+a line"; 60].join("\n"))})
            })
            .collect();
        let capture: Capture = serde_json::from_value(json!({
            "format": "casefile-capture", "version": 1, "repository": "a/b",
            "pull_request": {"number": 1}, "files": files
        }))
        .expect("a capture");
        Review::of(Arc::new(capture))
    };
    let (mut model, _) = Model::start(Start {
        size: Size { width: 160, height: 48 },
        first: First::Target("a..b".into()),
        ..Start::default()
    });
    let give = |model: &mut Model, count, more| {
        let viewed = vec![ViewedMark { path: "src/f3.rs".into(), patch: None }];
        let arrives = if more { Arrives::Growing } else { Arrives::Whole };
        let opened = Opened::whole("a..b".to_owned(), part(count));
        let opened = Opened { viewed, arrives, ..opened };
        update(model, Event::Opened { request: 1, opened: Box::new(opened) })
    };
    let runs = |effects: &[Effect]| effects.iter().any(|it| matches!(it, Effect::StartRun { .. }));
    assert!(!runs(&give(&mut model, 2, true)), "a part starts no run");
    press(&mut model, "/ l i n e Enter");
    press(&mut model, "Ctrl-d Ctrl-d j j");
    let at = |model: &Model| model.desk.as_ref().expect("open").reader.at;
    let before = at(&model);
    assert!(!runs(&give(&mut model, 3, true)));
    assert!(runs(&give(&mut model, 5, false)), "the whole starts it");
    assert_eq!(at(&model), before);
    update(&mut model, Event::Woken);
    let desk = model.desk.as_ref().expect("open");
    assert_eq!(desk.review.diff.files.len(), 5);
    assert!(
        desk.viewed.files.contains(&3) && desk.reader.folds.file_folded(3),
        "late files are marked"
    );
    assert_eq!((desk.search.hits.len(), desk.search.done), (300, true), "the search went on");
    let late = give(&mut model, 9, false);
    assert!(late.is_empty(), "an answer after the whole is dropped");
}

#[test]
fn news_from_the_background_does_not_cover_what_went_wrong() {
    let mut model = model(160, 48);
    let shown = |model: &Model| model.notice().map(|it| it.text.clone());
    model.complain("it ended with exit status: 3");
    model.announce("the summaries are ready");
    assert_eq!(shown(&model).as_deref(), Some("it ended with exit status: 3"));
    model.say("copied");
    model.announce("more is ready");
    assert_eq!(shown(&model).as_deref(), Some("more is ready"), "the person went on");
    model.now += 60;
    assert_eq!(shown(&model), None);
}
