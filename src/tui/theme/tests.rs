//! Every theme knows every tone and can be read; depths and choices follow the terminal.

use crate::{
    tui::theme::{
        Syntax, Theme,
        choose::Surroundings,
        colour::{Depth, Paint, contrast, indexed_rgb},
        file::{self, BUILT_IN, ThemeFile},
    },
    view::line::Tone,
};
use ratatui::style::{Color, Modifier, Style};

/// What a reader needs, by WCAG 2 level AA.
const READABLE: f64 = 4.5;
/// Enough for a rule or a frame, by the same.
const VISIBLE: f64 = 1.4;

fn themes() -> impl Iterator<Item = ThemeFile> {
    BUILT_IN.iter().map(|it| file::built_in(it.0).expect("a built-in theme reads"))
}

fn exact() -> impl Iterator<Item = Theme> {
    themes().filter(|it| it.name != "sixteen").map(|it| Theme::new(&it, Depth::Exact))
}

#[test]
fn every_theme_knows_every_tone() {
    for theme in themes() {
        let missing: Vec<_> = Tone::ALL.iter().filter(|it| !theme.knows(**it)).collect();
        assert!(missing.is_empty(), "{}: {missing:?}", theme.name);
    }
}

fn rgb(colour: Option<Color>) -> [u8; 3] {
    match colour {
        Some(Color::Rgb(r, g, b)) => [r, g, b],
        Some(Color::Indexed(it)) => indexed_rgb(it),
        it => panic!("{it:?} is no exact colour"),
    }
}

fn unreadable(theme: &Theme, what: &str, style: Style, under: Style, least: f64) -> Option<String> {
    let (fg, bg) = (rgb(style.fg), rgb(style.bg.or(under.bg)));
    let found = contrast(fg, bg);
    (found < least).then(|| format!("{}: {what} has {found:.2}, {least} needed", theme.name))
}

