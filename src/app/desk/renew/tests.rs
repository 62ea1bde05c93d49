//! A desk that is renewed: what a person looks at, chose and typed stays.

use crate::{
    app::{
        desk::{Arrival, Desk, Focus},
        event::{Arrives, Effect, Event, Opened, Progress, Taken},
        fixture::{self, NOW, model, press},
        layout::row::{Row, Spot},
        model::{First, Model, Screen, Size, Start},
        prompt::Prompt,
        update::update,
    },
    domain::{
        capture::{Capture, Comment},
        review::Review,
        since::Fresh,
    },
    view::tests::words,
};
use serde_json::{Value, json};
use std::sync::Arc;

fn desk(model: &Model) -> &Desk {
    model.desk.as_ref().expect("a review is open")
}

fn row(model: &Model) -> Row {
    let reader = &desk(model).reader;
    reader.layout.row(reader.at.cursor).expect("the cursor is on a row")
}

/// The words of the code line under the cursor.
fn line(model: &Model) -> String {
    let (file, line) = desk(model)
        .current_line()
        .unwrap_or_else(|| panic!("no code line is near {:?}", row(model)));
    let file = &desk(model).review.diff.files[file as usize];
    String::from_utf8_lossy(file.raw_bytes(&file.lines[line as usize])).into_owned()
}

/// Rows between the pane's top and the cursor.
fn height(model: &mut Model) -> Option<u32> {
    let stage = model.desk.as_mut().expect("open").stage();
    stage.layout.below(stage.scene, stage.at.top, stage.at.cursor, 1_000)
}

/// The fixture's capture, changed as JSON.
fn capture(change: impl FnOnce(&mut Value)) -> Capture {
    let mut it = serde_json::to_value(fixture::capture(&fixture::threads())).expect("JSON");
    change(&mut it);
    serde_json::from_value(it).expect("a capture")
}

fn answer(model: &mut Model, request: u64, arrives: Arrives, capture: Capture) -> Vec<Effect> {
    let review = Review::of(Arc::new(capture));
    let opened = Opened { arrives, ..Opened::whole("acme/store#482".to_owned(), review) };
    update(model, Event::Opened { request, opened: Box::new(opened) })
}

fn refresh(model: &mut Model) -> u64 {
    match press(model, "R").as_slice() {
        [Effect::Open { request, .. }] => *request,
        other => panic!("nothing is read again: {other:?}"),
    }
}

/// `R`, and the fixture's capture comes back changed.
fn renewed(model: &mut Model, change: impl FnOnce(&mut Value)) -> Vec<Effect> {
    let request = refresh(model);
    answer(model, request, Arrives::Whole, capture(change))
}

/// More lines, files and threads before what is looked at.
fn push(it: &mut Value) {
    let first = json!({"path": "a/first.rs", "status": "added", "additions": 2,
        "patch": "@@ -0,0 +1,2 @@\n+one\n+two"});
    it["files"].as_array_mut().expect("files").insert(0, first);
    it["files"][1]["patch"] = json!(
        "@@ -1,1 +1,4 @@\n+use a;\n+use b;\n+use c;\n fn main\n@@ -110,4 +113,7 @@ fn next_attempt\n     let budget = self.budget;\n-    let left = budget.left();\n+    let left = budget.remaining();\n+    if budget.is_empty() {\n+        return None;\n+    }\n     self.wait(left);\n     self.count += 1;\n@@ -200,3 +205,3 @@ fn wait\n fn wait(&self) {\n-\tsleep(1)\n+    sleep(1)\n }"
    );
    let threads = it["review_threads"].as_array_mut().expect("threads");
    for thread in threads.iter_mut().filter(|it| it["side"] == "RIGHT") {
        for part in ["line", "start_line"] {
            if let Some(number) = thread[part].as_u64().filter(|it| *it > 100) {
                thread[part] = json!(number + 3);
            }
        }
    }
    let early = json!({"id": "t0", "path": "a/first.rs", "line": 1, "side": "RIGHT",
        "comments": [{"id": 900, "author": "eve", "body": "Why this file?"}]});
    it["review_threads"].as_array_mut().expect("threads").insert(0, early);
    it["pull_request"]["head"]["sha"] = json!("bbbbbbb1");
}

#[test]
fn the_line_under_the_cursor_stays_where_it_is_on_the_screen() {
    for keys in ["] j j j", "] ] j", "} ] j j", "| ] j j", "w ] j j"] {
        let mut model = model(160, 48);
        press(&mut model, keys);
        assert!(desk(&model).current_line().is_some(), "{keys}: {:?}", row(&model));
        let before = (line(&model), height(&mut model));
        renewed(&mut model, push);
        assert_eq!((line(&model), height(&mut model)), before, "{keys}");
    }
}

