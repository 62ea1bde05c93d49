use crate::domain::text::{
    Surface, chop, clip, clip_middle, clip_start, cluster_width, display, fit, hidden, show, slice,
    width, wrap,
};
use proptest::prelude::{Strategy, any, prop_assert, prop_assert_eq, prop_oneof, proptest};
use unicode_segmentation::UnicodeSegmentation as _;

const CODE: Surface = Surface::Code { tab_width: 4 };

#[track_caller]
fn check(surface: Surface, input: &str, expected: &str) {
    assert_eq!(display(input, surface), expected, "{input:?}");
}

#[test]
fn printable_ascii_is_borrowed() {
    assert!(matches!(display("plain", Surface::Prose), std::borrow::Cow::Borrowed("plain")));
}

#[test]
fn control_characters_become_marks() {
    check(CODE, "ok\x1b[2J\x07\x08\x7f", "ok␛[2J␇␈␡");
    check(CODE, "\u{9b}31m\r erased?", "<U+009B>31m␍ erased?");
    check(CODE, "a\nb\0", "a␊b␀");
    check(Surface::Prose, "one\r\ntwo\rthree\n", "one\ntwo␍three\n");
    check(Surface::Inline, "one\r\ntwo\tthree\n", "one two three ");
}

#[test]
fn tabs_expand_to_stops_of_the_text() {
    check(CODE, "\tone", "    one");
    check(CODE, "ab\tone\t|", "ab  one |");
    check(CODE, "漢\tafter-tab|end", "漢  after-tab|end");
    check(CODE, "\u{202e}\t|", "<U+202E>    |");
    check(Surface::Code { tab_width: 0 }, "\t|", " |");
    check(Surface::Prose, "a\n\tb", "a\n    b");
}

#[test]
fn hidden_characters_become_marks() {
    check(CODE, "ad\u{202e};nimda\u{202c}|end", "ad<U+202E>;nimda<U+202C>|end");
    check(CODE, "zero\u{200b}width", "zero<U+200B>width");
    check(CODE, "\u{feff}x\u{ad}y\u{2060}", "<U+FEFF>x<U+00AD>y<U+2060>");
    check(CODE, "\u{e0041}\u{e0100}\u{e000}\u{378}", "<U+E0041><U+E0100><U+E000><U+0378>");
    check(CODE, "\u{10ffff}\u{fffe}\u{2028}\u{3164}", "<U+10FFFF><U+FFFE><U+2028><U+3164>");
    check(CODE, "\u{301}alone", "<U+0301>alone");
}

#[test]
fn honest_text_stays() {
    for text in [
        "e\u{301}\u{302}",
        "全角テスト",
        "क्ष",
        "한글",
        "🇯🇵🇺🇸",
        "☺\u{fe0f} vs ☺",
        "1\u{fe0f}\u{20e3}",
    ] {
        check(CODE, text, text);
        check(Surface::Prose, text, text);
        assert_eq!(hidden(text), 0, "{text:?}");
    }
}

#[test]
fn half_width_sound_marks_take_the_cells_they_are_given() {
    check(CODE, "ｶﾞﾊﾟ|", "ｶ゛ﾊ゜|");
    check(Surface::Prose, "ﾞ\tx", "゛  x");
}

#[test]
fn joiners_stay_in_prose_inside_emoji_only() {
    let family = "👩\u{200d}👩\u{200d}👧";
    check(Surface::Prose, family, family);
    check(CODE, family, "👩<U+200D>👩<U+200D>👧");
    check(Surface::Prose, "a\u{200d}b", "a<U+200D>b");
    check(Surface::Prose, "👩\u{200d}", "👩<U+200D>");
    check(Surface::Prose, "☺\u{fe0f}\u{fe0f}", "☺\u{fe0f}<U+FE0F>");
    check(Surface::Prose, "a\u{fe0f}", "a<U+FE0F>");
}

#[test]
fn hidden_counts_what_a_reader_misses() {
    assert_eq!(hidden("plain\ttext\r\n\u{c}"), 0);
    assert_eq!(hidden("a\u{202e}b\u{200b}c\x1b\u{9b}"), 4);
    assert_eq!(hidden("👩\u{200d}👩 naïve"), 0);
}

#[test]
fn marks_are_found_in_the_display() {
    let shown = show("a\x1b\u{202e}", CODE);
    let marks: Vec<_> = shown.marks.iter().map(|it| &shown.text[it.clone()]).collect();
    assert_eq!(marks, ["␛", "<U+202E>"]);
}

#[test]
fn width_is_the_terminals() {
    for (text, cells) in [
        ("", 0),
        ("abc", 3),
        ("漢字", 4),
        ("ｶ゛", 3),
        ("e\u{301}", 1),
        ("🇯🇵", 2),
        ("☺\u{fe0f}", 2),
        ("لا", 2),
    ] {
        assert_eq!(width(text), cells, "{text:?}");
    }
}