#[test]
fn tones_are_readable_on_their_ground() {
    let mut faults = Vec::new();
    for theme in exact() {
        for tone in Tone::ALL.iter().copied() {
            let lines = [Tone::Border, Tone::BorderFocused, Tone::ThreadBar].contains(&tone);
            let least = if lines { VISIBLE } else { READABLE };
            let what = format!("{tone:?}");
            faults.extend(unreadable(&theme, &what, theme.tone(tone), theme.canvas, least));
            let on_bar = theme.span(Tone::Cursor, tone);
            let what = format!("{tone:?} under the cursor");
            let least = if lines { 1.1 } else { 4.0 };
            faults.extend(unreadable(&theme, &what, on_bar, theme.canvas, least));
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn code_is_readable_on_every_line_it_stands_on() {
    use Tone::{Added, AddedWord, CodeBlock, Context, Removed, RemovedWord};
    let mut faults = Vec::new();
    for theme in exact() {
        for class in Syntax::ALL.iter().copied() {
            for ground in [Context, Added, Removed, CodeBlock, AddedWord, RemovedWord] {
                for fill in [ground, Tone::Cursor] {
                    let style = theme.span(fill, ground).patch(theme.syntax(class));
                    let words = [AddedWord, RemovedWord].contains(&ground);
                    let least = if words || fill == Tone::Cursor { 3.7 } else { READABLE };
                    let what = format!("{class:?} on {ground:?} in {fill:?}");
                    faults.extend(unreadable(&theme, &what, style, theme.canvas, least));
                }
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn without_colours_marks_stay() {
    for file in themes() {
        let theme = Theme::new(&file, Depth::None);
        for tone in Tone::ALL {
            let style = theme.tone(*tone);
            assert!(style.fg.is_none() && style.bg.is_none(), "{}: {tone:?}", theme.name);
        }
    }
    let theme = Theme::built_in("sixteen", Depth::None).unwrap();
    let cursor = theme.span(Tone::Cursor, Tone::Added);
    assert!(cursor.add_modifier.contains(Modifier::REVERSED));
    for tone in [Tone::Cursor, Tone::CursorDim, Tone::Selection, Tone::MatchCurrent, Tone::Hidden] {
        assert_ne!(theme.tone(tone), theme.tone(Tone::Text), "{tone:?} would vanish");
    }
}

#[test]
fn an_added_line_still_looks_added_under_the_cursor() {
    for theme in exact() {
        let on = |tone| theme.span(Tone::Cursor, tone).bg;
        assert_ne!(on(Tone::Added), on(Tone::Context), "{}", theme.name);
        assert_ne!(on(Tone::Added), on(Tone::Removed), "{}", theme.name);
    }
}

#[test]
fn colours_are_read_and_stepped_down() {
    let check = |text: &str, depth, expected: Option<Color>| {
        let found = Paint::parse(text).unwrap_or_else(|| panic!("{text}")).at(depth);
        assert_eq!(found, expected, "{text} at {depth:?}");
    };
    check("#ff8000", Depth::Exact, Some(Color::Rgb(255, 128, 0)));
    check("#ff8000/17", Depth::Indexed, Some(Color::Indexed(17)));
    check("#ff0000", Depth::Indexed, Some(Color::Indexed(196)));
    check("#808080", Depth::Indexed, Some(Color::Indexed(244)));
    check("#ff0000", Depth::Sixteen, Some(Color::Indexed(9)));
    check("bright-blue", Depth::Sixteen, Some(Color::Indexed(12)));
    check("default", Depth::Sixteen, Some(Color::Reset));
    check("#ff0000", Depth::None, None);
    for wrong in ["", "#12", "#12345g", "#123456/256", "mauve", "#+12345"] {
        assert_eq!(Paint::parse(wrong), None, "{wrong}");
    }
}

#[test]
fn depth_follows_the_terminal() {
    let check = |term: &str, colorterm: &str, no_color: &str, expected: Depth| {
        let some = |it: &str| (!it.is_empty()).then(|| it.to_owned());
        let terminal = Surroundings {
            term: some(term),
            colorterm: some(colorterm),
            no_color: some(no_color),
            ..Surroundings::default()
        };
        assert_eq!(terminal.depth(), expected, "{terminal:?}");
    };
    check("xterm-256color", "truecolor", "", Depth::Exact);
    check("xterm-256color", "", "", Depth::Indexed);
    check("xterm", "", "", Depth::Sixteen);
    check("xterm-256color", "truecolor", "1", Depth::None);
    check("dumb", "truecolor", "", Depth::None);
    check("", "", "", Depth::None);
    check("xterm-direct", "", "", Depth::Exact);
}

#[test]
fn the_ground_follows_the_terminal_unless_a_person_chose() {
    let check = |wanted: Option<&str>, fgbg: &str, term: &str, expected: &str| {
        let terminal = Surroundings {
            term: Some(term.into()),
            colorfgbg: Some(fgbg.into()),
            ..Surroundings::default()
        };
        assert_eq!(
            terminal.theme(wanted, None).unwrap().name,
            expected,
            "{wanted:?} {fgbg} {term}"
        );
    };
    check(None, "0;15", "xterm-256color", "light");
    check(None, "15;default;0", "xterm-256color", "dark");
    check(Some("auto"), "nonsense", "xterm-256color", "dark");
    check(Some("light"), "15;0", "xterm-256color", "light");
    check(None, "15;0", "xterm", "sixteen");
    check(Some("dark"), "15;0", "xterm", "dark");
    check(Some("light"), "15;0", "dumb", "sixteen");
}

#[test]
fn a_wrong_file_says_what_is_wrong() {
    let check = |text: &str, expected: &str| {
        let cause = ThemeFile::parse("mine", text).unwrap_err().to_string();
        assert!(cause.contains(expected), "{cause}");
    };
    check("[tones]\ntext = { fg = \"mauve\" }", "`mauve` is not a colour");
    check("[tones]\ntetx = { fg = \"red\" }", "nothing is called `tetx`");
    check("[tones]\ntext = { fgg = \"red\" }", "fgg");
    check("[tones]\n[syntax]\nverb = { bold = true }", "nothing is called `verb`");
    let unknown = file::find("nope", None).unwrap_err().to_string();
    assert!(unknown.contains("dark, light, sixteen"), "{unknown}");
    assert!(file::find("../secret", Some(std::path::Path::new("/"))).is_err());
}

#[test]
fn a_name_takes_what_it_does_not_say_from_before_its_dot() {
    let text = "[tones]\ncursor = { fg = \"red\", bold = true, reverse = true }\n\
                \"cursor.dim\" = { bg = \"blue\", reverse = false }";
    let look = ThemeFile::parse("mine", text).unwrap().tone(Tone::CursorDim);
    assert_eq!((look.fg, look.bg), (Some(Paint::Ansi(1)), Some(Paint::Ansi(4))));
    assert_eq!(look.modifiers, Modifier::BOLD);
}

#[test]
fn a_persons_own_theme_comes_first() {
    let folder = tempfile::tempdir().unwrap();
    let mine = "[colours]\nink = \"#ffffff\"\n[tones]\ntext = { fg = \"ink\", bg = \"#000000\" }";
    std::fs::write(folder.path().join("dark.toml"), mine).unwrap();
    let file = file::find("dark", Some(folder.path())).unwrap();
    let theme = Theme::new(&file, Depth::Exact);
    assert_eq!(theme.tone(Tone::AddedWord).fg, Some(Color::Rgb(255, 255, 255)));
    assert_eq!(theme.canvas.bg, Some(Color::Rgb(0, 0, 0)));
}
