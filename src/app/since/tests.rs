//! The change since an earlier head in the place of the whole diff, and back.

use crate::{
    app::{
        desk::Desk,
        event::{Effect, Event, Opened},
        fixture::{self, model, press},
        model::Model,
        since::{Point, Since},
        update::update,
    },
    domain::{anchor::Place, diff::Side, patch, review::Review},
    view::tests::words,
};
use serde_json::{Value, json};
use std::sync::Arc;

fn desk(model: &Model) -> &Desk {
    model.desk.as_ref().expect("a review is open")
}

fn line(model: &Model) -> String {
    let (file, line) = desk(model).current_line().expect("a code line is near");
    let file = &desk(model).review.diff.files[file as usize];
    String::from_utf8_lossy(file.raw_bytes(&file.lines[line as usize])).into_owned()
}

/// One file of the fixture changed since the older head.
fn since(point: Point) -> Since {
    let diff = "diff --git a/src/upload.rs b/src/upload.rs\n--- a/src/upload.rs\n+++ b/src/upload.rs\n\
        @@ -5,3 +110,4 @@ fn next_attempt\n     let budget = self.budget;\n+    let left = budget.remaining();\n     if budget.is_empty() {\n-    gone\n+        return None;\n";
    let diff = Arc::new(patch::parse(diff.as_bytes()));
    let (old, new) = ("0ldhead1234".to_owned(), "3fa9c1d7".to_owned());
    Since { point, old, new, diff, notices: vec!["1 file is left out".to_owned()] }
}

fn asked(effects: &[Effect]) -> (u64, Point) {
    match effects {
        [Effect::ReadSince { request, point }] => (*request, *point),
        other => panic!("nothing is asked for: {other:?}"),
    }
}

fn shown(model: &mut Model) {
    let (request, point) = asked(&press(model, "g s"));
    update(model, Event::Since { request, since: Box::new(since(point)) });
}

#[test]
fn a_key_turns_to_each_and_back_to_the_whole() {
    let mut model = model(160, 48);
    press(&mut model, ": 1 1 1 Enter");
    let before = line(&model);
    shown(&mut model);
    assert_eq!(desk(&model).review.diff.files.len(), 1);
    assert_eq!(line(&model), before, "the line is in both");
    let text = words(&model);
    assert!(text.contains("since the last capture, 0ldhead → 3fa9c1d"), "{text}");
    assert!(text.contains("1 file is left out"), "{text}");
    let (request, point) = asked(&press(&mut model, "g s"));
    assert_eq!(point, Point::Review);
    update(&mut model, Event::Since { request, since: Box::new(since(point)) });
    assert!(words(&model).contains("since your last review"));
    press(&mut model, "g s");
    assert_eq!(desk(&model).review.diff.files.len(), 5);
    assert_eq!(line(&model), before);
    assert!(!words(&model).contains("since your last review"));
}

#[test]
fn no_thread_is_lost_and_those_on_the_base_have_no_line() {
    let mut model = model(160, 48);
    shown(&mut model);
    let review = &desk(&model).review;
    assert_eq!(review.placement.counts().total(), 10);
    let left = |it: &Place| matches!(it, Place::Line { side: Side::Left, .. });
    assert!(!review.placement.places.iter().any(left));
    assert!(matches!(review.placement.places[1], Place::Line { file: 0, line: 1, .. }));
    let total = |model: &Model| desk(model).tally;
    let tally = total(&model);
    press(&mut model, "g s");
    assert_eq!(tally.open, total(&model).open);
}

#[test]
fn what_cannot_be_had_is_said_and_the_next_is_a_key_away() {
    let mut model = model(160, 48);
    let (request, _) = asked(&press(&mut model, "g s"));
    let message = "no earlier capture with another head is kept".to_owned();
    update(&mut model, Event::Failed { request: Some(request), message });
    let said = model.notice().expect("said");
    assert!(said.error && said.text.ends_with("gs again: since your last review"), "{said:?}");
    assert_eq!(asked(&press(&mut model, "g s")).1, Point::Review);
    let late = Event::Since { request, since: Box::new(since(Point::Capture)) };
    update(&mut model, late);
    assert!(desk(&model).aside.is_none(), "an older question's answer");
}

#[test]
fn viewed_marks_and_folds_of_the_whole_come_back() {
    let mut model = model(160, 48);
    press(&mut model, "Space } z a");
    shown(&mut model);
    assert!(!desk(&model).reader.folds.file_folded(0), "what changed is to be seen");
    assert_eq!(press(&mut model, "Space"), [], "it says where files are viewed");
    press(&mut model, "g s g s");
    shown(&mut model);
    let (request, _) = asked(&press(&mut model, "g v"));
    update(&mut model, Event::Failed { request: Some(request), message: "no".to_owned() });
    press(&mut model, "g s");
    let desk = desk(&model);
    assert!(desk.aside.is_none());
    assert!(desk.viewed.files.contains(&0) && desk.viewed.changed.is_empty());
    assert!(desk.reader.folds.file_folded(0) && desk.reader.folds.file_folded(1));
}

fn renewed(model: &mut Model, change: impl FnOnce(&mut Value)) {
    let effects = press(model, "R");
    let [Effect::Open { request, .. }] = effects.as_slice() else { panic!("{effects:?}") };
    let mut it = serde_json::to_value(fixture::capture(&fixture::threads())).expect("JSON");
    change(&mut it);
    let review = Review::of(Arc::new(serde_json::from_value(it).expect("a capture")));
    let opened = Opened::whole("acme/store#482".to_owned(), review);
    update(model, Event::Opened { request: *request, opened: Box::new(opened) });
}

#[test]
fn a_refresh_keeps_it_until_the_head_moves() {
    let mut model = model(160, 48);
    shown(&mut model);
    press(&mut model, "] j j");
    let before = line(&model);
    renewed(&mut model, |it| {
        let reply = json!({"id": 950, "author": "bob", "body": "One more"});
        it["review_threads"][1]["comments"].as_array_mut().expect("comments").push(reply);
    });
    assert!(desk(&model).aside.is_some());
    assert_eq!(line(&model), before);
    assert_eq!(desk(&model).news.counts(), (1, 0));
    renewed(&mut model, |it| it["pull_request"]["head"]["sha"] = json!("feedbee"));
    assert!(desk(&model).aside.is_none());
    assert_eq!(line(&model), before);
    assert_eq!(asked(&press(&mut model, "g s")).1, Point::Capture, "it begins anew");
}
