//! Hidden text is visible (promise C3): every bidi control, every character without width and
//! every tag, in a path, in code, in a comment and in a title, as the mark a person sees; and
//! honest text of right-to-left and combining scripts as it was written.

use casefile::{
    app::{
        event::{Effect, Event, Opened},
        model::{First, Model, Size, Start},
        update::update,
    },
    domain::{
        review::Review,
        text::{Surface, display, hidden},
    },
    forge::capture_file,
    view,
};
use serde_json::json;
use std::sync::Arc;

const BIDI: [u32; 12] =
    [0x61C, 0x200E, 0x200F, 0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x2066, 0x2067, 0x2068, 0x2069];
const NO_WIDTH: [u32; 14] = [
    0xAD, 0x34F, 0x115F, 0x180E, 0x200B, 0x200C, 0x200D, 0x2060, 0x2061, 0x2062, 0x2063, 0x2064,
    0x3164, 0xFEFF,
];

fn points() -> impl Iterator<Item = char> {
    let tags = 0xE_0000..0xE_0080;
    let all = BIDI.into_iter().chain(NO_WIDTH).chain(tags);
    all.map(|it| char::from_u32(it).expect("a character"))
}

/// The whole first screen, as the painter gets it.
fn screen(document: &serde_json::Value) -> String {
    let document = serde_json::to_vec(document).expect("JSON");
    let opened = capture_file::of_document("hidden", document).expect("a capture");
    let size = Size { width: 200, height: 60 };
    let first = First::Target("hidden".into());
    let (mut model, effects) = Model::start(Start { size, first, ..Start::default() });
    let request = effects.iter().find_map(|it| match it {
        Effect::Open { request, .. } => Some(*request),
        _ => None,
    });
    let review = Review::of(Arc::clone(&opened.capture));
    let opened = Opened::whole(opened.label, review);
    let request = request.expect("a target is opened");
    update(&mut model, Event::Opened { request, opened: Box::new(opened) });
    for _ in 0..8 {
        update(&mut model, Event::Woken);
    }
    let screen = view::screen(&model, size.width, size.height);
    let lines = screen.blocks.iter().flat_map(|it| &it.lines);
    let text = |it: &casefile::view::line::Line| -> String {
        it.spans.iter().map(|it| it.text.as_str()).collect()
    };
    lines.map(|it| text(it) + "\n").collect()
}

/// C3: 12 + 14 + 128 points in four places, and the file's warning with the right count.
#[test]
fn every_hidden_character_is_a_mark_wherever_it_stands() {
    let mut seen = 0;
    for c in points() {
        let screen = screen(&json!({
            "format": "casefile-capture", "version": 1, "repository": "a/b",
            "pull_request": {"number": 1, "title": format!("tx{c}yt")},
            "files": [{"path": format!("px{c}yp.rs"), "status": "modified",
                "patch": format!("@@ -1 +1,2 @@\n same\n+cx{c}yc {c}")}],
            "review_threads": [{"id": "T", "path": format!("px{c}yp.rs"), "line": 2,
                "side": "RIGHT", "comments": [{"author": "bob", "body": format!("bx{c}yb")}]}],
        }));
        let mark = format!("<U+{:04X}>", c as u32);
        for place in ['t', 'p', 'c', 'b'] {
            let wanted = format!("{place}x{mark}y{place}");
            assert!(screen.contains(&wanted), "{wanted} is not in\n{screen}");
            seen += 1;
        }
        assert!(screen.contains("! 3 hidden characters"), "{mark}: the warning\n{screen}");
        assert_eq!(hidden(&screen), 0, "{mark}");
    }
    assert_eq!(seen, 154 * 4);
}

/// C3: honest text is as it was written, in a comment and, but for joiners, in code.
#[test]
fn honest_scripts_are_unharmed() {
    for text in [
        "مرحبا بالعالم، هذا تعليق على السطر ٤٢.",
        "שלום עולם, זו הערה על שורה 42.",
        "שָׁלוֹם עֲלֵיכֶם",
        "السَّلامُ عَلَيْكُم",
        "नमस्ते दुनिया, यह क्षमा है।",
        "বাংলা ভাষা ক্ষ ত্র",
        "தமிழ் மொழி",
        "ภาษาไทย ที่นี่",
        "Tiếng Việt, naïve café",
        "한국어 텍스트",
        "日本語のコメント「はい」",
        "👍🏽 ❤️ 🇯🇵 1️⃣ 🚀",
        "кириллица, ελληνικά",
    ] {
        for surface in [Surface::Prose, Surface::Inline, Surface::Code { tab_width: 4 }] {
            assert_eq!(display(text, surface), text);
        }
        assert_eq!(hidden(text), 0, "{text}");
    }
    for text in [
        "👩\u{200d}👩\u{200d}👧 🏳\u{fe0f}\u{200d}🌈 👩🏽\u{200d}💻",
        "می\u{200c}خواهم کتاب\u{200c}ها",
        "क\u{94d}\u{200d}ष र\u{94d}\u{200c}य",
        "ක\u{dca}\u{200d}ර",
    ] {
        assert_eq!(display(text, Surface::Prose), text);
        assert_eq!(hidden(text), 0, "{text}");
        let code = display(text, Surface::Code { tab_width: 4 });
        assert!(code.contains("<U+200"), "joiners are marked in code: {code}");
    }
}