#[test]
fn hunk_header_file_header_and_lists_are_found_again() {
    let mut it = model(160, 48);
    press(&mut it, "] ]");
    renewed(&mut it, push);
    assert!(matches!(row(&it), Row::Hunk { file: 1, hunk: 2 }), "{:?}", row(&it));
    let mut it = model(160, 48);
    press(&mut it, "}");
    renewed(&mut it, push);
    assert_eq!(row(&it), Row::File { file: 2 });
}

#[test]
fn a_comment_under_the_cursor_is_found_again_though_others_came_before_it() {
    let mut model = model(160, 48);
    press(&mut model, "t t t t j j j j j j j");
    let at = row(&model);
    let said = |model: &Model| match row(model) {
        Row::Thread { thread, line } => {
            let raw = &desk(model).review.capture.review_threads[thread as usize];
            let block = desk(model).reader.layout.block(thread).expect("laid out");
            let comment = block.lines[usize::from(line)].comment().expect("on a comment");
            (raw.id.clone(), raw.comments[usize::from(comment)].body.clone())
        }
        other => panic!("{other:?} is no comment"),
    };
    let before = (said(&model), height(&mut model));
    renewed(&mut model, |it| {
        push(it);
        let first = json!({"id": 901, "author": "eve", "body": "First!\n\nSecond!"});
        let comments = &mut it["review_threads"][1]["comments"];
        comments.as_array_mut().expect("comments").insert(0, first);
    });
    assert_eq!((said(&model), height(&mut model)), before);
    assert_ne!(row(&model), at, "it is another row by number");
}

#[test]
fn what_is_gone_leaves_the_cursor_at_what_is_nearest() {
    let mut it = model(160, 48);
    press(&mut it, "t t t t");
    renewed(&mut it, |it| {
        it["review_threads"].as_array_mut().expect("threads").remove(0);
    });
    assert_eq!(line(&it), "    }", "a thread that is gone leaves its line");
    let mut it = model(160, 48);
    press(&mut it, "} ] j");
    renewed(&mut it, |it| {
        it["files"].as_array_mut().expect("files").remove(1);
    });
    assert_eq!(row(&it), Row::File { file: 1 }, "the file that is there now");
    let mut it = model(160, 48);
    press(&mut it, "] j j");
    renewed(&mut it, |it| it["files"] = json!([]));
    assert_eq!(desk(&it).reader.at.cursor, Spot::default());
}

#[test]
fn folds_follow_their_threads_and_files() {
    let mut model = model(160, 48);
    press(&mut model, "} z a { t t t t z a");
    let open = |model: &Model, thread: usize| {
        let facts = &desk(model).facts;
        desk(model).reader.folds.thread_open(thread as u32, &facts[thread])
    };
    assert!(desk(&model).reader.folds.file_folded(1) && !open(&model, 0));
    renewed(&mut model, push);
    let folds = &desk(&model).reader.folds;
    assert!(folds.file_folded(2) && !folds.file_folded(1));
    assert!(!open(&model, 1) && open(&model, 0), "t1 is the second now");
}

#[test]
fn a_thread_in_sight_does_not_fold_by_itself() {
    let mut model = model(160, 48);
    press(&mut model, "] j");
    let before = words(&model);
    assert!(before.contains("Should this count"));
    renewed(&mut model, |it| {
        it["review_threads"][0]["is_resolved"] = json!(true);
        it["review_threads"][0]["is_outdated"] = json!(true);
    });
    assert!(words(&model).contains("Should this count"));
    assert!(words(&model).contains("1 thread resolved"), "and it is told");
}

#[test]
fn a_viewed_file_stays_viewed_until_its_patch_changes() {
    let mut model = model(160, 48);
    press(&mut model, "Space } Space");
    renewed(&mut model, push);
    let viewed = &desk(&model).viewed;
    assert_eq!(viewed.files.iter().copied().collect::<Vec<_>>(), [2]);
    assert_eq!(viewed.changed.iter().copied().collect::<Vec<_>>(), [1]);
    assert!(!desk(&model).reader.folds.file_folded(1), "there is something to look at");
    press(&mut model, "g g }");
    assert!(words(&model).contains("changed since viewed"));
    renewed(&mut model, |it| {
        push(it);
        it["files"].as_array_mut().expect("files").pop();
    });
    assert!(!desk(&model).viewed.changed.is_empty(), "it is not forgotten");
}

