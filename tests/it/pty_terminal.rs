//! The terminal is taken politely and given back on every way out (promise C5; `pty_exits` has the rest of it).

use crate::ptyrig::{Rig, casefile};
use std::time::Duration;

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
    for (name, value, start, end) in [
        ("SSH_TTY", "/dev/pts/9", "\x1b]52;c;", "\x07"),
        ("TMUX", "/run/tmux,1,0", "\x1bPtmux;\x1b\x1b]52;c;", "\x07\x1b\\"),
    ] {
        let mut rig = casefile(&["demo"]).env(name, value).run();
        rig.wait(SHOWN);
        rig.press("}}}jjj");
        rig.settle();
        let before = rig.log().len();
        rig.press("y");
        rig.wait("sent to the terminal");
        let sent = since(&rig, before);
        let (_, sequence) = sent.split_once(start).expect("the sequence is sent");
        let (text, _) = sequence.split_once(end).expect("it ends");
        assert!(
            text.bytes().all(|it| it.is_ascii_alphanumeric() || b"+/=".contains(&it)),
            "{text}"
        );
        assert_eq!(rig.quit(), 0);
    }
}

#[test]
fn what_is_too_long_for_the_terminals_clipboard_is_in_a_file() {
    let line = "x".repeat(80_000);
    let diff = format!("--- a/long.txt\n+++ b/long.txt\n@@ -0,0 +1,1 @@\n+{line}\n");
    let file = tempfile::Builder::new().suffix(".diff").tempfile().expect("a file");
    std::fs::write(file.path(), diff).expect("it is written");
    let name = file.path().display().to_string();
    let mut rig = casefile(&[&name]).env("SSH_TTY", "/dev/pts/9").size(200, 40).run();
    rig.wait("long.txt");
    rig.press("Gy");
    rig.wait("too many for the terminal's clipboard");
    let copied = std::fs::read_to_string(rig.home.path().join("copied.txt")).expect("a file");
    assert_eq!(copied.trim_end(), line);
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
