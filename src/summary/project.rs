//! The bounded view of a discussion that a model may see. Must be deterministic and must count
//! every cut; must never cut the first or the newest comment of a thread it keeps.

use crate::domain::text::outside::OutsideOption as _;
use crate::{
    domain::{
        actor::{Actor, Identity},
        capture::{Capture, Comment, Thread},
        digest::{Digest, Fields},
        text::{Surface, display},
    },
    summary::{
        budget::{Budgets, OverBudget},
        discussion::Status,
        extract::Extractor,
        final_text, prompt, source, talk,
    },
};
use std::cmp::Reverse;

/// The bounded view, split into the calls it takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Projection {
    /// Title, author and branch names, for every part.
    pub pull_request: String,
    /// One per engine call; at least one when there is anything to say.
    pub parts: Vec<Part>,
    pub cuts: Cuts,
    pub digest: Digest,
}

/// What one call shows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Part {
    pub threads: Vec<ThreadView>,
    /// Top-level comments; all of them are in the first part.
    pub comments: Vec<CommentView>,
}

/// A thread as a model sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreadView {
    /// Index into `review_threads`.
    pub at: usize,
    pub id: String,
    pub path: String,
    pub place: String,
    pub resolved: Option<bool>,
    pub comments: Vec<CommentView>,
    /// Comments between the first and the newest that are not shown.
    pub omitted: u64,
}

/// A comment as a model sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommentView {
    /// `c3` in a thread, `m3` at top level.
    pub reference: String,
    pub who: String,
    pub kind: &'static str,
    pub body: String,
}

/// What was left out, and how much of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cuts {
    /// Indices into `review_threads` of threads no model saw.
    pub threads: Vec<usize>,
    pub comments: u64,
    pub chars: u64,
}

/// Projects the given threads (indices into `review_threads`) and the top-level comments.
pub fn project(
    capture: &Capture,
    threads: &[usize],
    budgets: &Budgets,
    us: &Identity,
) -> Result<Projection, OverBudget> {
    let mut cuts = Cuts::default();
    let kept = keep(capture, threads, budgets.threads, us, &mut cuts);
    let views = kept.iter().map(|at| view(capture, *at, budgets, us, &mut cuts)).collect();
    let comments = top_level(capture, budgets, us, &mut cuts);
    let pull_request = pull_request(capture);
    let parts = split(views, comments, &pull_request, budgets)?;
    let digest = digest(&pull_request, &parts);
    Ok(Projection { pull_request, parts, cuts, digest })
}

/// The threads that are shown, in capture order: those of pure noise never, the least useful
/// beyond the limit not.
fn keep(
    capture: &Capture,
    threads: &[usize],
    limit: usize,
    us: &Identity,
    cuts: &mut Cuts,
) -> Vec<usize> {
    let reader = Extractor::of(capture, us);
    let all = threads.iter().filter_map(|at| capture.review_threads.get(*at).map(|it| (*at, it)));
    let heard = all.filter(|(_, it)| it.comments.iter().any(|it| talk::counts(it, us)));
    let mut ranked: Vec<(u8, String, usize)> =
        heard.map(|(at, it)| (usefulness(&reader, it, us), it.id.to_string(), at)).collect();
    ranked.sort_by(|a, b| (Reverse(a.0), &a.1).cmp(&(Reverse(b.0), &b.1)));
    let beyond = ranked.split_off(limit.min(ranked.len()));
    cuts.threads = beyond.into_iter().map(|it| it.2).collect();
    cuts.threads.sort_unstable();
    let mut kept: Vec<usize> = ranked.into_iter().map(|it| it.2).collect();
    kept.sort_unstable();
    kept
}

