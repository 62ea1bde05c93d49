//! `$EDITOR` on a file of the working tree. Must not let a path of a pull request lead anywhere
//! else, and must not use a shell.

use crate::{
    config::places,
    domain::text::{Surface, display},
};
use std::{
    env, fs,
    io::{self, Read as _, Write as _},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
    process::{Command, ExitStatus},
    sync::atomic::{AtomicU32, Ordering},
};

/// Bytes taken from what an editor leaves.
const LARGEST: u64 = 1 << 20;

/// Where an editor's name is looked for, in the order `gh` uses.
const VARIABLES: [&str; 4] = ["GH_EDITOR", "GIT_EDITOR", "VISUAL", "EDITOR"];

/// How editors are told the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    /// `+12 path`
    Plus,
    /// `path:12`
    Colon,
    /// `--wait --goto path:12`
    Goto,
    /// Just the path.
    Path,
}

/// Runs the editor on `path` below the working folder and waits for it. The terminal must have
/// been given back before. An error is a sentence for people.
pub fn edit(path: &str, line: u32) -> Result<(), String> {
    let here = env::current_dir().map_err(|it| format!("the working folder is gone: {it}"))?;
    launch(&inside(&here, path)?, line)
}

/// Runs the editor on a text and gives what it became. The text lies in a private file meanwhile.
pub fn edit_text(text: &str) -> Result<String, String> {
    let folder = private_folder().map_err(|it| format!("no place for the text: {it}"))?;
    let file = folder.join("correction.md");
    let written = write_private(&file, text).map_err(|it| format!("no place for the text: {it}"));
    let edited = written.and_then(|()| launch(&file, 1)).and_then(|()| {
        let mut bytes = Vec::new();
        let read = fs::File::open(&file).and_then(|it| it.take(LARGEST).read_to_end(&mut bytes));
        read.map_err(|it| format!("what the editor left cannot be read: {it}"))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    });
    // Left-overs of the editor go with it. What cannot be removed is private at least.
    let _ = fs::remove_dir_all(&folder);
    edited
}

/// A folder of the person's alone, made now.
fn private_folder() -> io::Result<PathBuf> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    // A folder that everybody may write to is no place for it, so never the temporary one.
    let runtime = env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from).filter(|it| it.is_dir());
    let base = match runtime {
        Some(it) => it,
        None => places::data_home().map_err(io::Error::other)?,
    };
    fs::DirBuilder::new().recursive(true).mode(0o700).create(&base)?;
    loop {
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = base.join(format!("casefile-{}-{count}", std::process::id()));
        match fs::DirBuilder::new().mode(0o700).create(&folder) {
            // Left by a process of the same number, or planted: not ours to use.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => (),
            made => return made.map(|()| folder),
        }
    }
}

fn write_private(file: &Path, text: &str) -> io::Result<()> {
    let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(file)?;
    file.write_all(text.as_bytes())
}

fn launch(file: &Path, line: u32) -> Result<(), String> {
    let command = VARIABLES.iter().find_map(|it| env::var(it).ok().filter(|it| !it.is_empty()));
    let words = split(command.as_deref().unwrap_or("vi"))?;
    let (program, arguments) = words.split_first().ok_or("the editor has no name")?;
    let status = Command::new(program)
        .args(arguments)
        .args(place(program, file, line))
        .status()
        .map_err(|it| format!("`{program}` could not be started ({it}); set EDITOR"))?;
    ended(program, status)
}

fn ended(program: &str, status: ExitStatus) -> Result<(), String> {
    if status.success() { Ok(()) } else { Err(format!("`{program}` ended with {status}")) }
}

/// The file a path of a pull request names here. Paths that leave the folder, also by a link,
/// name none.
fn inside(folder: &Path, path: &str) -> Result<PathBuf, String> {
    let none = || format!("{} is not in this working folder", display(path, Surface::Inline));
    let folder = fs::canonicalize(folder).map_err(|_| none())?;
    let file = fs::canonicalize(folder.join(path)).map_err(|_| none())?;
    (file.starts_with(&folder) && file.is_file()).then_some(file).ok_or_else(none)
}

/// Words as a shell would split them, without running one.
fn split(command: &str) -> Result<Vec<String>, String> {
    let broken = || format!("the editor `{command}` has a quote that does not end");
    shlex::split(command).ok_or_else(broken)
}

/// The arguments that name the file and the line. The path is absolute, so it is no option.
fn place(program: &str, file: &Path, line: u32) -> Vec<std::ffi::OsString> {
    let path = file.as_os_str().to_owned();
    let mut with_line = path.clone();
    with_line.push(format!(":{line}"));
    match style(program) {
        Style::Plus => vec![format!("+{line}").into(), path],
        Style::Colon => vec![with_line],
        Style::Goto => vec!["--wait".into(), "--goto".into(), with_line],
        Style::Path => vec![path],
    }
}

fn style(program: &str) -> Style {
    let name = Path::new(program).file_stem().and_then(|it| it.to_str()).unwrap_or(program);
    match name {
        "vi" | "vim" | "nvim" | "view" | "nano" | "pico" | "emacs" | "emacsclient" | "micro"
        | "kak" | "mg" | "jed" | "joe" | "ne" => Style::Plus,
        "hx" | "helix" | "zed" | "subl" | "lapce" => Style::Colon,
        "code" | "codium" | "cursor" | "code-insiders" => Style::Goto,
        _ => Style::Path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_editors_words_are_split_as_a_shell_would() {
        let check = |text: &str, expected: &[&str]| {
            assert_eq!(split(text).expect("words"), expected, "{text}");
        };
        check("vim", &["vim"]);
        check("  code  --wait ", &["code", "--wait"]);
        check("'/a b/ed' -c \"x \\\" y\"", &["/a b/ed", "-c", "x \" y"]);
        check("a\\ b ''", &["a b", ""]);
        check("ed;rm -rf $HOME `x`", &["ed;rm", "-rf", "$HOME", "`x`"]);
        assert!(split("'open").is_err());
    }

    #[test]
    fn no_path_leads_out_of_the_folder() {
        let outer = tempfile::tempdir().expect("a temporary folder");
        let folder = outer.path().join("tree");
        fs::create_dir_all(folder.join("src")).expect("written");
        fs::write(folder.join("src/a.rs"), "x").expect("written");
        fs::write(outer.path().join("secret"), "x").expect("written");
        std::os::unix::fs::symlink(outer.path().join("secret"), folder.join("link"))
            .expect("linked");
        assert!(inside(&folder, "src/a.rs").is_ok());
        let outside = outer.path().join("secret").display().to_string();
        for path in ["../secret", "link", "src", "", "none", "src/../../secret", &outside] {
            assert!(inside(&folder, path).is_err(), "{path}");
        }
    }

    #[test]
    fn each_kind_of_editor_is_told_the_line_its_own_way() {
        let check = |program: &str, expected: &[&str]| {
            assert_eq!(place(program, Path::new("/x/a.rs"), 7), expected, "{program}");
        };
        check("/usr/bin/nvim", &["+7", "/x/a.rs"]);
        check("hx", &["/x/a.rs:7"]);
        check("code", &["--wait", "--goto", "/x/a.rs:7"]);
        check("notepad", &["/x/a.rs"]);
    }
}
