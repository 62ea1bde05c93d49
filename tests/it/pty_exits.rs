//! Every way out gives the terminal back with drafts saved (promise C5), a terminal that is gone
//! ends us (C6), and a storm of sizes leaves the right frame (C7). The closing run:
//! `CASEFILE_FULL=1 cargo test --features test-support --test it pty_exits -- --nocapture`.

use crate::ptyrig::{Rig, Start, casefile};
use rustix::process::{Pid, Signal};
use std::{
    fs,
    num::NonZero,
    path::Path,
    thread,
    time::{Duration, Instant},
};

const SHOWN: &str = "#482";
const F12: &str = "\x1b[24~";
/// What is typed into the editor before the end comes.
const TYPED: &str = "the budget covers both";

/// `part` in a usual run, `full` in the closing one.
fn times(part: usize, full: usize) -> usize {
    if std::env::var_os("CASEFILE_FULL").is_some() { full } else { part }
}

fn ready(start: Start) -> Rig {
    let rig = start.run();
    rig.wait(SHOWN);
    rig.wait_for("our modes", |it| {
        it.alternate_screen() && it.bracketed_paste() && it.hide_cursor()
    });
    rig
}

/// The demo with its editor open and a text in it, not waited for.
fn writing(start: Start) -> Rig {
    let mut rig = ready(start);
    rig.wait("settled");
    rig.press("tc");
    rig.wait("extractive · ");
    rig.press("e");
    rig.wait("Correct the summary");
    rig.press(&format!("\x15{TYPED}"));
    rig.wait(TYPED);
    rig
}

/// The texts of all drafts below a folder.
fn drafts(folder: &Path) -> String {
    let mut found = String::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found += &drafts(&path);
        } else if path.parent().is_some_and(|it| it.ends_with("drafts")) {
            found += &fs::read_to_string(path).unwrap_or_default();
        }
    }
    found
}

fn assert_saved(rig: &Rig, what: &str) {
    assert!(drafts(rig.home.path()).contains(TYPED), "{what}: the draft is lost");
}

#[test]
fn signals_end_us_with_the_terminal_restored_and_drafts_saved() {
    let all = [(Signal::TERM, 143), (Signal::INT, 130), (Signal::HUP, 129), (Signal::QUIT, 131)];
    for round in 0..times(1, 25) {
        for (signal, code) in all {
            let rig = if round % 2 == 0 {
                writing(casefile(&["demo"]))
            } else {
                ready(casefile(&["demo"]))
            };
            rig.signal(signal);
            assert_eq!(rig.exit(), code, "{signal:?}");
            rig.assert_restored();
            if round % 2 == 0 {
                assert_saved(&rig, &format!("{signal:?}"));
            }
        }
    }
}

#[test]
fn panics_restore_the_terminal_before_they_report() {
    for _ in 0..times(1, 25) {
        // A panic while another unwinds ends in an abort, for which the shell has its own number.
        for (place, code) in [("loop", Some(70)), ("drop", Some(70)), ("unwind", None)] {
            let start = casefile(&["demo"]);
            let start = start.env("CASEFILE_PANIC_KEY", "F12").env("CASEFILE_PANIC_AT", place);
            let mut rig = writing(start);
            rig.press(F12);
            let exit = rig.exit();
            assert!(code.is_none_or(|it| it == exit) && exit != 0, "{place}: {exit}");
            rig.assert_restored();
            rig.wait("fault at");
            let log = String::from_utf8(rig.log()).expect("text");
            let (left, told) = (log.rfind("\x1b[?1049l"), log.find("fault at"));
            assert!(left < told && left.is_some(), "{place}: told on the alternate screen");
            if code.is_some() {
                assert_saved(&rig, place);
            }
        }
    }
}

#[test]
fn a_panic_of_the_reading_thread_ends_us_politely() {
    let start = casefile(&["demo"]);
    let start = start.env("CASEFILE_PANIC_KEY", "F12").env("CASEFILE_PANIC_AT", "input");
    let mut rig = writing(start);
    rig.press(F12);
    assert_eq!(rig.exit(), 70);
    rig.assert_restored();
    rig.wait("keys could not be read");
    assert_saved(&rig, "input");
}

#[test]
fn a_panic_of_a_worker_is_told_on_the_screen_and_harms_nothing() {
    let start = casefile(&["demo"]);
    let start = start.env("CASEFILE_PANIC_KEY", "F12").env("CASEFILE_PANIC_AT", "worker");
    let mut rig = ready(start);
    rig.press(F12);
    rig.wait("a bug in casefile");
    rig.wait_for("our modes still", |it| it.alternate_screen() && it.hide_cursor());
    assert_eq!(rig.quit(), 0);
    rig.assert_restored();
    let log = String::from_utf8_lossy(&rig.log()).into_owned();
    assert!(!log.contains("fault at"), "the report tore the screen");
}

#[test]
fn ctrl_z_gives_the_terminal_back_until_we_go_on() {
    let mut rig = ready(casefile(&["demo"]));
    for round in 0..times(6, 20) {
        if round % 2 == 0 {
            rig.signal(Signal::TSTP);
        } else {
            rig.press("\x1a");
        }
        rig.assert_restored();
        rig.go_on("our modes again", |it| it.alternate_screen() && it.hide_cursor());
        rig.wait(SHOWN);
    }
    assert_eq!(rig.quit(), 0);
    rig.assert_restored();
}

/// Seconds of processor time a process has had, or none when it is gone or has ended.
fn processor(pid: Pid) -> Option<f64> {
    let stat = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok()?;
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks: f64 = fields[11].parse::<f64>().ok()? + fields[12].parse::<f64>().ok()?;
    // Linux tells a hundredth of a second to programs, whatever it counts itself.
    (fields[0] != "Z").then_some(ticks / 100.0)
}

