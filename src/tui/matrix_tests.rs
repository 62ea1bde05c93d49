//! Sizes by screens, and colour levels by screens: text differs by size alone, colours by level
//! alone, so each is kept once.

use crate::{
    app::{fixture, model::Model},
    tui::{
        frame,
        highlight::colours::Colours,
        theme::{Theme, colour::Depth},
    },
    view,
};
use ratatui::{buffer::Buffer, layout::Rect, style::Modifier};
use std::{collections::BTreeMap, fmt::Write as _};

const SIZES: [(u16, u16); 5] = [(60, 20), (80, 24), (120, 40), (160, 48), (240, 70)];
const SCREENS: [(&str, &str); 6] = [
    ("home", "g h"),
    ("diff", "} t"),
    ("threads", "g t j"),
    ("compare", "} t c"),
    ("tasks", "g k"),
    ("help", "?"),
];
/// A level's name, its theme and its depth.
const LEVELS: [(&str, &str, Depth); 6] = [
    ("24 bits, dark", "dark", Depth::Exact),
    ("24 bits, light", "light", Depth::Exact),
    ("256, dark", "dark", Depth::Indexed),
    ("256, light", "light", Depth::Indexed),
    ("16", "sixteen", Depth::Sixteen),
    ("none", "sixteen", Depth::None),
];

fn model((width, height): (u16, u16), keys: &str) -> Model {
    let mut model = fixture::model(width, height);
    fixture::press(&mut model, keys);
    model
}

fn painted(model: &Model, theme: &Theme) -> Buffer {
    let (width, height) = (model.size.width, model.size.height);
    let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
    let screen = view::screen(model, width, height);
    frame::paint(&screen, theme, &Colours::default(), &mut buffer);
    if model.options.ascii {
        frame::ascii_only(&mut buffer);
    }
    buffer
}

fn text(buffer: &Buffer) -> String {
    let columns = usize::from(buffer.area.width);
    let row = |cells: &[ratatui::buffer::Cell]| {
        let mut row = String::new();
        let mut at = 0;
        while at < cells.len() {
            row.push_str(cells[at].symbol());
            at += crate::domain::text::width(cells[at].symbol()).max(1);
        }
        row.trim_end().to_owned()
    };
    let rows: Vec<String> = buffer.content.chunks(columns).map(row).collect();
    // Rows that are the same follow each other where a pane is empty.
    let same = rows.chunk_by(|one, other| one == other);
    let short = |it: &[String]| match it {
        [one] => one.clone(),
        them => format!("{}\n    ({} such rows)", them[0], them.len()),
    };
    same.map(short).collect::<Vec<_>>().join("\n")
}

#[test]
fn every_screen_at_every_size() {
    let dark = Theme::built_in("dark", Depth::Exact).expect("it reads");
    for size in SIZES {
        let mut all = String::new();
        for (name, keys) in SCREENS {
            let _ = writeln!(all, "== {name}\n{}", text(&painted(&model(size, keys), &dark)));
        }
        insta::assert_snapshot!(format!("{}x{}", size.0, size.1), all);
    }
}

#[test]
fn every_screen_in_ascii() {
    let dark = Theme::built_in("dark", Depth::Exact).expect("it reads");
    let mut all = String::new();
    for (name, keys) in SCREENS {
        let mut model = model((80, 24), keys);
        model.options.ascii = true;
        let _ = writeln!(all, "== {name}\n{}", text(&painted(&model, &dark)));
    }
    assert!(all.is_ascii());
    insta::assert_snapshot!("ascii", all);
}

/// How many cells have which look, for each level: a colour of the wrong kind shows at once.
#[test]
fn the_looks_of_every_level() {
    let mut all = String::new();
    for (level, theme, depth) in LEVELS {
        let theme = Theme::built_in(theme, depth).expect("it reads");
        for (name, keys) in [SCREENS[1], SCREENS[3]] {
            let mut looks: BTreeMap<String, usize> = BTreeMap::new();
            for cell in &painted(&model((120, 40), keys), &theme).content {
                let marks = if cell.modifier == Modifier::empty() {
                    String::new()
                } else {
                    format!(" {:?}", cell.modifier)
                };
                *looks.entry(format!("{} on {}{marks}", cell.fg, cell.bg)).or_default() += 1;
            }
            let _ = writeln!(all, "== {level}: {name}");
            for (look, cells) in looks {
                let _ = writeln!(all, "{cells:>5} {look}");
            }
        }
    }
    insta::assert_snapshot!("levels", all);
}