#[test]
fn compare_keeps_its_thread_its_sentence_and_the_keys() {
    let mut model = model(160, 48);
    press(&mut model, "t t t t c j");
    let before = (desk(&model).inspector.unit, desk(&model).inspector.tab);
    renewed(&mut model, push);
    let inspector = &desk(&model).inspector;
    assert_eq!((inspector.unit, inspector.tab), before);
    assert_eq!((inspector.thread, desk(&model).focus), (Some(1), Focus::Inspector));
}

#[test]
fn the_list_of_threads_keeps_its_thread_and_its_row() {
    let mut model = model(160, 48);
    press(&mut model, "g t j j j");
    let thread = |model: &Model| {
        let at = desk(model).threads.current().expect("on a thread");
        desk(model).review.capture.review_threads[at as usize].id.clone()
    };
    let before = thread(&model);
    renewed(&mut model, push);
    assert_eq!(thread(&model), before);
    assert_eq!(model.screen, Screen::Threads);
    renewed(&mut model, |it| {
        let threads = it["review_threads"].as_array_mut().expect("threads");
        threads.retain(|it| it["id"] != json!(before));
    });
    assert_ne!(desk(&model).threads.cursor, 0, "a neighbour, not the top");
}

#[test]
fn a_search_goes_on_and_nobody_is_moved() {
    let mut model = model(160, 48);
    press(&mut model, "/ s l e e p Enter n j");
    let before = (line(&model), height(&mut model));
    renewed(&mut model, push);
    update(&mut model, Event::Woken);
    assert_eq!((line(&model), height(&mut model)), before);
    let search = &desk(&model).search;
    assert_eq!((search.needle.text(), search.hits.len(), search.done), ("sleep", 2, true));
    press(&mut model, "N");
    assert_eq!(line(&model), "    sleep(1)");
}

#[test]
fn what_is_being_typed_stays() {
    let mut it = model(160, 48);
    press(&mut it, "t t t t c e X");
    let typed = |model: &Model| match &model.prompt {
        Some(Prompt::Correct(editor)) => editor.area.text().to_owned(),
        other => panic!("no editor but {other:?}"),
    };
    let (before, request) = (typed(&it), 77);
    it.requests.opening = Some((request, First::Target("pr.json".to_owned())));
    answer(&mut it, request, Arrives::Whole, capture(push));
    assert_eq!(typed(&it), before);
    assert_eq!(desk(&it).corrections.drafts.len(), 1);
    let mut it = model(160, 48);
    press(&mut it, "] j /");
    it.requests.opening = Some((request, First::Target("pr.json".to_owned())));
    let before = line(&it);
    answer(&mut it, request, Arrives::Whole, capture(push));
    press(&mut it, "Esc");
    assert_eq!(line(&it), before, "Esc goes back to the same line");
}

/// A reply to the first thread, and its first comment in other words.
fn reply(it: &mut Value) {
    let comments = it["review_threads"][0]["comments"].as_array_mut().expect("comments");
    comments[1]["body"] = json!("Agreed, I pushed it in 3fa9c1d.");
    comments.push(json!({"id": 902, "author": "bob", "body": "Thank you"}));
}

#[test]
fn new_and_edited_comments_are_marked_until_the_cursor_was_on_them() {
    let mut model = model(160, 48);
    assert!(!words(&model).contains('●'));
    renewed(&mut model, reply);
    let shown = words(&model);
    assert!(shown.contains("● new") && shown.contains("● edited"), "{shown}");
    assert!(shown.contains("1 new comment · 1 edited"), "{shown}");
    assert!(shown.contains("●1"), "the file list counts them: {shown}");
    press(&mut model, ")");
    assert!(matches!(row(&model), Row::Thread { thread: 0, .. }));
    let on = |model: &Model| desk(model).facts[0].fresh;
    assert_eq!(on(&model), Some(Fresh::New), "being there is not leaving");
    press(&mut model, ")");
    assert!(words(&model).contains("● new") && !words(&model).contains("● edited"));
    press(&mut model, "g g");
    assert_eq!(on(&model), None);
    assert!(!words(&model).contains('●'));
    press(&mut model, ")");
    assert!(model.notice().is_some_and(|it| it.text.contains("nothing new")));
}

#[test]
fn marks_outlast_another_reading() {
    let mut model = model(160, 48);
    renewed(&mut model, reply);
    renewed(&mut model, |it| {
        reply(it);
        push(it);
    });
    assert_eq!(desk(&model).news.counts(), (2, 1));
}

