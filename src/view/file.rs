//! Rows about a file as a whole: its header and the words that stand for missing content.
//! Must not count; the model did.

use crate::domain::text::outside::Outside;
use crate::{
    app::{
        desk::Desk,
        facts::Tally,
        layout::row::{List, Note},
    },
    domain::{
        anchor::{Absence, Place},
        diff::{Body, Change, FileDiff},
        text::{self, Surface},
    },
    view::{
        line::{Line, Tone},
        paint::{Pen, count},
        words,
    },
};

/// A path as people read it.
pub fn path(file: &FileDiff) -> String {
    let shown = |it: &Outside| it.display(Surface::Code { tab_width: 1 }).into_owned();
    let percent = |it: Option<u8>| it.map_or_else(String::new, |it| format!(" ({it} %)"));
    match (&file.previous_path, file.change) {
        (Some(old), Change::Renamed(alike)) => {
            format!("{} → {}{}", shown(old), shown(&file.path), percent(alike))
        }
        (Some(old), Change::Copied(alike)) => {
            format!("{} → {}, a copy{}", shown(old), shown(&file.path), percent(alike))
        }
        _ => shown(&file.path),
    }
}

/// The header row of a file.
pub fn header(desk: &Desk, at: u32, width: usize) -> Line {
    let file = &desk.review.diff.files[at as usize];
    let folded = desk.reader.folds.file_folded(at);
    let mut pen = Pen::new(width).put(if folded { "▸ " } else { "▾ " }, Tone::FileHeader);
    let mut tail = Pen::new(width / 2);
    match file.change {
        Change::Added => tail.write(" new", Tone::Muted),
        Change::Removed => tail.write(" deleted", Tone::Muted),
        _ => {}
    }
    if file.additions > 0 || file.deletions > 0 {
        tail.write(&format!(" +{}", file.additions), Tone::CountAdded);
        tail.write(&format!(" −{}", file.deletions), Tone::CountRemoved);
    }
    words::tally(&mut tail, desk.files.tallies.get(at as usize).unwrap_or(&Tally::default()));
    if let Some(hidden) = desk.hidden.count(at).filter(|it| *it > 0) {
        tail.write(&format!(" ! {}", count(hidden, "hidden character")), Tone::Warning);
    }
    if desk.viewed.files.contains(&at) {
        tail.write(" ✓ viewed", Tone::Muted);
    } else if desk.viewed.changed.contains(&at) {
        tail.write(" ~ changed since viewed", Tone::Warning);
    }
    let room = width.saturating_sub(pen.used() + tail.used());
    pen.write(&text::clip_start(&path(file), room), Tone::FileHeader);
    let tail = tail.line(Tone::Text);
    for span in tail.spans {
        pen.write(&span.text, span.tone);
    }
    pen.line(Tone::FileHeader)
}

/// A note row.
pub fn note(desk: &Desk, at: u32, note: Note, width: usize) -> Line {
    let pen = Pen::new(width).put("  ", Tone::Text);
    let Some(file) = desk.review.diff.files.get(at as usize) else {
        let text = if desk.aside.is_some() {
            "no file of the pull request changed between the two"
        } else if desk.review.capture.files.is_none() {
            "the capture holds no file list, so there is no diff to show"
        } else {
            "no file changed"
        };
        return pen.put(text, Tone::Muted).line(Tone::Text);
    };
    let (text, tone) = match note {
        Note::Said(line) => {
            let said = file.note.as_ref().map(|it| it.display(Surface::Prose));
            let line = said.as_deref().and_then(|it| it.lines().nth(usize::from(line)));
            (line.unwrap_or_default().to_owned(), Tone::Muted)
        }
        Note::Mode => (mode(file), Tone::Muted),
        Note::Body | Note::NoFiles => body(file),
    };
    pen.put(&text, tone).line(Tone::Text)
}

