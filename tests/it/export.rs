//! A dossier as a document: every thread in it once, nothing foreign live in it, and a real
//! browser that shows it.

use crate::{bench::Bench, shared::shared};
use casefile::{
    domain::{actor::Identity, capture::Capture, digest::Digest, review::Review},
    export,
    summary::{
        assemble::assemble,
        discussion::{Discussion, Usage},
        extract::extract,
        maker::{Made, Maker},
        project::Cuts,
    },
};
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag};
use std::{
    fs,
    path::Path,
    process::Command,
    sync::{Arc, LazyLock},
};

const SCHEMA: &str = include_str!("../../docs/dossier.schema.json");
const DEMO: &str = include_str!("../../assets/demo/capture.json");

fn dossier(bytes: &str) -> (Review, Discussion) {
    let capture: Capture = serde_json::from_str(bytes).expect("a capture");
    let made = Made {
        maker: Maker::extractive(),
        capture_digest: Digest::of(bytes),
        projection_digest: Digest::of(""),
        made_at: "2026-03-12T16:41:00Z".into(),
        usage: Usage::default(),
    };
    let us = Identity::default();
    let entries = extract(&capture, &us);
    let discussion = assemble(&capture, entries, None, &[], &Cuts::default(), made, &us);
    (Review::of(Arc::new(capture)), discussion)
}

/// One dossier, and its page, which several tests look at.
struct Sample {
    name: String,
    review: Review,
    discussion: Discussion,
    page: String,
}

impl Sample {
    fn of(name: &str, bytes: &str) -> Self {
        let (review, discussion) = dossier(bytes);
        let page = export::html(&review, &discussion);
        Self { name: name.into(), review, discussion, page }
    }
}

/// Real captures that differ most: the biggest change, the most and the longest threads, none of
/// the files, a bot's review with foreign HTML, all outdated, a diff of one file.
const REAL: [&str; 6] =
    ["opcua-3918", "secp256k1-558", "gui-121", "aidotnet-393", "bips-2040", "sonde-533"];

/// The demo, and real captures where they are.
fn samples() -> &'static [Sample] {
    static SAMPLES: LazyLock<Vec<Sample>> = LazyLock::new(|| {
        let mut out = vec![Sample::of("demo", DEMO)];
        for path in REAL.iter().filter_map(|it| shared(&format!("real/captures/{it}.json"))) {
            let bytes = fs::read_to_string(&path).expect("a readable capture");
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            out.push(Sample::of(&name, &bytes));
        }
        out
    });
    &SAMPLES
}

#[test]
fn every_thread_and_comment_is_on_the_page_once() {
    for Sample { name, review, page, .. } in samples() {
        for (at, thread) in review.capture.review_threads.iter().enumerate() {
            let card = format!("id=\"t{}\"", at + 1);
            assert_eq!(page.matches(&card).count(), 1, "{name}: {card}");
            for comment in 0..thread.comments.len() {
                let id = format!("id=\"t{}-c{}\"", at + 1, comment + 1);
                assert_eq!(page.matches(&id).count(), 1, "{name}: {id}");
            }
        }
        for at in 0..review.capture.issue_comments.len() {
            let id = format!("<li id=\"m{}\"", at + 1);
            assert_eq!(page.matches(&id).count(), 1, "{name}: {id}");
        }
    }
}

#[test]
fn every_link_inside_the_page_leads_somewhere() {
    for Sample { name, page, .. } in samples() {
        for link in page.split("href=\"#").skip(1) {
            let target = link.split('"').next().expect("a quote");
            assert!(page.contains(&format!("id=\"{target}\"")), "{name}: #{target}");
        }
    }
}

#[test]
fn nothing_on_the_page_is_fetched_run_or_hidden() {
    for Sample { name, page, .. } in samples() {
        for forbidden in [
            "<script", "<img", "<iframe", "<link", "<object", "<svg", " src=", " style=", "url(",
            "@import",
        ] {
            assert!(!page.contains(forbidden), "{name}: {forbidden}");
        }
        for link in page.split(" href=\"").skip(1) {
            let ok = link.starts_with('#')
                || link.starts_with("https://")
                || link.starts_with("http://");
            assert!(ok, "{name}: {}", &link[..40]);
        }
        let hostile = |it: &char| {
            it.is_control() && *it != '\n'
                || matches!(it, '\u{202a}'..='\u{202e}' | '\u{200b}' | '\u{2066}'..='\u{2069}')
        };
        assert_eq!(page.chars().find(hostile), None, "{name}");
        assert!(page.contains(
            "Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-"
        ));
    }
}

