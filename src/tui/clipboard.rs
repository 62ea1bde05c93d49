//! Copying: through the terminal itself where it is far away or wrapped, else by the system's
//! command. Must not claim more than it knows.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use std::{
    fs,
    io::{self, Write as _},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// Terminals cut longer sequences silently, in bytes of text.
const LONGEST: usize = 74_000;

/// Commands that take the clipboard's text on standard input, with the variable that says they
/// can work here.
const COMMANDS: &[(&str, &[&str], Option<&str>)] = &[
    ("pbcopy", &[], None),
    ("wl-copy", &[], Some("WAYLAND_DISPLAY")),
    ("xclip", &["-selection", "clipboard"], Some("DISPLAY")),
    ("xsel", &["--clipboard", "--input"], Some("DISPLAY")),
    ("clip.exe", &[], Some("WSL_DISTRO_NAME")),
];

/// The sequence that hands `text` to the terminal's clipboard, wrapped for tmux where one stands
/// between. Base64 alone goes into it, so nothing in the text can end it early.
pub fn sequence(text: &str, tmux: bool) -> Result<String, String> {
    if text.len() > LONGEST {
        let size = text.len();
        return Err(format!("{size} bytes are too many for the terminal's clipboard"));
    }
    let plain = format!("\x1b]52;c;{}\x07", BASE64_STANDARD.encode(text));
    Ok(if tmux { format!("\x1bPtmux;{}\x1b\\", plain.replace('\x1b', "\x1b\x1b")) } else { plain })
}

/// Puts a text that is too long for the terminal's clipboard into a file of the person's alone,
/// over the last such text, and gives its path.
pub fn to_file(home: &Path, text: &str) -> io::Result<PathBuf> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(home)?;
    let (file, new) = (home.join("copied.txt"), home.join(".copied.txt.new"));
    // What an earlier run left half written is nobody's.
    let _ = fs::remove_file(&new);
    let mut out = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&new)?;
    out.write_all(text.as_bytes())?;
    fs::rename(&new, &file)?;
    Ok(file)
}

/// Gives the text to the first system command that takes it, and says which. None when this
/// machine has none. Blocks; not for the drawing thread.
pub fn by_command(text: &str) -> Option<&'static str> {
    let usable = |it: &&(&str, &[&str], Option<&str>)| {
        it.2.is_none_or(|name| std::env::var_os(name).is_some_and(|it| !it.is_empty()))
    };
    let mut usable = COMMANDS.iter().filter(usable);
    usable.find(|it| feed(it.0, it.1, text)).map(|it| it.0)
}

fn feed(command: &str, arguments: &[&str], text: &str) -> bool {
    let child = Command::new(command)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut child) = child else { return false };
    // The pipe closes when it is dropped, which is how the command knows the text is whole.
    let written = child.stdin.take().is_some_and(|mut it| it.write_all(text.as_bytes()).is_ok());
    child.wait().is_ok_and(|it| it.success()) && written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_leave_its_sequence() {
        let hostile = "a\x07\x1b]0;evil\x07\x1b\\";
        let plain = sequence(hostile, false).expect("short enough");
        let inside = plain.strip_prefix("\x1b]52;c;").and_then(|it| it.strip_suffix('\x07'));
        let decoded = BASE64_STANDARD.decode(inside.expect("a sequence")).expect("base64");
        assert_eq!(decoded, hostile.as_bytes());
        let wrapped = sequence(hostile, true).expect("short enough");
        assert!(wrapped.starts_with("\x1bPtmux;\x1b\x1b]52;c;") && wrapped.ends_with("\x07\x1b\\"));
        assert!(sequence(&"x".repeat(LONGEST + 1), false).is_err());
    }

    #[test]
    fn what_is_too_long_goes_into_a_private_file() {
        use std::os::unix::fs::PermissionsExt as _;
        let home = tempfile::tempdir().expect("a temporary folder");
        let inner = home.path().join("data");
        for text in ["x".repeat(LONGEST + 1), "second".to_owned()] {
            let file = to_file(&inner, &text).expect("written");
            assert_eq!(fs::read_to_string(&file).expect("there"), text);
            assert_eq!(fs::metadata(&file).expect("there").permissions().mode() & 0o777, 0o600);
        }
        assert_eq!(fs::metadata(&inner).expect("there").permissions().mode() & 0o777, 0o700);
        assert_eq!(fs::read_dir(&inner).expect("there").count(), 1);
    }
}