fn mode(file: &FileDiff) -> String {
    let octal = |it: Option<u32>| it.map_or_else(|| "none".to_owned(), |it| format!("{it:06o}"));
    let kind = |it: Option<u32>| match it {
        Some(0o120_000) => " (symbolic link)",
        Some(0o100_755) => " (executable)",
        Some(0o160_000) => " (submodule)",
        _ => "",
    };
    format!(
        "mode {}{} → {}{}",
        octal(file.old_mode),
        kind(file.old_mode),
        octal(file.new_mode),
        kind(file.new_mode)
    )
}

fn body(file: &FileDiff) -> (String, Tone) {
    match &file.body {
        Body::Binary => ("binary file, not shown".to_owned(), Tone::Muted),
        Body::Empty => ("empty file".to_owned(), Tone::Muted),
        Body::Text | Body::NoContentChange => ("no content change".to_owned(), Tone::Muted),
        Body::NotLoaded(reason) => {
            (format!("not loaded: {}", words::inline(reason)), Tone::Warning)
        }
        Body::Submodule { old, new } => {
            let short = |it: &Option<String>| {
                let id = it.as_deref().map(words::inline);
                id.map_or_else(|| "none".to_owned(), |it| it.chars().take(7).collect())
            };
            (format!("submodule {} → {}", short(old), short(new)), Tone::Muted)
        }
    }
}

/// The heading of threads without a line.
pub fn list(desk: &Desk, (piece, file): (u32, u32), list: List, width: usize) -> Line {
    if matches!(list, List::Description | List::Conversation) {
        return said(desk, list, width);
    }
    let folded = desk.reader.folds.list_folded(file, list);
    let sign = if folded { "▸ " } else { "▾ " };
    let places = &desk.review.placement.places;
    let pieces = &desk.reader.layout.pieces;
    let threads = pieces.threads(&pieces.all[piece as usize]);
    let unknown = |it: &&u32| matches!(places[**it as usize], Place::Unknown { .. });
    let number = match list {
        List::Unknown => threads.iter().filter(unknown).count(),
        _ => threads.len(),
    };
    let title = match list {
        List::Unknown => "position unknown",
        List::Outdated => "outdated",
        _ => "not in this diff",
    };
    let tone = if list == List::Outdated { Tone::Outdated } else { Tone::Warning };
    Pen::new(width).put(sign, tone).put(&format!("{title} ({number})"), tone).line(Tone::Text)
}

/// The heading of the description or the conversation, with its first or newest words.
fn said(desk: &Desk, list: List, width: usize) -> Line {
    let (entry, title) = if list == List::Description {
        (desk.said.first(), "description".to_owned())
    } else {
        (desk.said.last(), format!("conversation ({})", desk.said.len() - 1))
    };
    let open = desk.reader.folds.said_open(u16::from(list == List::Conversation));
    let pen = Pen::new(width).put(if open { "▾ " } else { "▸ " }, Tone::Title);
    let mut pen = pen.put(&title, Tone::Title);
    let marked = desk.said.iter().filter_map(|it| desk.news.of(it)).max();
    if let Some(fresh) = marked.filter(|_| list == List::Conversation) {
        words::fresh(&mut pen, fresh);
    }
    if let Some(entry) = entry.filter(|_| !open) {
        let (name, tone) = words::author(entry);
        pen.write(" · ", Tone::Muted);
        pen.write(&name, tone);
        pen.write(&format!(" · {}", words::first_words(entry)), Tone::Muted);
    }
    pen.line(Tone::Text)
}

/// Why the diff has no place for a thread.
pub fn absence(place: &Place) -> Option<&'static str> {
    match place {
        Place::Elsewhere(Absence::NoFiles) => Some("the capture holds no files"),
        Place::Elsewhere(Absence::PathNotInDiff) => Some("this path is not in the diff"),
        Place::Elsewhere(Absence::LineNotShown) => Some("no hunk shows this line"),
        _ => None,
    }
}
