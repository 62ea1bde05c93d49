//! No escape reaches a terminal, a log or a document on any route beside the screen (promise C2):
//! the hostile corpus through every command of the binary, in names, contents, settings and
//! replies, what comes out read by a strict reader.

use crate::{
    bench::Bench,
    pty_hostile::{Dice, PIECES, capture},
    ptyrig::casefile,
};
use std::{ffi::OsString, fs, os::unix::ffi::OsStringExt as _, path::Path, process::Command};

/// Comments in the corpus: every kind of piece is in it many times.
const COMMENTS: usize = 300;

/// The first thing in a text that a terminal would obey or a reader would not see.
fn outside_text(bytes: &[u8]) -> Option<String> {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(cause) => return Some(format!("no UTF-8 at byte {}", cause.valid_up_to())),
    };
    let line = text
        .lines()
        .find(|it| it.contains(|c: char| c.is_control()) || casefile::domain::text::hidden(it) > 0);
    line.map(|it| it.chars().take(200).collect::<String>().escape_debug().to_string())
}

#[test]
fn the_strict_reader_sees_what_must_not_come() {
    for fine in ["plain\nlines\n", "<U+202E> ␛[2J", "漢字 naïve 👩\u{200d}👩 \"\\u202e\""]
    {
        assert_eq!(outside_text(fine.as_bytes()), None);
    }
    for foreign in ["\u{1b}[2J", "a\rb", "\t", "\u{9b}m", "\u{202e}", "a\u{200b}b", "\u{e0041}"] {
        assert!(outside_text(foreign.as_bytes()).is_some(), "{foreign:?}");
    }
    assert!(outside_text(b"\xff").is_some());
}

/// Runs the binary; standard output and error hold nothing foreign.
#[track_caller]
fn quiet(bench: &Bench, args: &[OsString]) -> i32 {
    let output = bench.command().args(args).output().expect("it starts");
    for (stream, bytes) in [("output", &output.stdout), ("error", &output.stderr)] {
        if let Some(line) = outside_text(bytes) {
            panic!("{args:?} on standard {stream}: {line}");
        }
    }
    output.status.code().expect("no signal")
}

fn args(list: &[&str]) -> Vec<OsString> {
    list.iter().map(OsString::from).collect()
}

/// Every text file below a folder that is for people or logs. JSON of the dossier is data: it
/// keeps the original, escaped as JSON demands.
fn clean_files(bench: &Bench, folder: &str) -> usize {
    let mut seen = 0;
    for name in bench.below(folder) {
        let path = bench.path(folder).join(&name);
        let kind = Path::new(&name).extension().and_then(|it| it.to_str());
        if path.is_file() && matches!(kind, Some("md" | "html" | "log" | "jsonl" | "txt")) {
            seen += 1;
            let bytes = fs::read(&path).expect("readable");
            assert_eq!(outside_text(&bytes), None, "{}", path.display());
        }
    }
    seen
}

/// C2: reports, progress, logs, events, exports, status and everything kept for people.
#[test]
fn what_a_pull_request_says_leaves_as_text_on_every_route() {
    let bench = Bench::new();
    let hostile = bench.file("pr.json", capture(COMMENTS, 5).to_string());
    let run = |list: &[&str]| quiet(&bench, &args(list));
    assert_eq!(run(&["--batch", &hostile]), 0);
    let log = bench.path("out/all.log").display().to_string();
    let events = bench.path("out/events.jsonl").display().to_string();
    bench.file("out/.keep", "");
    run(&["--batch", &hostile, "--json", "-vv", "--log-file", &log, "--events", &events]);
    run(&["--batch", &hostile, "-vv", "--artifacts", &bench.path("own").display().to_string()]);
    run(&["--batch", &hostile, "--quiet"]);
    for format in ["md", "html", "json"] {
        assert_eq!(run(&["export", &hostile, "--format", format]), 0);
        let file = bench.path(&format!("out/x.{format}")).display().to_string();
        assert_eq!(run(&["export", &hostile, "--format", format, "-o", &file, "-vv"]), 0);
    }
    for list in [&["status"][..], &["status", "--json"], &["status", &hostile], &["doctor"]] {
        run(list);
    }
    assert!(clean_files(&bench, "out") >= 4, "log, events and documents were looked at");
    assert!(clean_files(&bench, "own") + clean_files(&bench, "data") >= 4, "final texts too");
    let json = fs::read(bench.path("out/x.json")).expect("written");
    assert_eq!(outside_text(&json), None, "the exported JSON escapes");
}