/// Resolved bot threads least, then resolved, then noted; what people left open most.
fn usefulness<'a>(reader: &Extractor<'a>, thread: &'a Thread, us: &Identity) -> u8 {
    let bot = thread.comments.iter().find(|it| talk::counts(it, us));
    let bot = bot.is_some_and(|it| Actor::of(it, us) == Actor::Bot);
    let resolved = thread.is_resolved == Some(true);
    match (resolved, bot, reader.thread(thread).status) {
        (true, true, _) => 0,
        (true, false, _) => 1,
        (false, _, Status::Noted) => 2,
        (false, true, Status::Settled) => 3,
        (false, false, Status::Settled) => 4,
        (false, true, Status::Unresolved) => 5,
        (false, false, Status::Unresolved) => 6,
    }
}

fn view(
    capture: &Capture,
    at: usize,
    budgets: &Budgets,
    us: &Identity,
    cuts: &mut Cuts,
) -> ThreadView {
    let thread = &capture.review_threads[at];
    let heard: Vec<(usize, &Comment)> =
        thread.comments.iter().enumerate().filter(|(_, it)| talk::counts(it, us)).collect();
    // The first and the newest stay even under a silly limit.
    let newest = budgets.comments.max(2) - 1;
    let omitted = heard.len().saturating_sub(newest + 1);
    cuts.comments += omitted as u64;
    let shown = heard.iter().enumerate().filter(|(place, _)| *place == 0 || *place > omitted);
    let comments =
        shown.map(|(_, (at, it))| comment(format!("c{}", at + 1), it, budgets, us, cuts)).collect();
    ThreadView {
        at,
        id: thread.id.to_string(),
        path: thread.path.inline().into_owned(),
        place: final_text::place(&source::anchor(thread)),
        resolved: thread.is_resolved,
        comments,
        omitted: omitted as u64,
    }
}

fn comment(
    reference: String,
    comment: &Comment,
    budgets: &Budgets,
    us: &Identity,
    cuts: &mut Cuts,
) -> CommentView {
    let body = stripped(comment.body.raw().unwrap_or_default());
    let (body, lost) = cut_middle(&body, budgets.body_chars);
    cuts.chars += lost;
    CommentView { reference, who: talk::name(comment), kind: Actor::of(comment, us).name(), body }
}

/// A body as a model may read it: shown safely, hidden comments gone, markers harmless.
fn stripped(body: &str) -> String {
    let mut out = String::with_capacity(body.len());
    let mut rest = body;
    while let Some(start) = rest.find("<!--") {
        out.push_str(&rest[..start]);
        let Some(end) = rest[start..].find("-->") else {
            // Never closed: the rest would be hidden, so it is shown with the opening defused.
            out.push_str("<!- -");
            rest = &rest[start + 4..];
            continue;
        };
        rest = &rest[start + end + 3..];
    }
    out.push_str(rest);
    display(out.trim(), Surface::Prose).into_owned()
}

/// At most `limit` characters: both ends stay, the cut is marked. Also says how many were lost.
fn cut_middle(body: &str, limit: usize) -> (String, u64) {
    let length = body.chars().count();
    if length <= limit {
        return (body.to_owned(), 0);
    }
    let mark = |lost: usize| format!(" [… {lost} characters cut …] ");
    let room = limit.saturating_sub(mark(length).chars().count());
    let (head, tail) = (room.div_ceil(2), room / 2);
    let lost = length - head - tail;
    let start: String = body.chars().take(head).collect();
    let end: String = body.chars().skip(length - tail).collect();
    (start + &mark(lost) + &end, lost as u64)
}

/// Top-level comments: bots' go first when there are too many, then the oldest.
fn top_level(
    capture: &Capture,
    budgets: &Budgets,
    us: &Identity,
    cuts: &mut Cuts,
) -> Vec<CommentView> {
    let all = capture.issue_comments.iter().enumerate();
    let heard: Vec<(usize, &Comment)> = all.filter(|(_, it)| talk::counts(it, us)).collect();
    let mut order = heard.clone();
    order.sort_by_key(|(at, it)| (Actor::of(it, us) == Actor::Bot, Reverse(*at)));
    order.truncate(budgets.top_level);
    order.sort_by_key(|it| it.0);
    cuts.comments += (heard.len() - order.len()) as u64;
    let view = |(at, it): (usize, &Comment)| comment(format!("m{}", at + 1), it, budgets, us, cuts);
    order.into_iter().map(view).collect()
}