/// How long a process lives on, and the processor time it has for that. Panics after ten seconds.
fn last_seconds(pid: Pid, before: f64) -> (Duration, f64) {
    let (start, mut had) = (Instant::now(), before);
    while let Some(now) = processor(pid) {
        had = now;
        assert!(start.elapsed() < Duration::from_secs(10), "it lives on without a terminal");
        thread::park_timeout(Duration::from_millis(5));
    }
    (start.elapsed(), had - before)
}

fn assert_sound(home: &Path) {
    let ledger = rusqlite::Connection::open(home.join("ledger.db")).expect("a ledger");
    let check = ledger.query_row("PRAGMA quick_check", [], |row| row.get::<_, String>(0));
    assert_eq!(check.expect("it can be asked"), "ok");
}

/// Promise C6: SIGHUP is delivered; it was to be ignored; it is delivered to nobody, since the
/// terminal does not control us. Each in the middle of a run, with a draft typed.
#[test]
fn a_terminal_that_is_gone_ends_us_soon() {
    let ways: [(&str, &[&str]); 3] = [
        ("delivered", &[]),
        ("ignored", &["sh", "-c", "trap '' HUP; exec \"$@\"", "sh"]),
        ("delivered to nobody", &["setsid", "--wait"]),
    ];
    for round in 0..times(1, 10) {
        for (way, wrapper) in ways {
            let step = if round % 2 == 0 { "0" } else { "100" };
            let start = casefile(&["demo"])
                .env("CASEFILE_TEST_STEP_MS", step)
                .under(wrapper.iter().map(|it| (*it).to_owned()).collect());
            let mut rig = if step == "0" { writing(start) } else { ready(start) };
            let pid = if wrapper.contains(&"setsid") { rig.grandchild() } else { rig.pid() };
            let before = processor(pid).expect("it lives");
            rig.hang_up(pid);
            let (lived, had) = last_seconds(pid, before);
            println!("gone, SIGHUP {way}: ended after {lived:.2?} with {had:.2} s of processor");
            assert!(lived <= Duration::from_secs(2), "{way}: it lived on for {lived:?}");
            assert!(had <= 0.2, "{way}: {had} s of processor");
            assert_sound(rig.home.path());
            if step == "0" {
                assert_saved(&rig, way);
            }
        }
    }
}

/// What is opened over the screen, and how it is left.
const POPUPS: [(&str, &str); 8] = [
    ("", ""),
    ("?", "\x1b"),
    ("\x10", "\x1b"),
    ("tc", "\x1b\x1b"),
    (":theme", "\x1b"),
    ("/retry", "\x1b"),
    ("gt", "gd"),
    ("tce", "\x1b"),
];
const SIZES: [(u16, u16); 12] = [
    (0, 0),
    (1, 1),
    (5, 2),
    (14, 47),
    (59, 19),
    (500, 200),
    (2, 60),
    (200, 1),
    (80, 24),
    (60, 20),
    (40, 10),
    (39, 9),
];

/// What these bytes leave on a terminal of that size, whatever stood there before: terminals
/// differ in what they make of their cells when their size changes.
fn over_anything(bytes: &[u8], (width, height): (u16, u16)) -> String {
    let cells = |it| NonZero::new(it).expect("some cells");
    let mut parser = vt100::Parser::new(cells(height), cells(width), 0);
    for row in 1..=height {
        let filled = format!("\x1b[{row};1H{}", "X".repeat(usize::from(width)));
        parser.process(filled.as_bytes());
    }
    parser.process(bytes);
    parser.screen().contents()
}

/// A screen without what fades after some seconds.
fn without_notice(screen: &str) -> String {
    let text = screen.replace("the summaries are ready", "");
    text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

/// Promise C7: sizes change a thousand times while a run streams its progress, over every popup.
/// What stands in the end is what a fresh start shows at that size.
#[test]
fn a_storm_of_sizes_leaves_the_right_frame() {
    let end = (100, 30);
    let mut fresh = casefile(&["demo"]).size(end.0, end.1).run();
    fresh.wait("dossier ✓");
    fresh.press("gg}}");
    fresh.settle();
    let right = without_notice(&fresh.screen());
    assert_eq!(fresh.quit(), 0);

    let mut rig = casefile(&["demo"]).env("CASEFILE_TEST_STEP_MS", "100").run();
    rig.wait(SHOWN);
    let all = times(240, 1_000);
    for at in 0..all {
        let (open, close) = POPUPS[at * POPUPS.len() / all];
        let first = at == 0 || POPUPS[(at - 1) * POPUPS.len() / all].0 != open;
        if first {
            rig.press(open);
        }
        let (width, height) = SIZES[at % SIZES.len()];
        rig.resize(width, height);
        if at % 5 == 0 {
            rig.settle();
        }
        if (at + 1) * POPUPS.len() / all != at * POPUPS.len() / all {
            rig.resize(120, 40);
            rig.settle();
            for key in close.chars() {
                rig.press(&key.to_string());
                rig.settle();
            }
        }
        assert!(rig.exit_within(Duration::ZERO).is_none(), "it ended at {width}×{height}");
    }
    let before = rig.log().len();
    rig.resize(end.0, end.1);
    rig.wait("dossier ✓");
    for keys in ["\x1b", "gd", "gg}}"] {
        rig.press(keys);
        rig.settle();
    }
    assert_eq!(without_notice(&over_anything(&rig.log()[before..], end)), right);
    assert_eq!(rig.quit(), 0);
    rig.assert_restored();
}
