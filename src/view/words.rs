//! The words and marks that several screens share, so that a thing is called the same everywhere.
//! Must not lay out.

use crate::domain::text::outside::Outside;
use crate::{
    app::{
        age::age,
        facts::{self, Fact, Standing, Tally},
        prose::{Mark, Run},
    },
    domain::{
        actor::{Actor, Identity},
        capture::{Comment, Thread},
        since::Fresh,
        text::{self, Surface},
    },
    summary::discussion::NextActor,
    view::{line::Tone, paint::Pen},
};

/// The mark of a thread, and its tone.
pub fn mark(fact: &Fact) -> (&'static str, Tone) {
    match fact.standing {
        Standing::Open => ("⚑", Tone::Unresolved),
        Standing::Settled => ("✓", Tone::Settled),
        Standing::Noted => ("✓", Tone::Noted),
    }
}

/// The heading of a group of threads.
pub fn standing(it: Standing) -> &'static str {
    match it {
        Standing::Open => "unresolved",
        Standing::Settled => "settled",
        Standing::Noted => "noted, nothing to decide",
    }
}

/// Who has to move.
pub fn next_actor(it: NextActor) -> &'static str {
    match it {
        NextActor::Author => "author",
        NextActor::Reviewer => "reviewer",
        NextActor::None => "–",
    }
}

/// One line of outside text.
pub fn inline(outside: &str) -> String {
    text::display(outside, Surface::Inline).into_owned()
}

/// The writer of a comment; a deleted account is a ghost.
pub fn author(comment: &Comment) -> (String, Tone) {
    match (Actor::of(comment, &Identity::default()), &comment.author) {
        (Actor::Bot, Some(name)) => (name.inline().into_owned(), Tone::Bot),
        (Actor::Ghost, _) | (_, None) => ("ghost".to_owned(), Tone::Muted),
        (_, Some(name)) => (name.inline().into_owned(), Tone::Author),
    }
}

/// `[bot]` where the name does not say so itself.
pub fn bot_tag(comment: &Comment) -> &'static str {
    let bot = Actor::of(comment, &Identity::default()) == Actor::Bot;
    let says = comment.author.as_ref().is_some_and(|it| it.inline().ends_with("[bot]"));
    if bot && !says { " [bot]" } else { "" }
}

/// What else a comment is, behind its writer and age: new to the person, changed, not given yet.
pub fn about(pen: &mut Pen, comment: &Comment, fresh: Option<Fresh>) {
    if let Some(fresh) = fresh {
        self::fresh(pen, fresh);
    }
    if comment.last_edited_at.is_some() && fresh != Some(Fresh::Edited) {
        pen.write(" · edited", Tone::Muted);
    }
    if facts::pending(comment) {
        pen.write(" · pending, only you see it", Tone::Warning);
    }
}

/// When a comment was written.
pub fn when(comment: &Comment, now: i64) -> String {
    age(comment.created_at.as_deref(), now)
}

/// `path R118`, `path L2–4`, `path (file)`: where a thread was said, as people name it.
pub fn anchor(thread: &Thread) -> String {
    let path = thread.path.display(Surface::Code { tab_width: 1 });
    let side = match thread.side.as_deref() {
        Some("LEFT") => "L",
        Some(_) => "R",
        None => "",
    };
    let was = if thread.line.is_none() && thread.original_line.is_some() { "was " } else { "" };
    let line = thread.line.or(thread.original_line);
    let start = if thread.line.is_some() { thread.start_line } else { thread.original_start_line };
    match (line, start.filter(|it| Some(*it) != line)) {
        _ if thread.subject_type.as_deref() == Some("file") => format!("{path} (file)"),
        (Some(line), Some(start)) => format!("{path} {was}{side}{start}–{line}"),
        (Some(line), None) => format!("{path} {was}{side}{line}"),
        (None, _) => path.into_owned(),
    }
}

/// Writes `⚑5 ✓12`, leaving zeros out.
pub fn tally(pen: &mut Pen, tally: &Tally) {
    for (number, sign, tone) in
        [(tally.open, "⚑", Tone::Unresolved), (tally.closed(), "✓", Tone::Settled)]
    {
        if number > 0 {
            pen.write(&format!(" {sign}{number}"), tone);
        }
    }
    if tally.fresh > 0 {
        pen.write(&format!(" ●{}", tally.fresh), Tone::Match);
    }
}

/// Writes the mark of a comment that is new to the person.
pub fn fresh(pen: &mut Pen, it: Fresh) {
    let word = match it {
        Fresh::New => " ● new",
        Fresh::Edited => " ● edited",
    };
    pen.write(word, Tone::Match);
}

/// The tone of a run of a comment.
pub fn prose(mark: Mark) -> Tone {
    match mark {
        Mark::Plain => Tone::Text,
        Mark::Muted => Tone::Muted,
        Mark::Strong | Mark::Emphasis | Mark::Heading => Tone::Strong,
        Mark::Code => Tone::CodeInline,
        Mark::Block => Tone::CodeBlock,
        Mark::Quote => Tone::Quote,
        Mark::Link => Tone::Link,
        Mark::Added => Tone::Added,
        Mark::Removed => Tone::Removed,
        Mark::Warning => Tone::Warning,
    }
}

/// Writes the runs of a comment's line.
pub fn runs(pen: &mut Pen, runs: &[Run]) {
    for run in runs {
        pen.write(&run.text, prose(run.mark));
    }
}

/// The first line of words of a comment.
pub fn first_words(comment: &Comment) -> String {
    let Some(body) = &comment.body else { return String::new() };
    let fits = |it: &Outside<&str>| {
        let shown = it.inline();
        !shown.trim().is_empty() && !shown.trim_start().starts_with(['>', '<', '`'])
    };
    let line = body.lines().take(40).find(fits).or_else(|| body.lines().next());
    let mut line = line.unwrap_or_default().inline().into_owned();
    if line.len() > 400 {
        line = text::clip(&line, 400);
    }
    line.replace("**", "").trim_start_matches(['#', ' ']).to_owned()
}
