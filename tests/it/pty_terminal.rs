//! The terminal is taken politely and given back on every way out (promise C5; `pty_exits` has the rest of it).

use crate::ptyrig::{Rig, casefile};
use std::time::Duration;
use vt100::Cell;

/// What the workbench shows first of the demo, on every size that is not too small.
const SHOWN: &str = "#482";

fn demo() -> Rig {
    let rig = casefile(&["demo"]).run();
    rig.wait(SHOWN);
    rig.wait_for("our modes", |it| {
        it.alternate_screen() && it.bracketed_paste() && it.hide_cursor()
    });
    rig
}

#[test]
fn quitting_gives_the_terminal_back() {
    let mut rig = demo();
    assert_eq!(rig.quit(), 0);
    rig.assert_restored();
}

#[test]
fn a_target_that_cannot_be_read_is_told_in_the_shell() {
    let rig = casefile(&["nowhere.json"]).run();
    assert_eq!(rig.exit(), 65);
    rig.assert_restored();
    rig.wait("nowhere.json does not exist");
}

/// Waits until the middle of the screen stands on this ground.
fn wait_for_ground(rig: &Rig, theme: &str, ground: [u8; 3]) {
    let [red, green, blue] = ground;
    let wanted = vt100::Color::Rgb(red, green, blue);
    rig.wait_for(theme, |it| it.cell(30, 119).is_some_and(|cell| cell.bgcolor() == wanted));
}

#[test]
fn a_theme_shows_while_its_name_is_typed() {
    let (dusk, sepia, dark) = ([0x1f, 0x1b, 0x19], [0xf4, 0xec, 0xdc], [0x15, 0x18, 0x1e]);
    let mut rig = casefile(&["demo", "--theme", "dusk"]).run();
    rig.wait(SHOWN);
    wait_for_ground(&rig, "dusk", dusk);
    rig.press(":theme sep\t");
    wait_for_ground(&rig, "sepia, completed", sepia);
    rig.press("\x1b");
    wait_for_ground(&rig, "dusk again", dusk);
    rig.press(":theme dark");
    wait_for_ground(&rig, "dark, as typed", dark);
    rig.press("\r");
    rig.wait(" DIFF ");
    wait_for_ground(&rig, "dark, taken", dark);
    assert_eq!(rig.quit(), 0);
}

#[test]
fn without_colours_none_are_sent_and_the_cursor_stays_visible() {
    for (name, value) in [("NO_COLOR", "1"), ("TERM", "dumb")] {
        let mut rig = casefile(&["demo"]).env(name, value).run();
        rig.wait(SHOWN);
        rig.settle();
        let log = String::from_utf8(rig.log()).expect("text");
        for colour in ["\x1b[38;2;", "\x1b[38;5;", "\x1b[48;", ";38;2;", ";48;5;"] {
            assert!(!log.contains(colour), "{name}: {colour:?} was sent");
        }
        rig.wait_for("a mark for the cursor", |it| {
            let (rows, columns) = (it.size().0.get(), it.size().1.get());
            let inverse = |row| (0..columns).any(|at| it.cell(row, at).is_some_and(Cell::inverse));
            // The first row is the header, which is inverse by itself.
            (1..rows).any(inverse)
        });
        assert_eq!(rig.quit(), 0);
    }
}

/// The rig's log since a moment, as text.
fn since(rig: &Rig, start: usize) -> String {
    String::from_utf8_lossy(&rig.log()[start..]).into_owned()
}

#[test]
fn a_paste_is_text_and_runs_no_command() {
    let mut rig = demo();
    let text = "q\r:quit\rq!\r".repeat(700);
    rig.press(&format!("\x1b[200~{text}\x1b[201~"));
    rig.press("?");
    rig.wait("elp");
    assert!(rig.exit_within(Duration::from_millis(100)).is_none(), "a pasted q quit");
    rig.press("\x1b");
    rig.settle();
    assert_eq!(rig.quit(), 0);
}

#[test]
fn copying_over_ssh_goes_through_the_terminal_and_says_so() {
    let mut rig = casefile(&["demo"]).env("SSH_TTY", "/dev/pts/9").run();
    rig.wait(SHOWN);
    rig.press("}}}jjj");
    rig.settle();
    let before = rig.log().len();
    rig.press("y");
    rig.wait("sent to the terminal");
    let sent = since(&rig, before);
    let (_, sequence) = sent.split_once("\x1b]52;c;").expect("the sequence is sent");
    let (text, _) = sequence.split_once('\x07').expect("it ends");
    assert!(text.bytes().all(|it| it.is_ascii_alphanumeric() || b"+/=".contains(&it)), "{text}");
    assert_eq!(rig.quit(), 0);
}

#[test]
fn an_editor_that_fails_and_leaves_a_mess_harms_nothing() {
    let editor = r#"sh -c 'printf "\033[?1000l\033[?2004l\033[?25h"; stty echo; exit 3'"#;
    let mut rig = casefile(&["demo"]).env("EDITOR", editor).run();
    rig.wait(SHOWN);
    let folder = rig.home.path().join("docs");
    std::fs::create_dir(&folder).expect("a folder");
    std::fs::write(folder.join("uploads.md"), "text\n").expect("a file");
    rig.press("}}}}}jjj");
    rig.settle();
    rig.press("e");
    rig.wait("ended with exit status: 3");
    rig.wait_for("our modes again", |it| {
        it.alternate_screen() && it.bracketed_paste() && it.hide_cursor()
    });
    assert_eq!(rig.quit(), 0);
    rig.assert_restored();
}

/// One section of a diff whose lines are all added.
fn added(path: &str, lines: &[String]) -> String {
    let count = lines.len();
    let body = lines.join("\n+");
    let head = format!("diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n");
    format!("{head}@@ -1,1 +1,{} @@\n context\n+{body}\n", count + 1)
}

/// Promise C8: what grammars choke on is drawn at once, plain if need be.
#[test]
fn lines_that_grammars_choke_on_never_hold_a_key_up() {
    let spans = "`code 0` ".repeat(16);
    let diff = [
        added("min.js", &[format!("var a={}1;", "1+".repeat(250_000))]),
        added("deep.rs", &[format!("{}{}", "[".repeat(5_000), "]".repeat(5_000))]),
        added("spans.md", &vec![spans; 200]),
    ];
    let file = tempfile::Builder::new().suffix(".diff").tempfile().expect("a file");
    std::fs::write(file.path(), diff.concat()).expect("it is written");
    let mut rig = casefile(&[&file.path().display().to_string()]).run();
    rig.wait("min.js");
    for (keys, seen) in
        [("}", "deep.rs"), ("}", "spans.md"), ("G", "200 + `code 0`"), ("gg", "min.js")]
    {
        let pressed = std::time::Instant::now();
        rig.press(keys);
        rig.wait(seen);
        let held = pressed.elapsed();
        // A hundred milliseconds in a release build on a quiet machine; this is neither.
        assert!(held < Duration::from_secs(2), "{keys} took {held:?}");
    }
    assert_eq!(rig.quit(), 0);
}