#[test]
fn every_element_of_the_page_closes_in_order() {
    const VOID: [&str; 6] = ["!doctype", "meta", "br", "hr", "col", "img"];
    for Sample { name, page, .. } in samples() {
        let mut open = Vec::new();
        for part in page.split('<').skip(1) {
            let tag = part.split(['>', ' ']).next().expect("a name");
            match tag.strip_prefix('/') {
                Some(tag) => assert_eq!(open.pop(), Some(tag), "{name}: {part:.80}"),
                None if VOID.contains(&tag) => {}
                None => open.push(tag),
            }
        }
        assert_eq!(open, Vec::<&str>::new(), "{name}");
    }
}

#[test]
fn a_big_change_makes_a_page_of_reasonable_size() {
    for Sample { name, page, .. } in samples() {
        assert!(page.len() < 3 << 20, "{name}: {} bytes", page.len());
        if name == "opcua-3918" {
            assert!(page.contains("more files without threads"));
            assert!(page.contains("diff lines are not in this document"));
        }
    }
}

#[test]
fn a_browser_shows_the_page() {
    let Some(browser) = browser() else {
        println!("skipped: no chromium on PATH, the page is not opened in a browser");
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let (review, discussion) = dossier(DEMO);
    let page = folder.path().join("dossier.html");
    fs::write(&page, export::html(&review, &discussion)).expect("written");
    let shot = folder.path().join("shot.png");
    let dom = open(&browser, &page, &["--dump-dom"]);
    let parsed = String::from_utf8(dom).expect("a document in UTF-8");
    assert_eq!(
        parsed.matches("<article class=\"thread").count(),
        review.capture.review_threads.len()
    );
    assert!(parsed.contains("<footer>"), "the page is whole");
    assert!(!parsed.contains("<script"));
    let picture = format!("--screenshot={}", shot.display());
    open(&browser, &page, &["--window-size=1280,900", &picture]);
    assert!(fs::metadata(&shot).expect("a picture").len() > 20_000, "the picture shows something");
}

fn browser() -> Option<std::path::PathBuf> {
    let path = std::env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome"];
    std::env::split_paths(&path)
        .flat_map(|it| names.map(|name| it.join(name)))
        .find(|it| it.is_file())
}

fn open(browser: &Path, page: &Path, flags: &[&str]) -> Vec<u8> {
    let profile = tempfile::tempdir().expect("a folder");
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .args(flags)
        .arg(page)
        .output()
        .expect("the browser starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

#[test]
fn the_json_is_what_the_published_schema_says() {
    let schema = serde_json::from_str(SCHEMA).expect("the schema is JSON");
    let validator = jsonschema::validator_for(&schema).expect("the schema is one");
    for Sample { name, review, discussion, .. } in samples() {
        let text = export::json(review, discussion);
        let json: serde_json::Value = serde_json::from_str(&text).expect("the export is JSON");
        let faults: Vec<_> = validator.iter_errors(&json).map(|it| it.to_string()).collect();
        assert_eq!(faults, Vec::<String>::new(), "{name}");
        let threads = json["threads"].as_array().expect("threads");
        assert_eq!(threads.len(), review.capture.review_threads.len(), "{name}");
        for (thread, raw) in threads.iter().zip(&review.capture.review_threads) {
            assert_eq!(thread["comments"].as_array().expect("comments").len(), raw.comments.len());
        }
        let mut wrong = json.clone();
        wrong["threads"][0]["place"]["kind"] = "somewhere".into();
        wrong["surprise"] = true.into();
        assert_eq!(validator.iter_errors(&wrong).count(), 2, "{name}: the schema is strict");
    }
}

/// After a change of the form: `CASEFILE_BLESS=1 cargo test --test it published_schema`.
#[test]
fn the_published_schema_is_made_from_the_form() {
    if std::env::var_os("CASEFILE_BLESS").is_some() {
        fs::write("docs/dossier.schema.json", export::json::schema()).expect("written");
        return;
    }
    assert!(SCHEMA == export::json::schema(), "docs/dossier.schema.json is old; see this test");
}

#[test]
fn the_markdown_holds_everything_and_nothing_in_it_acts() {
    for Sample { name, review, discussion, .. } in samples() {
        let text = export::markdown(review, discussion);
        let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_GFM;
        let mut headings = 0;
        let mut fences = 0;
        for event in Parser::new_ext(&text, options) {
            match event {
                Event::Html(it) | Event::InlineHtml(it) => panic!("{name}: live HTML {it}"),
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    panic!("{name}: live address {dest_url}");
                }
                Event::Start(Tag::Heading { level: HeadingLevel::H3, .. }) => headings += 1,
                Event::Start(Tag::CodeBlock(_)) => fences += 1,
                _ => {}
            }
        }
        let threads = &review.capture.review_threads;
        let comments = threads.iter().map(|it| it.comments.len()).sum::<usize>();
        assert_eq!(headings, threads.len(), "{name}");
        assert_eq!(fences, comments + review.capture.issue_comments.len(), "{name}");
        assert_eq!(text.chars().find(|it| it.is_control() && *it != '\n'), None, "{name}");
    }
}

/// Not a test of anything: writes the demo's documents to a folder, to be looked at.
#[test]
#[ignore = "writes files; run with EXPORT_TO=folder"]
fn write_documents() {
    let to = std::env::var("EXPORT_TO").expect("EXPORT_TO names a folder");
    for Sample { name, review, discussion, page } in samples() {
        let path = |end: &str| Path::new(&to).join(format!("{name}.{end}"));
        fs::write(path("html"), page).expect("written");
        fs::write(path("md"), export::markdown(review, discussion)).expect("written");
        fs::write(path("json"), export::json(review, discussion)).expect("written");
    }
}

#[test]
fn the_command_writes_each_format_and_says_what_is_wrong() {
    let bench = Bench::new();
    let target = bench.file("pr.json", DEMO);
    for (format, begins) in
        [("md", "# acme/store"), ("json", "{\n  \"format\""), ("html", "<!doctype html>")]
    {
        let ran = bench.run(&["export", &target, "--format", format]);
        assert_eq!(ran.code, 0, "{format}: {}", ran.err);
        assert!(ran.out.starts_with(begins), "{format}: {:.60}", ran.out);
        assert!(!ran.out.contains('\u{1b}') || format == "json", "{format}");
        let name = format!("out.{format}");
        let ran_again = bench.run(&["export", &target, "--format", format, "-o", &name]);
        assert_eq!((ran_again.code, ran_again.out.as_str()), (0, ""), "{}", ran_again.err);
        assert_eq!(fs::read_to_string(bench.path(&name)).expect("written"), ran.out, "{format}");
    }
    assert_eq!(bench.run(&["export", "nowhere.json"]).code, 65);
    assert_eq!(bench.run(&["export", &target, "--format", "pdf"]).code, 2);
}

#[test]
fn what_makes_a_summary_doubtful_is_in_every_format() {
    let (review, mut discussion) = dossier(DEMO);
    for thread in &mut discussion.threads {
        thread.checks.retain(|it| it != "not-sent"); // those where nothing counts
    }
    for (at, check) in
        ["not-sent", "degraded: no entry", "stale: 2 new comments"].iter().enumerate()
    {
        discussion.threads[at].checks = vec![(*check).into()];
    }
    discussion.threads[0].comments_omitted = 5;
    discussion.omitted.threads_omitted = 3;
    discussion.provenance.model = Some("small".into());
    let (html, md, json) = (
        export::html(&review, &discussion),
        export::markdown(&review, &discussion),
        export::json(&review, &discussion),
    );
    for told in [
        "1 thread not sent to the model (beyond a budget, or nothing in it counts); extracted instead.",
        "1 thread degraded: the model&#39;s entry was missing or wrong, extracted instead.",
        "1 thread stale: new comments since the summary was made.",
        "Over budget: the summaries did not see 3 threads.",
        "Only 14 of 16 top-level comments were captured",
    ] {
        assert!(html.contains(told), "{told}");
        let told = told.replace("&#39;", "'");
        assert!(md.contains(&told) && json.contains(&told), "{told}");
    }
    for check in ["not-sent", "degraded: no entry", "stale: 2 new comments"] {
        assert!(
            html.contains(&format!("<li>{check}</li>"))
                && md.contains(check)
                && json.contains(check)
        );
    }
    assert!(html.contains("5 of them not seen") && md.contains("5 comments not seen"));
}

#[test]
fn a_pinned_review_shows_the_talk_and_says_why_it_has_no_summary() {
    let (review, mut discussion) = dossier(DEMO);
    discussion.pinned = true;
    discussion.threads.clear();
    discussion.omission_note = Some("Discussion left out: pinned.".into());
    for text in [export::html(&review, &discussion), export::markdown(&review, &discussion)] {
        assert!(text.contains("Discussion left out: pinned."));
        assert!(
            text.contains("54 without summary") || text.contains("<b>54</b> · without summary")
        );
    }
}