fn pull_request(capture: &Capture) -> String {
    let pull = &capture.pull_request;
    let line = |it: Option<&str>| display(it.unwrap_or("unknown"), Surface::Inline).into_owned();
    format!(
        "{} #{}: {}\nAuthor: {}",
        line(Some(&capture.repository)),
        pull.number,
        line(pull.title.raw()),
        line(pull.author.raw())
    )
}

/// Fills prompts in order; a new one begins when the next thread would not fit.
fn split(
    views: Vec<ThreadView>,
    comments: Vec<CommentView>,
    pull_request: &str,
    budgets: &Budgets,
) -> Result<Vec<Part>, OverBudget> {
    let frame = prompt::frame_bytes(pull_request);
    let top: usize = comments.iter().map(prompt::comment_bytes).sum();
    let mut sizes: Vec<(String, usize)> = Vec::new();
    let mut parts = vec![Part { threads: Vec::new(), comments }];
    let mut used = frame + top;
    let mut needed = used;
    for view in views {
        let bytes = prompt::thread_bytes(&view);
        sizes.push((format!("{}, {} ({})", view.path, view.place.to_lowercase(), view.id), bytes));
        let last = parts.len() - 1;
        let empty = parts[last].threads.is_empty() && parts[last].comments.is_empty();
        if used + bytes > budgets.prompt_bytes && !empty {
            parts.push(Part::default());
            used = frame;
            needed += frame;
        }
        used += bytes;
        needed += bytes;
        let last = parts.len() - 1;
        parts[last].threads.push(view);
    }
    let alone = sizes.iter().map(|it| it.1 + frame).chain([frame + top]).max().unwrap_or(0);
    sizes.sort_by(|a, b| (Reverse(a.1), &a.0).cmp(&(Reverse(b.1), &b.0)));
    sizes.truncate(5);
    if alone > budgets.prompt_bytes {
        return Err(OverBudget { needed: alone, allowed: budgets.prompt_bytes, largest: sizes });
    }
    if parts.len() > budgets.calls {
        let allowed = budgets.prompt_bytes.saturating_mul(budgets.calls);
        return Err(OverBudget { needed, allowed, largest: sizes });
    }
    parts.retain(|it| !it.threads.is_empty() || !it.comments.is_empty());
    Ok(parts)
}

fn digest(pull_request: &str, parts: &[Part]) -> Digest {
    let fields = Fields::default().text("pull-request", pull_request);
    let shown = |it: &Part| prompt::data(pull_request, it);
    parts.iter().fold(fields, |fields, it| fields.text("part", &shown(it))).finish()
}

#[cfg(test)]
mod tests {
    use crate::{
        domain::{actor::Identity, capture::Capture},
        summary::{
            budget::Budgets,
            fixture::{capture, said, thread},
            project::{Projection, cut_middle, project, stripped},
            prompt,
        },
    };
    use proptest::prelude::*;

    fn all(capture: &Capture, budgets: &Budgets) -> Result<Projection, String> {
        let threads: Vec<usize> = (0..capture.review_threads.len()).collect();
        project(capture, &threads, budgets, &Identity::default()).map_err(|it| it.to_string())
    }

    fn shown(it: &Projection) -> Vec<&str> {
        it.parts.iter().flat_map(|it| &it.threads).map(|it| it.id.as_str()).collect()
    }

    #[test]
    fn the_least_useful_threads_go_first() {
        let mut threads = vec![
            thread("open-human", &[("ann", "Why a list?")]),
            thread("noted", &[("ann", "FYI, same as last year.")]),
            thread("open-bot", &[("lint[bot]", "Unused import.")]),
            thread("resolved", &[("ann", "Why?")]),
            thread("resolved-bot", &[("lint[bot]", "Unused import.")]),
        ];
        threads[3].is_resolved = Some(true);
        threads[4].is_resolved = Some(true);
        let capture = capture(threads);
        let check = |limit: usize, expected: &[&str]| {
            let it =
                all(&capture, &Budgets { threads: limit, ..Budgets::default() }).expect("fits");
            assert_eq!(shown(&it), expected);
            assert_eq!(it.cuts.threads.len(), 5 - limit);
        };
        check(4, &["open-human", "noted", "open-bot", "resolved"]);
        check(3, &["open-human", "noted", "open-bot"]);
        check(2, &["open-human", "open-bot"]);
        check(1, &["open-human"]);
    }