#[test]
fn clipping_says_that_it_cut() {
    assert_eq!(clip("short", 5), "short");
    assert_eq!(clip("too long", 5), "too …");
    assert_eq!(clip("漢字漢字", 4), "漢…");
    assert_eq!(clip("x", 0), "");
    assert_eq!(clip_start("src/domain/text.rs", 8), "…text.rs");
    assert_eq!(clip_middle("cannot read a/b: gone", 10), "can…: gone");
    assert_eq!(clip_middle("漢漢漢漢", 5), "… 漢");
    assert_eq!(fit("漢字", 3), "漢…");
    assert_eq!(fit("ab", 4), "ab  ");
    assert_eq!(slice("漢字ab", 1, 4), " 字a");
}

#[test]
fn wrapping_breaks_at_blanks() {
    assert_eq!(wrap("one two three", 7), ["one two", "three"]);
    assert_eq!(wrap("  in\n\nout", 9), ["  in", "", "out"]);
    assert_eq!(wrap("abcdefghij kl", 4), ["abcd", "efgh", "ij", "kl"]);
    assert_eq!(chop("ab漢字c", 3), ["ab", "漢", "字c"]);
    assert_eq!(chop("漢", 1), ["\u{fffd}"]);
}

/// Strings rich in what this module exists for.
fn hostile() -> impl Strategy<Value = String> {
    let odd = "\t\n\r\x1b\u{7f}\u{9b}\u{200d}\u{200b}\u{202e}\u{fe0f}\u{301}\u{20e3}ﾞ\u{1f469}\u{1f3fb}\u{1f1ef}\u{1f1f5}\u{915}\u{94d}\u{937}\u{1112}\u{1161}\u{115f}\u{e0041}\u{e0100}漢ｶ1☺ a\u{600}\u{93e}\u{644}\u{627}";
    let odd: Vec<char> = odd.chars().collect();
    let one = prop_oneof![
        5 => proptest::sample::select(odd),
        2 => any::<char>(),
        1 => proptest::char::range(' ', '~'),
    ];
    proptest::collection::vec(one, 0..24).prop_map(|it| it.into_iter().collect())
}

fn surface() -> impl Strategy<Value = Surface> {
    prop_oneof![
        (0..9_u8).prop_map(|tab_width| Surface::Code { tab_width }),
        proptest::strategy::Just(Surface::Prose),
        proptest::strategy::Just(Surface::Inline),
    ]
}

proptest! {
    #[test]
    fn nothing_unseen_comes_out(text in hostile(), surface in surface()) {
        let shown = display(&text, surface).into_owned();
        for line in shown.split('\n') {
            prop_assert!(!line.contains(char::is_control), "{shown:?}");
            for cluster in line.graphemes(true) {
                prop_assert!(cluster_width(cluster) > 0, "{cluster:?} in {shown:?}");
            }
        }
        prop_assert!(surface == Surface::Prose || !shown.contains('\n'));
        prop_assert_eq!(display(&shown, surface).into_owned(), shown);
    }

    #[test]
    fn no_printable_character_is_lost(text in hostile()) {
        let shown = display(&text, CODE).into_owned();
        let mut rest = shown.as_str();
        for c in text.chars().filter(|it| !it.is_control() && !it.is_whitespace() && *it != '\u{ff9e}') {
            let mark = format!("<U+{:04X}>", c as u32);
            let (plain, marked) = (rest.find(c), rest.find(&mark));
            let next = match (plain, marked) {
                (Some(a), Some(b)) if b < a => b + mark.len(),
                (Some(a), _) => a + c.len_utf8(),
                (None, Some(b)) => b + mark.len(),
                (None, None) => return Err(proptest::test_runner::TestCaseError::fail(
                    format!("{c:?} of {text:?} is not in {shown:?}"))),
            };
            rest = &rest[next..];
        }
    }

    #[test]
    fn lines_keep_to_their_cells(text in hostile(), cells in 0..30_usize) {
        let code = display(&text, CODE).into_owned();
        let prose = display(&text, Surface::Prose).into_owned();
        for line in chop(&code, cells).iter().chain(&wrap(&prose, cells)) {
            prop_assert!(width(line) <= cells, "{line:?}");
        }
        prop_assert!(width(&clip(&code, cells)) <= cells);
        prop_assert!(width(&clip_start(&code, cells)) <= cells);
        prop_assert!(width(&clip_middle(&code, cells)) <= cells);
        prop_assert!(width(&slice(&code, cells / 2, cells)) <= cells);
        prop_assert_eq!(width(&fit(&code, cells)), cells);
    }

    #[test]
    fn breaking_loses_nothing(text in hostile(), cells in 2..30_usize) {
        let code = display(&text, CODE).into_owned();
        prop_assert_eq!(chop(&code, cells).concat(), code);
        let prose = display(&text, Surface::Prose).into_owned();
        let solid = |it: &str| it.replace([' ', '\n'], "");
        prop_assert_eq!(solid(&wrap(&prose, cells).concat()), solid(&prose));
    }
}
