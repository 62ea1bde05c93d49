//! Every real capture through the interface: each thread is on exactly one place, every row draws,
//! and what people wrote reaches no cell as a control character.

use crate::shared::shared_files;
use casefile::{
    app::{
        event::{Event, Opened},
        key::Chord,
        keymap::Keymap,
        layout::row::Row,
        model::{First, Model, Size, Start},
        update::update,
    },
    domain::{actor::Identity, capture::Capture, review::Review},
    summary::extract,
    view,
};
use std::{collections::BTreeMap, fs};

fn open(review: Review, size: Size) -> Model {
    let first = First::Target("a capture".to_owned());
    let keymap = Keymap::default();
    let (mut model, _) = Model::start(Start {
        size,
        now: 1_800_000_000,
        first,
        keymap,
        ascii: false,
        mouse: true,
        ..Start::default()
    });
    let opened = Box::new(Opened::whole("real".to_owned(), review));
    update(&mut model, Event::Opened { request: 1, opened });
    model
}

fn press(model: &mut Model, keys: &str) {
    for key in keys.split(' ') {
        update(model, Event::Key(key.parse::<Chord>().expect("a chord")));
    }
}

/// Draws the screen and checks what it is made of.
fn draw(model: &Model, label: &str) {
    let screen = view::screen(model, model.size.width, model.size.height);
    for span in screen.blocks.iter().flat_map(|it| &it.lines).flat_map(|it| &it.spans) {
        assert!(!span.text.chars().any(char::is_control), "{label}: {:?}", span.text);
    }
}

/// How many rows begin each thread, over the whole document.
fn beginnings(model: &mut Model) -> BTreeMap<u32, usize> {
    let mut found = BTreeMap::new();
    let stage = model.desk.as_mut().expect("an open review").stage();
    for piece in 0..stage.layout.pieces.all.len() as u32 {
        for row in stage.layout.rows(stage.scene, piece) {
            if let Row::Thread { thread, line: 0 } = row {
                *found.entry(*thread).or_default() += 1;
            }
        }
    }
    found
}

#[test]
fn real_captures_lose_no_thread_and_draw_everywhere() {
    for path in shared_files("real/captures", ".json") {
        let label = path.display().to_string();
        let capture: Capture =
            serde_json::from_slice(&fs::read(&path).expect("a capture")).expect("JSON");
        let review = Review::of(capture.into());
        let all = review.capture.review_threads.len();
        let summaries = extract::extract(&review.capture, &Identity::default());
        assert_eq!(summaries.len(), all, "{label}");
        for (width, height) in [(160, 48), (80, 24)] {
            let mut model = open(review.clone(), Size { width, height });
            for keys in
                ["Enter Enter", "z R", "|", "w", "G", "g g", "W", "z M", "g t", "g d", "c", "f"]
            {
                press(&mut model, keys);
                draw(&model, &label);
                if !matches!(keys, "g t" | "g d" | "c" | "f") {
                    let found = beginnings(&mut model);
                    assert_eq!(found.len(), all, "{label}: a thread is gone after {keys}");
                    assert!(found.values().all(|it| *it == 1), "{label}: a thread is twice");
                }
            }
            press(&mut model, "Esc Esc z R g g");
            for _ in 0..30 {
                press(&mut model, "PgDn t");
                draw(&model, &label);
            }
        }
    }
}