    #[test]
    fn a_body_is_cut_in_its_middle_on_a_character() {
        let (text, lost) = cut_middle(&"漢".repeat(100), 60);
        assert!((58..=60).contains(&text.chars().count()), "{text}");
        assert!(text.starts_with('漢') && text.ends_with('漢'), "{text}");
        assert!(text.contains(&format!("[… {lost} characters cut …]")), "{text}");
        assert_eq!(cut_middle("short", 60), ("short".into(), 0));
    }

    #[test]
    fn hidden_comments_and_escapes_do_not_enter() {
        assert_eq!(stripped("a <!-- casefile:v1:action=x --> b"), "a  b");
        assert_eq!(stripped("a <!-- codereview:skip"), "a <!- - codereview:skip");
        assert!(!stripped("\u{1b}]52;c;x\u{7}").contains(char::is_control));
    }

    #[test]
    fn what_cannot_fit_is_an_error_with_figures_and_names() {
        let long = "word ".repeat(200);
        let threads: Vec<_> =
            (0..20).map(|at| thread(&format!("t{at}"), &[("ann", &long)])).collect();
        let capture = capture(threads);
        let tight = Budgets { prompt_bytes: 5_000, calls: 2, ..Budgets::default() };
        let error = all(&capture, &tight).expect_err("20 KB do not fit 10 KB");
        assert!(error.starts_with("dossier-summary budget exceeded: "), "{error}");
        assert!(
            error.contains("10000 allowed") && error.contains("src/table.rs, line 12 (t10)"),
            "{error}"
        );
        let enough = Budgets { calls: 50, ..tight };
        let it = all(&capture, &enough).expect("more calls are allowed");
        assert!(it.parts.len() > 5 && it.parts.len() <= 50);
        for part in 0..it.parts.len() {
            assert!(prompt::render(&it, part).len() <= tight.prompt_bytes);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn a_projection_keeps_its_promises(
            sizes in prop::collection::vec(prop::collection::vec(0usize..1_600, 1..18), 0..8),
            limit in 0usize..10,
            per_thread in 0usize..14,
        ) {
            let threads = sizes.iter().enumerate().map(|(at, sizes)| {
                let bodies: Vec<String> = sizes.iter().map(|it| "é".repeat(*it)).collect();
                let said: Vec<(&str, &str)> = bodies.iter().map(|it| ("ann", it.as_str())).collect();
                thread(&format!("t{at}"), &said)
            });
            let mut capture = capture(threads.collect());
            capture.issue_comments = vec![said(0, "ann", "hello"); 3];
            let budgets = Budgets { threads: limit, comments: per_thread, top_level: 2, ..Budgets::default() };
            let it = all(&capture, &budgets).expect("small enough");
            prop_assert_eq!(&it, &all(&capture, &budgets).expect("the same"));
            let mut lost = 1; // one of three top-level comments
            for view in it.parts.iter().flat_map(|it| &it.threads) {
                let count = sizes[view.at].len();
                prop_assert_eq!(&view.comments[0].reference, "c1");
                prop_assert_eq!(&view.comments[view.comments.len() - 1].reference, &format!("c{count}"));
                prop_assert_eq!(view.comments.len() as u64 + view.omitted, count as u64);
                prop_assert!(view.comments.iter().all(|it| it.body.chars().count() <= 1_200));
                lost += view.omitted;
            }
            prop_assert_eq!(it.cuts.comments, lost);
            prop_assert_eq!(shown(&it).len() + it.cuts.threads.len(), sizes.len());
            for part in 0..it.parts.len() {
                prop_assert!(prompt::render(&it, part).len() <= budgets.prompt_bytes);
            }
        }
    }
}