#[test]
fn what_vanished_is_counted() {
    let mut model = model(160, 48);
    renewed(&mut model, |it| {
        it["completeness"] = json!({});
        let comments = it["review_threads"][0]["comments"].as_array_mut().expect("comments");
        comments.truncate(1);
    });
    assert!(words(&model).contains("2 comments are gone"));
    press(&mut model, "g t");
    assert!(words(&model).contains("2 comments are gone"));
}

#[test]
fn a_changed_thread_s_summary_is_stale_at_once() {
    let mut model = model(160, 48);
    press(&mut model, "t t t t");
    renewed(&mut model, reply);
    let checks = &desk(&model).summary_of(0).expect("summarised").checks;
    assert_eq!(checks.as_slice(), ["stale: 1 new comments"]);
    let others = desk(&model).summary_of(1).expect("summarised");
    assert!(others.checks.is_empty());
    assert!(words(&model).contains("stale: 1 new"));
    model.work.ended = true;
    press(&mut model, "c");
    assert!(runs(&press(&mut model, "u")), "one key makes it again");
}

#[test]
fn closed_merged_locked_and_draft_are_shown_and_told_once() {
    let mut model = model(160, 48);
    let request = |it: &mut Value| {
        it["pull_request"]["state"] = json!("MERGED");
        it["pull_request"]["locked"] = json!(true);
        it["pull_request"]["draft"] = json!(true);
    };
    renewed(&mut model, request);
    assert!(words(&model).contains("draft merged  locked"));
    assert!(model.notice().is_some_and(|it| it.text == "merged · made a draft · locked"));
    let before = model.notices.all.len();
    renewed(&mut model, request);
    assert_eq!(model.notices.all.len(), before, "nothing is told twice");
}

/// A model that opens a live pull request at a size.
fn opening(width: u16, height: u16) -> Model {
    let target = First::Target("acme/store#482".to_owned());
    let size = Size { width, height };
    Model::start(Start { size, now: NOW, first: target, ..Start::default() }).0
}

fn runs(effects: &[Effect]) -> bool {
    effects.iter().any(|it| matches!(it, Effect::StartRun { .. }))
}

#[test]
fn what_is_kept_shows_first_and_what_comes_after_is_marked_in_it() {
    let mut model = opening(160, 48);
    assert!(runs(&answer(&mut model, 1, Arrives::Kept, capture(|_| ()))));
    press(&mut model, "] j j");
    let before = (line(&model), height(&mut model));
    assert!(words(&model).contains("reading acme/store#482 …, Esc stops"));
    let effects = answer(&mut model, 1, Arrives::Whole, capture(reply));
    assert!(!runs(&effects) && model.work.again, "its run waits for the one before");
    assert_eq!((line(&model), height(&mut model)), before);
    assert!(words(&model).contains("● new") && !words(&model).contains("reading"));
}

#[test]
fn what_is_kept_and_still_true_is_worked_on_once() {
    let mut model = opening(160, 48);
    answer(&mut model, 1, Arrives::Kept, capture(|_| ()));
    let effects = answer(&mut model, 1, Arrives::Whole, capture(|_| ()));
    assert!(!runs(&effects) && !model.work.again);
}

#[test]
fn a_beginning_is_no_news_and_starts_no_run() {
    let mut model = opening(160, 48);
    let begin = capture(|it| {
        it["review_threads"] = json!([]);
        it["files"].as_array_mut().expect("files").truncate(1);
    });
    assert!(!runs(&answer(&mut model, 1, Arrives::Begun, begin.clone())));
    assert!(matches!(desk(&model).arrival, Arrival::Begun(1)));
    press(&mut model, "] j j");
    let before = (line(&model), height(&mut model));
    assert!(runs(&answer(&mut model, 1, Arrives::Whole, capture(|_| ()))));
    assert_eq!((line(&model), height(&mut model)), before);
    assert!(!words(&model).contains('●') && desk(&model).inspector.shown);
    let request = refresh(&mut model);
    answer(&mut model, request, Arrives::Begun, begin);
    assert_eq!(desk(&model).review.diff.files.len(), 5, "no step back");
}

