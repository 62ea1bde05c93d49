//! What a reader must know before believing a dossier: lists cut short, summaries that are not
//! what they seem, text that hides something. Must not soften or drop any of it.

use crate::{
    domain::{anchor::Place, capture::Extent, diff::FileDiff, text::hidden},
    export::join::{Dossier, left_out},
};

/// One thing to know. `text` is ours except where it repeats a note of the export, so formats
/// pass it through `domain::text` all the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    pub weight: Weight,
    pub text: String,
}

/// How much a notice matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// The document is not all there is.
    Warning,
    Note,
}

/// Checks that mean a summary should be read with its thread, and how each is told.
const CHECKS: [(&str, &str); 7] = [
    (
        "not-sent",
        "not sent to the model (beyond a budget, or nothing in it counts); extracted instead",
    ),
    ("degraded", "degraded: the model's entry was missing or wrong, extracted instead"),
    ("stale", "stale: new comments since the summary was made"),
    ("status-mismatch", "whose status differs from the forge's own flag"),
    ("uncited-question", "with a question that the summary does not answer"),
    ("unknown-identifier", "whose summary names something the thread does not"),
    ("person-edited", "corrected by a person"),
];

/// All notices, warnings first.
pub fn notices(dossier: &Dossier<'_>) -> Vec<Notice> {
    let mut out = Vec::new();
    lists(dossier, &mut out);
    summaries(dossier, &mut out);
    files(dossier, &mut out);
    out.sort_by_key(|it| it.weight);
    out
}

/// How many characters of a file's lines and path a reader would not see.
pub fn hidden_in(file: &FileDiff) -> usize {
    let lines = file.lines.iter().map(|it| hidden(file.content(it).raw().trim_end_matches('\r')));
    file.path.hidden() + lines.sum::<usize>()
}

fn lists(dossier: &Dossier<'_>, out: &mut Vec<Notice>) {
    let it = &dossier.capture.completeness;
    for (name, extent) in [
        ("files", &it.files),
        ("threads", &it.review_threads),
        ("top-level comments", &it.issue_comments),
        ("reviews", &it.reviews),
    ] {
        if let Some(text) = cut(name, extent) {
            warn(out, text);
        }
    }
    let short = (dossier.capture.review_threads.iter())
        .filter(|it| it.comments_total.is_some_and(|total| total > it.comments.len() as u64));
    let short = short.count();
    if short > 0 {
        warn(out, format!("{} lost comments: the export was cut.", count(short, "thread")));
    }
    if dossier.capture.files.is_none() {
        warn(out, "This capture holds no files, so no thread can stand at its line.".into());
    }
}

/// `14 of 16 top-level comments (note)`, when some are missing.
pub fn cut(name: &str, extent: &Extent) -> Option<String> {
    let (fetched, total) = (extent.fetched?, extent.total?);
    let note = extent.note.as_ref().map(|it| format!(": {}", it.inline())).unwrap_or_default();
    (fetched < total).then(|| format!("Only {fetched} of {total} {name} were captured{note}."))
}

fn summaries(dossier: &Dossier<'_>, out: &mut Vec<Notice>) {
    // Otherwise the note repeats what `lists` says.
    if let Some(note) =
        dossier.discussion.omission_note.as_ref().filter(|_| dossier.discussion.pinned)
    {
        warn(out, note.clone());
    }
    for (check, told) in CHECKS {
        let found = dossier.threads.iter().filter(|it| {
            it.summary.is_some_and(|it| it.checks.iter().any(|it| it.starts_with(check)))
        });
        let found = found.count();
        if found > 0 {
            let weight = if check == "person-edited" { Weight::Note } else { Weight::Warning };
            out.push(Notice { weight, text: format!("{} {told}.", count(found, "thread")) });
        }
    }
    let omitted = &dossier.discussion.omitted;
    let hidden = hidden_comments(dossier).min(omitted.comments_omitted);
    if hidden > 0 {
        let comments = count(hidden as usize, "comment");
        let text = format!("{comments} hidden on the forge, left out of summaries.");
        out.push(Notice { weight: Weight::Note, text });
    }
    let over = [
        (omitted.threads_omitted, "thread"),
        (omitted.comments_omitted - hidden, "comment"),
        (omitted.chars_omitted, "character"),
    ];
    let over: Vec<_> =
        over.iter().filter(|it| it.0 > 0).map(|it| count(it.0 as usize, it.1)).collect();
    if !over.is_empty() {
        warn(out, format!("Over budget: the summaries did not see {}.", over.join(", ")));
    }
    if omitted.noise_comments > 0 {
        let noise = count(omitted.noise_comments as usize, "comment");
        let text =
            format!("{noise} of process chatter (CI, coverage, queues) left out of summaries.");
        out.push(Notice { weight: Weight::Note, text });
    }
}

/// Comments the forge itself hides, chatter not counted.
fn hidden_comments(dossier: &Dossier<'_>) -> u64 {
    let inline = dossier.capture.review_threads.iter().flat_map(|it| &it.comments);
    let all = dossier.capture.issue_comments.iter().chain(inline);
    all.filter(|it| it.is_minimized == Some(true) && !left_out(it)).count() as u64
}

fn files(dossier: &Dossier<'_>, out: &mut Vec<Notice>) {
    for file in &dossier.diff.files {
        let hidden = hidden_in(file);
        if hidden > 0 {
            let text = format!(
                "{} in {} shown as marks.",
                count(hidden, "hidden character"),
                file.path.raw()
            );
            warn(out, text);
        }
    }
    let lost = dossier.threads.iter().filter(|it| matches!(it.place, Place::Elsewhere(_))).count();
    if lost > 0 && dossier.capture.files.is_some() {
        let text =
            format!("{} not in this diff; listed after the last file.", count(lost, "thread"));
        out.push(Notice { weight: Weight::Note, text });
    }
}

fn warn(out: &mut Vec<Notice>, text: String) {
    out.push(Notice { weight: Weight::Warning, text });
}

/// `1 thread`, `2 threads`.
pub fn count(number: usize, of: &str) -> String {
    if number == 1 { format!("1 {of}") } else { format!("{number} {of}s") }
}