/// C2: names and contents that are quoted in complaints.
#[test]
fn complaints_quote_as_text() {
    let bench = Bench::new();
    let mut dice = Dice(3);
    let mut names: Vec<OsString> = PIECES.iter().map(|it| format!("{it}x").into()).collect();
    names.push(OsString::from_vec(b"bad\xff\x1b[2J\xc0\x9b31m".to_vec()));
    names.extend((0..20).map(|_| dice.line(5).replace('/', "_").replace('\0', "").into()));
    let garbage: [&[u8]; 4] =
        [b"\x1b[2J{\x07", b"{\"format\": \"\xc2\x9b31m\xff\"}", b"", b"\xff\xfe"];
    for (at, name) in names.into_iter().enumerate() {
        if name.to_string_lossy().contains('\0') || name.to_string_lossy().starts_with('-') {
            continue;
        }
        let batch = |it: OsString| vec!["--batch".into(), it];
        let run = |list: Vec<OsString>| assert_ne!(quiet(&bench, &list), 0, "{list:?}");
        run(batch(name.clone()));
        run(vec!["export".into(), name.clone()]);
        run(vec!["--json".into(), "--batch".into(), name.clone()]);
        let flag = |it: &str| {
            let mut list = batch("x.json".into());
            list.extend([it.into(), name.clone()]);
            list
        };
        for it in ["--engine", "--profile", "--until", "--theme", "--resume", "--retry"] {
            run(flag(it));
        }
        for ending in [".json", ".diff", ".json.gz"] {
            let mut file = name.clone();
            file.push(ending);
            if file.to_string_lossy().contains('/') {
                continue;
            }
            fs::write(bench.path("").join(&file), garbage[at % garbage.len()]).expect("written");
            quiet(&bench, &batch(file));
        }
    }
}

/// C2: the person's own files, which a repository or a colleague may have handed them.
#[test]
fn settings_and_themes_are_quoted_as_text() {
    let bench = Bench::new();
    let target = bench.file("pr.json", capture(3, 5).to_string());
    let escapes = "\\u001b[2J\\u202e\\u200b\\u009b31m";
    let raw = "\u{202e}\u{200b}\u{9b}31m";
    for text in [
        format!("theme = \"{escapes}\""),
        format!("engine = \"{escapes}\""),
        format!("\"{escapes}\" = 1"),
        format!("active_profile = \"{escapes}\""),
        format!("mouse = \"{escapes}\""),
        format!("[profile.\"{escapes}\"]\nascii = 1"),
        format!("[keys]\nquit = [\"{escapes}\"]"),
        "[keys]\nquit = [\"\\u202e\", \"\\u200b\"]".to_owned(),
        format!("[keys]\n\"{escapes}\" = \"q\""),
        format!("# {raw}\nx = {raw}"),
        raw.to_owned(),
        "\u{1b}[2J = \u{7}".to_owned(),
    ] {
        bench.file("config/casefile/config.toml", &text);
        bench
            .file("config/casefile/themes/x\u{1b}[2J\u{202e}.toml", format!("bad = \"{escapes}\""));
        for list in [
            &["config", "show", "--origin"][..],
            &["config", "keys"],
            &["config", "path"],
            &["themes"],
            &["themes", "--json"],
            &["doctor"],
            &["doctor", "--json"],
            &["--batch", &target],
            &["--batch", &target, "-vv", "--profile", "none"],
            &["--theme", "x\u{1b}[2J\u{202e}", "demo"],
            &["status"],
        ] {
            quiet(&bench, &args(list));
        }
    }
}