#[test]
fn esc_stops_a_reading_and_keeps_what_is_there() {
    let mut it = opening(160, 48);
    answer(&mut it, 1, Arrives::Kept, capture(|_| ()));
    press(&mut it, "c");
    assert_eq!(press(&mut it, "Esc"), [], "first a step back in what is looked at");
    assert_eq!(press(&mut it, "Esc"), [Effect::StopReading { request: 1 }]);
    assert_eq!((it.screen, desk(&it).arrival), (Screen::Diff, Arrival::Whole));
    assert_eq!(answer(&mut it, 1, Arrives::Whole, capture(reply)), [], "too late");
    let late = Event::Failed { request: Some(1), message: "cancelled".to_owned() };
    let said = it.notices.all.len();
    update(&mut it, late);
    assert_eq!(it.notices.all.len(), said, "nobody complains of what was asked for");
    let mut it = opening(160, 48);
    answer(&mut it, 1, Arrives::Begun, capture(|_| ()));
    press(&mut it, "Esc");
    assert_eq!(desk(&it).arrival, Arrival::Cut);
    let mut it = opening(80, 24);
    assert_eq!(press(&mut it, "Esc"), [Effect::StopReading { request: 1 }]);
    assert_eq!(press(&mut it, "q"), [Effect::Quit]);
}

#[test]
fn a_reading_tells_how_far_it_is_and_what_it_waits_for() {
    let mut model = opening(160, 48);
    let hear = |model: &mut Model, progress| {
        update(model, Event::Reading { request: 1, progress });
    };
    let files = |here| Progress::Read { list: "files", here, total: Some(3_000) };
    hear(&mut model, files(100));
    hear(&mut model, files(300));
    assert!(words(&model).contains("reading acme/store#482 … files 300/3,000, Esc stops"));
    answer(&mut model, 1, Arrives::Kept, capture(|_| ()));
    let why = "GitHub asks for a pause".to_owned();
    hear(&mut model, Progress::Waiting { seconds: 45, why });
    update(&mut model, Event::Tick { now: NOW + 3 });
    assert!(words(&model).contains("GitHub asks for a pause … 42 s, Esc stops"));
    press(&mut model, "] j");
    assert!(matches!(row(&model), Row::Code { .. }), "keys go on");
    hear(&mut model, Progress::GoingOn);
    assert!(words(&model).contains("files 300/3,000"));
    let other = Event::Reading { request: 9, progress: files(5) };
    update(&mut model, other);
    assert!(words(&model).contains("files 300/3,000"), "another reading's news");
}

#[test]
fn the_header_says_how_old_it_is_and_that_the_forge_was_not_heard() {
    let mut model = opening(160, 48);
    let review = Review::of(Arc::new(capture(|_| ())));
    let taken = Taken { at: None, offline: Some("no answer from forge.example".to_owned()) };
    let opened = Opened { taken, ..Opened::whole("acme/store#482".to_owned(), review) };
    update(&mut model, Event::Opened { request: 1, opened: Box::new(opened) });
    let shown = words(&model);
    assert!(shown.contains("offline  as of 1d"), "{shown}");
    assert!(shown.contains("offline: no answer from forge.example"), "{shown}");
    let request = refresh(&mut model);
    let review = Review::of(Arc::new(capture(|_| ())));
    let taken = Taken { at: Some("2026-03-03T23:00:00Z".to_owned()), offline: None };
    let opened = Opened { taken, ..Opened::whole("acme/store#482".to_owned(), review) };
    update(&mut model, Event::Opened { request, opened: Box::new(opened) });
    let shown = words(&model);
    assert!(shown.contains("as of 1h") && !shown.contains("offline"), "{shown}");
}

#[test]
fn new_words_on_the_whole_are_marked_on_the_conversation() {
    let mut model = model(160, 48);
    let said: Comment = serde_json::from_value(json!({"id": 903, "author": "bob", "body": "Hm"}))
        .expect("a comment");
    renewed(&mut model, |it| it["issue_comments"] = json!([said]));
    press(&mut model, "g g");
    assert!(words(&model).contains("conversation (1) ● new"));
    press(&mut model, ") k");
    assert!(!words(&model).contains('●'));
}

/// New and edited comments, a file changed since it was viewed, and a state that changed, on the
/// screens that show them.
#[test]
fn what_is_new_is_marked_on_every_screen() {
    for (width, height, ascii) in [(160, 48, false), (80, 24, false), (100, 30, true)] {
        let mut model = model(width, height);
        model.options.ascii = ascii;
        press(&mut model, "} Space {");
        renewed(&mut model, |it| {
            reply(it);
            it["files"][1]["patch"] = json!("@@ -1,3 +1,3 @@\n a\n-b\n+C\n c");
            it["pull_request"]["locked"] = json!(true);
            it["review_threads"][1]["comments"][0]["last_edited_at"] =
                json!("2026-03-02T01:00:00Z");
        });
        press(&mut model, ")");
        let name = format!("fresh-{width}x{height}");
        insta::assert_snapshot!(name, crate::view::tests::picture(&model));
        press(&mut model, "g t");
        let name = format!("fresh-threads-{width}x{height}");
        insta::assert_snapshot!(name, crate::view::tests::picture(&model));
    }
}
