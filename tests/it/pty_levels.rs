//! Each colour level in the bytes that are sent, and ASCII alone where a person asks for it.

use crate::ptyrig::{Rig, casefile};
use std::collections::BTreeSet;

/// A walk through every screen and popup.
const WALK: [&str; 16] = [
    "}}}", "jjj", "t", "c", "f", "\x1b", "gt", "/a\r", "gk", "gh", "gd", "?", "\x1b", "\x10",
    "\x1b", "G",
];

fn walked(environment: &[(&str, &str)], arguments: &[&str]) -> Rig {
    let words: Vec<&str> = ["demo"].iter().chain(arguments).copied().collect();
    let start = casefile(&words).size(160, 48);
    let start = environment.iter().fold(start, |it, (name, value)| it.env(name, value));
    let mut rig = start.run();
    rig.wait("#482");
    rig.wait("settled");
    for keys in WALK {
        rig.press(keys);
        rig.settle();
    }
    rig
}

/// What the colours of a log are made of: `24`, `256`, `16`, and marks by their number.
fn kinds(log: &[u8]) -> BTreeSet<String> {
    let text = String::from_utf8_lossy(log);
    let mut found = BTreeSet::new();
    for piece in text.split("\x1b[").skip(1) {
        let Some((parameters, _)) = piece.split_once(|it: char| it.is_ascii_alphabetic()) else {
            continue;
        };
        if piece.as_bytes().get(parameters.len()) != Some(&b'm') {
            continue;
        }
        let mut numbers = parameters.split(';');
        while let Some(number) = numbers.next() {
            let number: u16 = number.parse().expect("a number");
            let kind = match number {
                38 | 48 => {
                    let exact = numbers.next() == Some("2");
                    numbers.nth(if exact { 2 } else { 0 });
                    if exact { "24" } else { "256" }.to_owned()
                }
                30..=37 | 40..=47 | 90..=97 | 100..=107 => "16".to_owned(),
                mark => format!("mark {mark}"),
            };
            found.insert(kind);
        }
    }
    found
}

#[test]
fn each_level_sends_its_own_colours_and_no_more() {
    let check = |environment: &[(&str, &str)], arguments: &[&str], expected: &[&str]| {
        let mut rig = walked(environment, arguments);
        assert_eq!(rig.quit(), 0);
        let found = kinds(&rig.log());
        let colours: Vec<_> = found.iter().filter(|it| !it.starts_with("mark")).collect();
        assert_eq!(colours, expected, "{environment:?} {arguments:?}");
        // A cursor or a title needs a mark where there is no colour.
        assert!(found.contains("mark 1"), "nothing is bold");
        if expected.is_empty() {
            assert!(found.contains("mark 7"), "nothing is reversed, so no cursor can be seen");
        }
    };
    let exact = [("COLORTERM", "truecolor")];
    let indexed = [("COLORTERM", "")];
    let sixteen = [("COLORTERM", ""), ("TERM", "xterm")];
    check(&exact, &[], &["24"]);
    check(&indexed, &[], &["256"]);
    check(&indexed, &["--theme", "light"], &["256"]);
    check(&sixteen, &[], &["16"]);
    check(&sixteen, &["--theme", "dark"], &["16"]);
    for none in [("NO_COLOR", "1"), ("TERM", "dumb"), ("TERM", "vt100")] {
        check(&[none], &[], &[]);
        check(&[none], &["--theme", "light"], &[]);
    }
    check(&[("NO_COLOR", "")], &[], &["24"]);
    check(&[("TERM", "screen-256color")], &[], &["256"]);
}

#[test]
fn without_colours_the_cursor_and_every_state_can_be_seen() {
    let mut rig = walked(&[("NO_COLOR", "1")], &[]);
    rig.press("gdgg");
    rig.settle();
    rig.wait_for("a mark for the cursor", |it| {
        let (rows, columns) = (it.size().0.get(), it.size().1.get());
        let inverse =
            |row| (0..columns).any(|at| it.cell(row, at).is_some_and(vt100::Cell::inverse));
        // The first row is the header, which is inverse by itself.
        (1..rows).any(inverse)
    });
    for sign in ["⚑", "✓", "◌", "unresolved", "settled", "outdated"] {
        rig.wait(sign);
    }
    // Out of Compare, where the walk ended, to the second file.
    rig.press("\x1b");
    rig.settle();
    rig.press("gg}}jjj");
    rig.wait("- version = ");
    rig.wait("+ version = ");
    assert_eq!(rig.quit(), 0);
}

#[test]
fn an_ascii_terminal_gets_ascii_alone() {
    let mut rig = walked(&[], &["--ascii"]);
    rig.press("gdgg/names\r");
    rig.settle();
    for _ in 0..12 {
        rig.press("\x1b[6~");
        rig.settle();
    }
    assert_eq!(rig.quit(), 0);
    let log = rig.log();
    let stray = log.iter().position(|it| !it.is_ascii());
    let near =
        |at: usize| String::from_utf8_lossy(&log[at.saturating_sub(30)..at + 30]).into_owned();
    assert!(stray.is_none(), "{:?}", stray.map(near));
    assert!(log.windows(4).any(|it| it == b"+---"), "borders are drawn all the same");
}