/// C2: what git says about a repository and its branches.
#[test]
fn what_git_says_is_relayed_as_text() {
    let bench = Bench::new();
    let folder = bench.path("repo\u{1b}[2J\u{202e}");
    fs::create_dir(&folder).expect("made");
    let git = |list: &[&str]| {
        let mut git = Command::new("git");
        git.current_dir(&folder).env("HOME", bench.path("person"));
        git.args(["-c", "user.name=a\u{202e}\u{1b}[2J", "-c", "user.email=a@b"]).args(list);
        assert!(git.output().expect("git runs").status.success(), "{list:?}");
    };
    git(&["init", "-q", "-b", "ma\u{202e}in"]);
    fs::write(folder.join("a\u{1b}[2J\t\u{200b}.txt"), "one\u{1b}[2J\n").expect("written");
    git(&["add", "."]);
    git(&["commit", "-qm", "first \u{1b}]0;owned\u{7}\u{202e}"]);
    fs::write(folder.join("a\u{1b}[2J\t\u{200b}.txt"), "two\u{9b}31m\n").expect("written");
    git(&["commit", "-qam", "second \u{1b}]0;owned\u{7}\u{202e}\r"]);
    for range in
        ["HEAD~1..HEAD", "no\u{1b}[2J\u{202e}..HEAD", "HEAD..\u{9b}31m", "ma\u{202e}in~1.."]
    {
        for command in [&["--batch"][..], &["--batch", "--json"], &["export"]] {
            let mut run = bench.command();
            run.current_dir(&folder).args(command).arg(range);
            let output = run.output().expect("it starts");
            for bytes in [&output.stdout, &output.stderr] {
                assert_eq!(outside_text(bytes), None, "{command:?} {range:?}");
            }
        }
    }
}

/// C2: what a model answers, as an answer, as nonsense and as the reason it gives for none.
#[cfg(feature = "test-support")]
#[test]
fn what_a_model_says_leaves_as_text() {
    let raw = "\u{1b}]0;owned\u{7}\u{9b}2J\u{202e}\u{200b}\r\u{e0041}";
    let unseen = "\u{202e}\u{200b}\u{e0041}";
    let entry = serde_json::json!({"threads": [{
        "thread_id": "T1", "status": "unresolved", "text": format!("Unresolved: a{unseen}b?"),
        "decision": null, "open_question": format!("o{unseen}q"), "next_actor": "author",
        "positions": [{"who": format!("w{unseen}o"), "stance": format!("s{unseen}t"), "cites": ["c1"]}],
        "cites": ["c1"]}, {
        "thread_id": format!("T9{raw}"), "status": "noted", "text": format!("Noted: {raw}"),
        "next_actor": "none", "cites": [format!("c1{raw}")]}], "comments": []});
    for answer in
        [entry.to_string(), raw.to_owned(), format!("!{raw}"), format!("{{\"{raw}\": 1}}")]
    {
        let bench = Bench::new();
        let target = bench.file("pr.json", crate::bench::capture(1).to_string());
        for call in 1..4 {
            bench.file(&format!("script/{call}.txt"), &answer);
        }
        let model = bench.path("script").display().to_string();
        bench
            .file("config/casefile/config.toml", format!("engine = 'scripted'\nmodel = '{model}'"));
        bench.file("out/.keep", "");
        let log = bench.path("out/all.log").display().to_string();
        let events = bench.path("out/events.jsonl").display().to_string();
        let list = ["--batch", &target, "-vv", "--log-file", &log, "--events", &events];
        quiet(&bench, &args(&list));
        quiet(&bench, &args(&["--batch", &target, "--json"]));
        for format in ["md", "html", "json"] {
            quiet(&bench, &args(&["export", &target, "--format", format]));
        }
        quiet(&bench, &args(&["status", &target, "--json"]));
        assert!(bench.path("script/1.prompt").exists(), "the model was asked");
        assert!(clean_files(&bench, "out") + clean_files(&bench, "data") >= 3);
    }
}

