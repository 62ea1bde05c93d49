//! The theme follows the terminal's background, and what a terminal answers is never taken for
//! keys: one that answers light, dark, nothing, late, and nonsense.

use crate::ptyrig::{FENCE, QUESTION, Rig, casefile};
use std::time::Duration;

const LIGHT: [u8; 3] = [0xfb, 0xfa, 0xf7];
const DARK: [u8; 3] = [0x15, 0x18, 0x1e];

fn answer(ground: &str) -> String {
    format!("\x1b]11;{ground}\x07{FENCE}")
}

/// Starts and answers the question as it comes.
fn answering(reply: &str) -> Rig {
    let mut rig = casefile(&["demo"]).mute().run();
    rig.wait_sent(QUESTION);
    rig.press(reply);
    rig
}

fn wait_for(rig: &Rig, what: &str, ground: [u8; 3]) {
    rig.wait("#482");
    let [red, green, blue] = ground;
    let wanted = vt100::Color::Rgb(red, green, blue);
    rig.wait_for(what, |it| it.cell(30, 119).is_some_and(|cell| cell.bgcolor() == wanted));
}

/// It still listens, and nothing has been typed.
fn quits(mut rig: Rig) {
    rig.press("gt");
    rig.wait(" THREADS ");
    assert_eq!(rig.quit(), 0);
    rig.assert_restored();
}

#[test]
fn the_theme_follows_the_answer() {
    for (ground, wanted) in [
        ("rgb:ffff/ffff/ffff", LIGHT),
        ("rgb:fd/f6/e3", LIGHT),
        ("rgba:eeee/eeee/eeee/ffff", LIGHT),
        ("rgb:0000/2b2b/3636", DARK),
        ("rgb:28/2c/34", DARK),
    ] {
        let rig = answering(&answer(ground));
        wait_for(&rig, ground, wanted);
        quits(rig);
    }
}

#[test]
fn a_terminal_that_says_nothing_costs_nothing() {
    for reply in ["", FENCE] {
        let rig = answering(reply);
        wait_for(&rig, "the guess", DARK);
        quits(rig);
    }
}

#[test]
fn a_late_answer_turns_the_screen_and_a_very_late_one_does_not() {
    let mut rig = casefile(&["demo"]).mute().run();
    wait_for(&rig, "the guess", DARK);
    rig.press(&answer("rgb:ff/ff/ff"));
    wait_for(&rig, "a late answer", LIGHT);
    quits(rig);

    let mut rig = casefile(&["demo"]).mute().run();
    wait_for(&rig, "the guess", DARK);
    assert!(rig.exit_within(Duration::from_millis(1_100)).is_none());
    rig.press(&answer("rgb:ff/ff/ff"));
    rig.press("gt");
    rig.wait(" THREADS ");
    wait_for(&rig, "nobody wants it now", DARK);
    quits(rig);
}

#[test]
fn nonsense_is_no_answer_and_no_keys() {
    for nonsense in [
        "\x1b]11;rgb:qq/qq/qq\x07",
        "\x1b]11;q\r:quit\r\x07",
        "\x1b]11;rgb:ff/ff\x1b\\",
        "\x1b]4;1;rgb:ff/ff/ff\x07",
        "\x1b]52;c;cTpxdWl0\x07",
        "\x1bP1$r:quit\r\x1b\\",
        "\x1b_q\x1b\\\x1b^q\x1b\\\x1bXq\x1b\\",
        "\x1b[?1;2;q\x1b[>q",
    ] {
        let rig = answering(&format!("{nonsense}{FENCE}"));
        wait_for(&rig, "the guess", DARK);
        quits(rig);
    }
    // One without an end holds the keyboard for a second of silence and no longer.
    let mut rig = answering(&format!("\x1b]11;{}", ":quit\r".repeat(20_000)));
    wait_for(&rig, "the guess", DARK);
    assert!(rig.exit_within(Duration::from_millis(1_100)).is_none());
    rig.settle();
    rig.press("gt");
    rig.wait(" THREADS ");
    assert_eq!(rig.quit(), 0);
}

#[test]
fn an_answer_in_pieces_is_an_answer() {
    let mut rig = casefile(&["demo"]).mute().run();
    rig.wait_sent(QUESTION);
    for piece in ["\x1b]11;rgb:ff", "ff/ffff/ffff\x1b", "\\", FENCE] {
        rig.press(piece);
        rig.settle();
    }
    wait_for(&rig, "an answer in pieces", LIGHT);
    quits(rig);
}

#[test]
fn who_chose_a_theme_is_not_asked() {
    let rig = casefile(&["demo", "--theme", "dark"]).run();
    wait_for(&rig, "the chosen theme", DARK);
    rig.settle();
    assert!(!String::from_utf8_lossy(&rig.log()).contains("\x1b]11"), "it asked");
    quits(rig);
    for (name, value) in
        [("TERM", "screen-256color"), ("TERM", "dumb"), ("TERM", "xterm"), ("NO_COLOR", "1")]
    {
        let mut rig = casefile(&["demo"]).env("COLORTERM", "").env(name, value).run();
        rig.wait("#482");
        rig.settle();
        assert!(!String::from_utf8_lossy(&rig.log()).contains("\x1b]11"), "{value} was asked");
        assert_eq!(rig.quit(), 0);
    }
}

#[test]
fn an_answer_on_its_way_is_not_typed_into_the_shell() {
    let mut rig = casefile(&["nowhere.json"]).mute().run();
    rig.wait_sent(QUESTION);
    rig.press(&answer("rgb:ff/ff/ff"));
    assert_eq!(rig.exit(), 65);
    rig.assert_restored();
    rig.wait("nowhere.json does not exist");
    let log = String::from_utf8_lossy(&rig.log()).into_owned();
    assert!(!log.contains("^[]11") && !log.contains("rgb:"), "the shell would see it: {log:?}");
}

#[test]
fn doctor_says_what_was_found() {
    for (reply, words) in [
        (answer("rgb:fd/f6/e3"), "light, as the terminal answers (#fdf6e3)"),
        (answer("rgb:0/0/0"), "dark, as the terminal answers (#000000)"),
        (FENCE.to_owned(), "taken as dark; the terminal does not say"),
        (String::new(), "taken as dark; the terminal does not say"),
    ] {
        let mut rig = casefile(&["doctor", "--offline"]).mute().run();
        rig.wait_sent(QUESTION);
        rig.press(&reply);
        rig.wait(words);
        rig.exit();
        rig.assert_restored();
    }
}
