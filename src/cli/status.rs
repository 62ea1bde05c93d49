//! `casefile status`: what stands, what is stale and why, what would run again and at what cost.
//! Must not run or repair anything.

use crate::batch::{
    self, document,
    event::word,
    result::{phase_json, reason},
    work,
};
use crate::cli::{access, args::Args, settings};
use crate::config::places;
use crate::domain::text::{Surface, display};
use crate::driver::{self, report::Cancel};
use crate::failure::Failure;
use crate::task::dossier::{DossierEntry, DossierStatus, TaskStatus, Verdict};
use crate::task::phase::{Phase, PhaseStatus};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Prints the state of one target, or of every dossier of the data folder.
pub fn print(target: Option<&str>, args: &Args) -> Result<u8, Failure> {
    let found = match target {
        Some(name) => {
            let config = settings::load(args)?;
            let settings = settings::driver(args, &config, false)?;
            let source = access::source(args, &config)?;
            let target = work::open(name, &source, &access::tell(args), &Cancel::default())?;
            vec![driver::status(&target, &settings)?]
        }
        None => driver::dossiers(&places::data_home()?).into_iter().map(listed).collect(),
    };
    let text = if args.common.json { document(&found) } else { readable(&found, target.is_some()) };
    batch::print(&text)?;
    Ok(0)
}

/// A dossier of the list; its tasks are looked at only when it is named.
fn listed(entry: DossierEntry) -> DossierStatus {
    DossierStatus { entry, tasks: Vec::new() }
}

fn document(found: &[DossierStatus]) -> String {
    let dossiers: Vec<Value> = found.iter().map(dossier).collect();
    document::of(&json!({ "ok": true, "exit": 0, "dossiers": dossiers }))
}

fn dossier(it: &DossierStatus) -> Value {
    let entry = &it.entry;
    let phases = entry.phases.iter().map(|(phase, status)| phase_json(*phase, status));
    json!({
        "repository": entry.repository,
        "number": entry.number,
        "title": entry.title,
        "root": entry.root.to_string_lossy(),
        "captured_at": entry.captured_at,
        "threads": {
            "total": entry.threads.total,
            "settled": entry.threads.settled,
            "unresolved": entry.threads.unresolved,
            "noted": entry.threads.noted,
            "unsummarised": entry.threads.unsummarised,
        },
        "phases": phases.collect::<Vec<_>>(),
        "tasks": it.tasks.iter().map(task).collect::<Vec<_>>(),
    })
}

fn task(it: &TaskStatus) -> Value {
    let (verdict, why) = verdict(&it.verdict);
    let last = it.last.as_ref().map(|last| {
        json!({
            "status": word(&last.state), "attempt": last.attempt, "engine": last.engine,
            "model": last.model, "started_at": last.started_at, "elapsed_ms": last.elapsed_ms,
            "fingerprint": last.fingerprint,
        })
    });
    json!({
        "task_id": it.task_id,
        "verdict": verdict,
        "reason": why,
        "would_run": runs(&it.verdict),
        "threads": { "again": it.threads.0, "total": it.threads.1 },
        "calls": it.calls,
        "tokens": it.tokens,
        "last": last,
    })
}

/// The word for a verdict, and what changed.
fn verdict(it: &Verdict) -> (&'static str, Option<&str>) {
    match it {
        Verdict::Fresh => ("fresh", None),
        Verdict::Missing => ("missing", None),
        Verdict::Stale(why) => ("stale", Some(why)),
        Verdict::Damaged(why) => ("damaged", Some(why)),
        Verdict::Pinned => ("pinned", None),
    }
}

/// Whether the next run would do the work.
fn runs(it: &Verdict) -> bool {
    !matches!(it, Verdict::Fresh | Verdict::Pinned)
}

fn readable(found: &[DossierStatus], named: bool) -> String {
    if found.is_empty() {
        return "No dossiers yet. `casefile --batch TARGET` makes one.\n".to_owned();
    }
    let mut text = String::new();
    for it in found {
        line(&mut text, &title(&it.entry));
        line(&mut text, &format!("  threads   {}", threads(&it.entry)));
        line(&mut text, &format!("  phases    {}", phases(&it.entry.phases)));
        for task in &it.tasks {
            sentence(&mut text, task);
        }
        if named {
            line(&mut text, &format!("  dossier in {}", it.entry.root.display()));
        }
    }
    text
}

/// The only way into the text: one line, safe to print.
fn line(text: &mut String, content: &str) {
    text.push_str(&display(content, Surface::Inline));
    text.push('\n');
}

fn title(entry: &DossierEntry) -> String {
    let taken = entry.captured_at.as_deref().map_or_else(String::new, |it| format!("  ({it})"));
    format!("{} {}{taken}", entry.label(), entry.title.inline())
}

fn threads(entry: &DossierEntry) -> String {
    let it = &entry.threads;
    let mut text = format!(
        "{}: {} unresolved, {} settled, {} noted",
        it.total, it.unresolved, it.settled, it.noted
    );
    if it.unsummarised > 0 {
        write!(text, ", {} without a summary", it.unsummarised).expect("text takes all");
    }
    text
}

fn phases(all: &[(Phase, PhaseStatus)]) -> String {
    let one = |(phase, status): &(Phase, PhaseStatus)| {
        let reason = reason(status).map_or_else(String::new, |it| format!(" ({it})"));
        format!("{} {}{reason}", phase.name(), status.word())
    };
    if all.is_empty() {
        "none ran yet".to_owned()
    } else {
        all.iter().map(one).collect::<Vec<_>>().join(", ")
    }
}

/// One task in words: how it stands, why, and what the next run would do.
fn sentence(text: &mut String, task: &TaskStatus) {
    let state = match &task.verdict {
        Verdict::Fresh => "up to date; the next run loads it".to_owned(),
        Verdict::Missing => "not made yet".to_owned(),
        Verdict::Stale(why) => format!("stale: {why}"),
        Verdict::Damaged(why) => format!("damaged: {why}; it is kept aside and made again"),
        Verdict::Pinned => "left out, since the review is pinned to commits".to_owned(),
    };
    line(text, &format!("  {}: {state}", task.task_id));
    if let Some(last) = &task.last {
        let when = last.started_at.as_deref().map_or_else(String::new, |it| format!(" {it}"));
        line(text, &format!("    last: {}{when}, by {}", word(&last.state), last.engine));
    }
    if runs(&task.verdict) {
        line(text, &format!("    next run: {}", cost(task)));
    }
}

fn cost(task: &TaskStatus) -> String {
    let (again, total) = task.threads;
    let calls = match task.calls {
        0 => "no model is called".to_owned(),
        calls => format!("{calls} calls, at most {} tokens sent", task.tokens),
    };
    format!("{again} of {total} threads summarised again; {calls}")
}