/// C2: a document shown in a terminal is escaped; the way out of the screen leaves nothing.
#[test]
fn a_document_in_a_terminal_is_escaped() {
    let bench = Bench::new();
    let hostile = bench.file("pr.json", capture(50, 9).to_string());
    let rig = casefile(&["capture", &hostile, "-o", "-"]).run();
    assert_eq!(rig.exit(), 0);
    rig.wait_for("the end of the document", |it| it.contents().trim_end().ends_with('}'));
    let log = String::from_utf8(rig.log()).expect("UTF-8").replace("\r\n", "\n");
    assert_eq!(outside_text(log.as_bytes()), None);
}

/// C2: the text of a panic, which may quote anything, after the screen is restored.
#[cfg(feature = "test-support")]
#[test]
fn the_text_of_a_panic_is_text() {
    let said = "\u{1b}]0;owned\u{7}\u{9b}2J\u{202e}\u{200b}\rend-of-it";
    let start = casefile(&["demo"]).env("CASEFILE_PANIC_KEY", "F12");
    let mut rig = start.env("CASEFILE_PANIC_TEXT", said).run();
    rig.wait("Cargo.toml");
    rig.press("\x1b[24~");
    assert_eq!(rig.exit(), 70);
    rig.wait("end-of-it");
    rig.assert_restored();
    let log = String::from_utf8(rig.log()).expect("UTF-8");
    let (_, after) = log.rsplit_once("\x1b[?1049l").expect("the screen is left");
    assert!(after.contains("␛]0;owned␇<U+009B>2J<U+202E><U+200B>␍end-of-it"), "{after:?}");
    assert_eq!(crate::ptyrig::outside_vocabulary(after.replace("\r\n", " ").as_bytes()), None);
}

/// C2: what is copied, the editor's troubles, a theme and a target typed or pasted by hand. Beside
/// our vocabulary only the clipboard's sequence leaves, base64 in it.
#[test]
fn keys_that_lead_outside_let_nothing_out() {
    let bench = Bench::new();
    let hostile = bench.file("pr.json", capture(60, 13).to_string());
    let start = casefile(&[&hostile]).env("SSH_TTY", "/dev/pts/9");
    let mut rig = start.env("EDITOR", "no\u{9b}2J\u{202e}editor \u{200b}").run();
    rig.wait("next of");
    for _ in 0..12 {
        for keys in ["jjjj", "y", "e", "jy", "Y"] {
            rig.press(keys);
            rig.settle();
        }
        rig.press("}");
        rig.settle();
    }
    for typed in [":theme \u{9b}2J\u{202e}x", ":open \u{202e}\u{200b}\u{9b}no.json"] {
        rig.press(typed);
        rig.settle();
        rig.press("\r");
        rig.settle();
        rig.press("\x1b");
        rig.settle();
    }
    rig.press("\x1b[200~/\u{202e}\x07paste\u{9d}0;x\x1b[201~");
    rig.settle();
    rig.press("\x1b");
    rig.settle();
    assert_eq!(rig.quit(), 0);
    let log = String::from_utf8(rig.log()).expect("UTF-8");
    let (mut rest, mut own, mut copies) = (log.as_str(), String::new(), 0);
    while let Some((before, after)) = rest.split_once("\x1b]52;c;") {
        let (text, after) = after.split_once('\x07').expect("the sequence ends");
        assert!(text.bytes().all(|it| it.is_ascii_alphanumeric() || b"+/=".contains(&it)));
        own.push_str(before);
        (rest, copies) = (after, copies + 1);
    }
    own.push_str(rest);
    assert!(copies > 10, "{copies} copies were sent");
    assert_eq!(crate::ptyrig::outside_vocabulary(own.as_bytes()), None);
    rig.assert_restored();
}
