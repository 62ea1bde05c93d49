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
/// What a high-contrast theme gives, by WCAG 2 level AAA.
const HIGH: f64 = 7.0;
/// Enough for a rule or a frame, by the same.
const VISIBLE: f64 = 1.4;

fn is_high_contrast(theme: &Theme) -> bool {
    theme.name.starts_with("high-contrast")
}

fn themes() -> impl Iterator<Item = ThemeFile> {
    BUILT_IN.iter().map(|it| file::built_in(it.0).expect("a built-in theme reads"))
}

fn exact() -> impl Iterator<Item = Theme> {
    themes().filter(|it| it.name != "sixteen").map(|it| Theme::new(&it, Depth::Exact))
}

/// The same with the indexed colours that every terminal defines alike.
fn indexed() -> impl Iterator<Item = Theme> {
    themes().filter(|it| it.name != "sixteen").map(|it| Theme::new(&it, Depth::Indexed))
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
    for theme in exact().chain(indexed()) {
        for tone in Tone::ALL.iter().copied() {
            let lines = [Tone::Border, Tone::BorderFocused, Tone::ThreadBar].contains(&tone);
            let high = is_high_contrast(&theme);
            let least = match (lines, high) {
                (true, false) => VISIBLE,
                (false, true) => HIGH,
                _ => READABLE,
            };
            let what = format!("{tone:?}");
            faults.extend(unreadable(&theme, &what, theme.tone(tone), theme.canvas, least));
            let on_bar = theme.span(Tone::Cursor, tone);
            let what = format!("{tone:?} under the cursor");
            let least = match (lines, high) {
                (true, false) => 1.1,
                (true, true) => 3.0,
                (false, true) => HIGH,
                (false, false) => 4.0,
            };
            faults.extend(unreadable(&theme, &what, on_bar, theme.canvas, least));
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn code_is_readable_on_every_line_it_stands_on() {
    use Tone::{Added, AddedWord, CodeBlock, Context, Removed, RemovedWord};
    let mut faults = Vec::new();
    for theme in exact().chain(indexed()) {
        for class in Syntax::ALL.iter().copied() {
            for ground in [Context, Added, Removed, CodeBlock, AddedWord, RemovedWord] {
                for fill in [ground, Tone::Cursor] {
                    let style = theme.span(fill, ground).patch(theme.syntax(class));
                    let words = [AddedWord, RemovedWord].contains(&ground);
                    let least = match words || fill == Tone::Cursor {
                        _ if is_high_contrast(&theme) => HIGH,
                        true => 3.7,
                        false => READABLE,
                    };
                    let what = format!("{class:?} on {ground:?} in {fill:?}");
                    faults.extend(unreadable(&theme, &what, style, theme.canvas, least));
                }
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// What a colour looks like to a person without one kind of cone: the matrices of Machado, Oliveira
/// and Fernandes (2009) at full severity, over linear light.
mod seen {
    pub(super) type Matrix = [[f64; 3]; 3];
    pub(super) const DEUTERANOPIA: Matrix = [
        [0.367_322, 0.860_646, -0.227_968],
        [0.280_085, 0.672_501, 0.047_413],
        [-0.011_820, 0.042_940, 0.968_881],
    ];
    pub(super) const PROTANOPIA: Matrix = [
        [0.152_286, 1.052_583, -0.204_868],
        [0.114_503, 0.786_281, 0.099_216],
        [-0.003_882, -0.048_116, 1.051_998],
    ];
    /// Linear sRGB to XYZ, as shares of the white point D65.
    const XYZ: Matrix =
        [[0.433_9, 0.376_2, 0.189_9], [0.212_6, 0.715_2, 0.072_2], [0.017_8, 0.109_5, 0.872_7]];

    fn times(matrix: Matrix, by: [f64; 3]) -> [f64; 3] {
        matrix.map(|row| row.iter().zip(by).map(|it| it.0 * it.1).sum())
    }

    fn lab(rgb: [u8; 3], eye: Matrix) -> [f64; 3] {
        let linear = rgb.map(|it| {
            let it = f64::from(it) / 255.0;
            if it <= 0.040_45 { it / 12.92 } else { ((it + 0.055) / 1.055).powf(2.4) }
        });
        let shown = times(eye, linear).map(|it| it.clamp(0.0, 1.0));
        let bend = |it: f64| if it > 0.008_856 { it.cbrt() } else { 7.787 * it + 16.0 / 116.0 };
        let [x, y, z] = times(XYZ, shown).map(bend);
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    /// How far apart two colours are to that eye, in CIELAB; 2.3 is just to be noticed.
    pub(super) fn apart(one: [u8; 3], other: [u8; 3], eye: Matrix) -> f64 {
        let (one, other) = (lab(one, eye), lab(other, eye));
        one.iter().zip(other).map(|it| (it.0 - it.1).powi(2)).sum::<f64>().sqrt()
    }
}

#[test]
fn the_eye_without_green_cones_is_simulated() {
    let (olive, brick) = ([110, 120, 40], [160, 95, 40]);
    assert!(seen::apart(olive, brick, seen::DEUTERANOPIA) < 12.0);
    let plain = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    assert!(seen::apart(olive, brick, plain) > 30.0);
    assert!(seen::apart([0, 90, 200], [220, 130, 0], seen::DEUTERANOPIA) > 80.0);
}

#[test]
fn colour_blind_readers_tell_what_matters_apart() {
    use Tone::{
        Added, AddedGutter, AddedWord, Context, CountAdded, CountRemoved, Done, Failed, Removed,
        RemovedGutter, RemovedWord, Settled, Unresolved, Waiting,
    };
    let inks = [
        (AddedGutter, RemovedGutter),
        (CountAdded, CountRemoved),
        (Settled, Unresolved),
        (Done, Failed),
        (Done, Waiting),
    ];
    let grounds =
        [(Added, Removed), (AddedWord, RemovedWord), (Added, Context), (Removed, Context)];
    let mut faults = Vec::new();
    let safe: Vec<_> = exact().filter(|it| it.name.starts_with("blue-orange")).collect();
    assert_eq!(safe.len(), 2, "one dark and one light");
    for theme in &safe {
        for (kind, eye) in [("deuteranopia", seen::DEUTERANOPIA), ("protanopia", seen::PROTANOPIA)]
        {
            let fg = |it| rgb(theme.tone(it).fg);
            let bg = |it| rgb(theme.tone(it).bg.or(theme.canvas.bg));
            let inks = inks.iter().map(|it| (it, 40.0, seen::apart(fg(it.0), fg(it.1), eye)));
            let grounds = grounds.iter().map(|it| (it, 6.0, seen::apart(bg(it.0), bg(it.1), eye)));
            let close = inks.chain(grounds).filter(|it| it.2 < it.1);
            let fault = |it: (&(Tone, Tone), f64, f64)| {
                format!("{}, {kind}: {:?} are {:.1} apart, {} needed", theme.name, it.0, it.2, it.1)
            };
            faults.extend(close.map(fault));
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn there_are_themes_for_every_reader() {
    assert!(BUILT_IN.len() >= 8);
    for name in ["dark", "light"] {
        assert!(BUILT_IN.iter().any(|it| it.0 == format!("high-contrast-{name}")), "{name}");
    }
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("themes");
    let kept = file::listed(Some(&folder));
    assert_eq!(kept.len(), BUILT_IN.len(), "every file is compiled in, and under its own name");
    assert!(kept.iter().all(|it| it.1.is_some()), "{kept:?}");
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
    let theme = Theme::built_in("sixteen", Depth::None).expect("a built-in theme");
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
    let check = |(term, colorterm, program, no_color): (&str, &str, &str, &str), expected| {
        let some = |it: &str| (!it.is_empty()).then(|| it.to_owned());
        let terminal = Surroundings {
            term: some(term),
            colorterm: some(colorterm),
            term_program: some(program),
            no_color: some(no_color),
            screen: term.starts_with("screen") && program != "tmux",
            tmux: program == "tmux",
            ..Surroundings::default()
        };
        assert_eq!(terminal.depth(), expected, "{terminal:?}");
    };
    for term in ["xterm-direct", "xterm-kitty", "xterm-ghostty", "alacritty", "foot", "wezterm"] {
        check((term, "", "", ""), Depth::Exact);
    }
    check(("xterm-256color", "truecolor", "", ""), Depth::Exact);
    check(("xterm-256color", "24bit", "", ""), Depth::Exact);
    check(("xterm-256color", "", "iTerm.app", ""), Depth::Exact);
    check(("xterm-256color", "", "vscode", ""), Depth::Exact);
    check(("tmux-256color", "truecolor", "tmux", ""), Depth::Exact);
    check(("screen-256color", "truecolor", "tmux", ""), Depth::Exact);
    check(("xterm-256color", "", "", ""), Depth::Indexed);
    check(("xterm-256color", "yes", "", ""), Depth::Indexed);
    check(("xterm-256color", "", "Apple_Terminal", ""), Depth::Indexed);
    check(("tmux-256color", "", "tmux", ""), Depth::Indexed);
    check(("st-256color", "", "", ""), Depth::Indexed);
    check(("screen-256color", "truecolor", "", ""), Depth::Indexed);
    for term in ["xterm", "linux", "rxvt", "ansi", "cygwin", "xterm-color", "tmux"] {
        check((term, "", "", ""), Depth::Sixteen);
    }
    check(("screen", "truecolor", "", ""), Depth::Sixteen);
    check(("screen", "", "tmux", ""), Depth::Sixteen);
    check(("xterm-256color", "truecolor", "", "1"), Depth::None);
    check(("xterm-kitty", "truecolor", "ghostty", "0"), Depth::None);
    for term in ["", "dumb", "vt100", "vt220", "unknown", "emacs", "xterm-mono", "dumb-emacs-ansi"]
    {
        check((term, "truecolor", "vscode", ""), Depth::None);
    }
}

#[test]
fn the_question_is_put_where_it_helps_and_harms_nothing() {
    let check = |term: &str, wanted: Option<&str>, screen: bool, expected: bool| {
        let colorterm = Some("truecolor".to_owned());
        let terminal =
            Surroundings { term: Some(term.into()), colorterm, screen, ..Surroundings::default() };
        assert_eq!(terminal.wants_answer(wanted), expected, "{term} {wanted:?} {screen}");
    };
    check("xterm-256color", None, false, true);
    check("tmux-256color", Some("auto"), false, true);
    check("xterm-256color", Some("dark"), false, false);
    check("screen-256color", None, true, false);
    check("dumb", None, false, false);
}

#[test]
fn an_answer_is_better_than_a_number() {
    let check = |background: Option<[u8; 3]>, fgbg: &str, expected: &str| {
        let colorfgbg = Some(fgbg.to_owned());
        let terminal = Surroundings { colorfgbg, background, ..Surroundings::default() };
        assert_eq!(terminal.brightness(), expected, "{background:?} {fgbg}");
    };
    check(Some([0xfd, 0xf6, 0xe3]), "15;0", "light");
    check(Some([0x00, 0x2b, 0x36]), "0;15", "dark");
    check(Some([0x28, 0x2c, 0x34]), "", "dark");
    check(Some([0xd0, 0xd0, 0xd0]), "", "light");
    check(None, "0;15", "light");
    check(None, "15;0", "dark");
    check(None, "", "dark");
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
            terminal.theme(wanted, None).expect("a theme").name,
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
        let cause = ThemeFile::parse("mine", text).expect_err("refused").to_string();
        assert!(cause.contains(expected), "{cause}");
    };
    check("[tones]\ntext = { fg = \"mauve\" }", "`mauve` is not a colour");
    check("[tones]\ntetx = { fg = \"red\" }", "nothing is called `tetx`");
    check("[tones]\ntext = { fgg = \"red\" }", "fgg");
    check("[tones]\n[syntax]\nverb = { bold = true }", "nothing is called `verb`");
    let unknown = file::find("nope", None).expect_err("refused").to_string();
    assert!(unknown.contains("dark, light, sixteen"), "{unknown}");
    assert!(file::find("../secret", Some(std::path::Path::new("/"))).is_err());
}

#[test]
fn a_name_takes_what_it_does_not_say_from_before_its_dot() {
    let text = "[tones]\ncursor = { fg = \"red\", bold = true, reverse = true }\n\
                \"cursor.dim\" = { bg = \"blue\", reverse = false }";
    let look = ThemeFile::parse("mine", text).expect("a theme").tone(Tone::CursorDim);
    assert_eq!((look.fg, look.bg), (Some(Paint::Ansi(1)), Some(Paint::Ansi(4))));
    assert_eq!(look.modifiers, Modifier::BOLD);
}

#[test]
fn a_persons_own_theme_comes_first() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mine = "[colours]\nink = \"#ffffff\"\n[tones]\ntext = { fg = \"ink\", bg = \"#000000\" }";
    std::fs::write(folder.path().join("dark.toml"), mine).expect("written");
    std::fs::write(folder.path().join("mine.toml"), mine).expect("written");
    std::fs::write(folder.path().join("not a name.toml"), mine).expect("written");
    let listed = file::listed(Some(folder.path()));
    let own: Vec<_> = listed.iter().filter(|it| it.1.is_some()).map(|it| it.0.as_str()).collect();
    assert_eq!(own, ["dark", "mine"]);
    assert_eq!(listed.len(), BUILT_IN.len() + 1);
    let file = file::find("dark", Some(folder.path())).expect("a theme file");
    let theme = Theme::new(&file, Depth::Exact);
    assert_eq!(theme.tone(Tone::AddedWord).fg, Some(Color::Rgb(255, 255, 255)));
    assert_eq!(theme.canvas.bg, Some(Color::Rgb(0, 0, 0)));
}
