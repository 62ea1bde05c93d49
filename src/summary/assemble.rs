//! A discussion from its parts: entries of an engine, entries carried over, a person's corrections,
//! and facts from the capture, which always win. Must not ask an engine anything.

use crate::{
    domain::{
        actor::{self, Actor, Identity},
        capture::{Capture, Comment, Extent, Id, Thread},
        digest::Digest,
    },
    summary::{
        checks,
        correction::{self, Correction},
        discussion::{Discussion, Omitted, Provenance, SCHEMA_VERSION, ThreadSummary},
        extract::{self, Extractor},
        maker::Made,
        project::Cuts,
        reuse, source,
    },
};
use std::collections::HashMap;

/// Builds the discussion of a capture. `entries` are those an engine made now, in any order;
/// a thread without one carries its last entry over, and without that is extracted.
/// `cuts` is what a projection left out (`Cuts::default()` without a model).
pub fn assemble(
    capture: &Capture,
    entries: Vec<ThreadSummary>,
    previous: Option<&Discussion>,
    corrections: &[Correction],
    cuts: &Cuts,
    made: Made,
    us: &Identity,
) -> Discussion {
    let mut fresh: HashMap<Id, ThreadSummary> =
        entries.into_iter().map(|it| (it.thread_id.clone(), it)).collect();
    let previous = previous.filter(|it| reuse::made_alike(it, &made.maker));
    let old: HashMap<&Id, &ThreadSummary> =
        previous.iter().flat_map(|it| &it.threads).map(|it| (&it.thread_id, it)).collect();
    let reader = Extractor::of(capture, us);
    let threads = capture.review_threads.iter().enumerate().map(|(at, thread)| {
        let digest = source::source_digest(thread, us);
        let made_now = fresh.remove(&thread.id);
        let carried = || {
            let it = old.get(&thread.id).filter(|it| reuse::stands(it, &digest))?;
            Some(ThreadSummary { carried: true, ..(*it).clone() })
        };
        let mut it = made_now.or_else(carried).unwrap_or_else(|| reader.thread(thread));
        if cuts.threads.contains(&at) {
            it.checks.push("not-sent".into());
        }
        let it = corrected(it, thread, &digest, corrections, &reader);
        settle_facts(it, thread, digest, &reader, us)
    });
    Discussion {
        schema_version: SCHEMA_VERSION,
        pinned: false,
        omission_note: missing(capture),
        threads: threads.collect(),
        comments: reader.comments(),
        omitted: omitted(capture, cuts, us),
        provenance: provenance(capture, made, us),
    }
}

/// The entry with what a person made of it.
fn corrected(
    mut it: ThreadSummary,
    thread: &Thread,
    digest: &Digest,
    corrections: &[Correction],
    reader: &Extractor<'_>,
) -> ThreadSummary {
    it.checks.retain(|it| !it.starts_with("stale"));
    if let Some(by) = correction::current(corrections, &thread.id) {
        correction::apply(&mut it, digest, &reader.talk(thread), by);
    }
    it
}

/// Facts belong to the capture: whatever an engine said of them is overwritten.
fn settle_facts(
    mut it: ThreadSummary,
    thread: &Thread,
    digest: Digest,
    reader: &Extractor<'_>,
    us: &Identity,
) -> ThreadSummary {
    let facts = extract::facts(thread, us);
    it.anchor = facts.anchor;
    it.resolved = facts.resolved;
    it.participants = facts.participants;
    it.comments_total = facts.comments_total;
    it.comments_omitted = it.comments_omitted.max(facts.comments_omitted);
    it.source_digest = digest;
    it.checks = checks::of(&it, &reader.talk(thread));
    it
}

/// What the export lacks of the discussion, in words; a summary of a part says so.
fn missing(capture: &Capture) -> Option<String> {
    let whole = &capture.completeness;
    let lists = [
        ("review threads", &whole.review_threads, capture.review_threads.len()),
        ("top-level comments", &whole.issue_comments, capture.issue_comments.len()),
    ];
    let part = |(name, extent, held): &(&str, &Extent, usize)| {
        let total = extent.total.filter(|it| *it > *held as u64)?;
        Some(format!("{held} of {total} {name}"))
    };
    let mut parts: Vec<String> = lists.iter().filter_map(part).collect();
    let cut = capture.review_threads.iter();
    let cut = cut.filter(|it| source::total(it) > it.comments.len() as u64).count();
    if cut > 0 {
        parts.push(format!("only a part of the comments of {cut} threads"));
    }
    (!parts.is_empty()).then(|| format!("The capture holds {}.", parts.join(", ")))
}

fn omitted(capture: &Capture, cuts: &Cuts, us: &Identity) -> Omitted {
    let inline = capture.review_threads.iter().flat_map(|it| &it.comments);
    let all = || capture.issue_comments.iter().chain(inline.clone());
    let count = |test: &dyn Fn(&Comment) -> bool| all().filter(|it| test(it)).count() as u64;
    let own = |it: &Comment| Actor::of(it, us) == Actor::Own;
    let noise = |it: &Comment| !own(it) && actor::is_process_noise(it);
    let hidden = |it: &Comment| !own(it) && !noise(it) && it.is_minimized == Some(true);
    Omitted {
        noise_comments: count(&noise),
        own_comments: count(&own),
        comments_omitted: cuts.comments + count(&hidden),
        threads_omitted: cuts.threads.len() as u64,
        chars_omitted: cuts.chars,
    }
}

/// The discussion of a pinned review: left out on purpose, and saying so.
pub fn pinned(capture: &Capture, base: &str, head: &str, made: Made, us: &Identity) -> Discussion {
    Discussion {
        schema_version: SCHEMA_VERSION,
        pinned: true,
        omission_note: Some(format!(
            "Discussion left out: this review is pinned to {base}..{head}, and comments may speak of other commits."
        )),
        threads: Vec::new(),
        comments: Vec::new(),
        omitted: Omitted::default(),
        provenance: provenance(capture, made, us),
    }
}

fn provenance(capture: &Capture, made: Made, us: &Identity) -> Provenance {
    Provenance {
        discussion_digest: source::discussion_digest(capture, us),
        capture_digest: made.capture_digest,
        projection_digest: made.projection_digest,
        engine: made.maker.engine,
        model: made.maker.model,
        prompt_version: made.maker.prompt_version,
        prompt_digest: made.maker.prompt_digest,
        schema_version: SCHEMA_VERSION,
        made_at: made.made_at,
        usage: made.usage,
    }
}

#[cfg(test)]
mod tests {
    use crate::domain::text::outside::OutsideOption as _;
    use crate::{
        domain::{actor::Identity, capture::Capture, digest::Digest},
        summary::{
            assemble::{assemble, pinned},
            correction::{self, Correction, Said, withdrawal},
            discussion::{Discussion, NextActor, Origin, Status, ThreadSummary, Usage},
            extract::extract,
            final_text::markdown,
            fixture::{capture, said, thread},
            maker::{Made, Maker},
            project::Cuts,
            reuse,
        },
    };

    fn made() -> Made {
        Made {
            maker: Maker::extractive(),
            capture_digest: Digest::of("capture"),
            projection_digest: Digest::of("projection"),
            made_at: "2026-01-01T00:00:00Z".into(),
            usage: Usage::default(),
        }
    }

    fn build(capture: &Capture, old: Option<&Discussion>, said: &[Correction]) -> Discussion {
        let us = Identity::default();
        let fresh = reuse::plan(capture, old, &Maker::extractive(), &us).fresh;
        let entries = crate::summary::extract::some(capture, &fresh, &us);
        assemble(capture, entries, old, said, &Cuts::default(), made(), &us)
    }

    /// A person calls the second thread noted.
    fn said_by_me(capture: &Capture, old: &Discussion, text: &str) -> Correction {
        let it = &old.threads[1];
        let typed = Said {
            thread_id: it.thread_id.clone(),
            source_digest: it.source_digest.clone(),
            comments_total: it.comments_total,
            status: Status::Noted,
            text: text.into(),
        };
        let thread = &capture.review_threads[1];
        correction::judge(thread, &typed, &Identity::default()).expect("sound")
    }

    fn two() -> Capture {
        let first = thread("T1", &[("ann", "Please rename `foo`."), ("author", "Done.")]);
        let mut it = capture(vec![first, thread("T2", &[("bob", "Why a list?")])]);
        it.issue_comments = vec![
            said(0, "bob", "Looks close."),
            said(1, "github-actions[bot]", "## Coverage\n\n| a |\n|---|\n| 91 |"),
        ];
        it
    }

    #[test]
    fn unchanged_threads_carry_over_and_facts_follow_the_capture() {
        let mut capture = two();
        let old = build(&capture, None, &[]);
        assert!(old.threads.iter().all(|it| !it.carried));
        capture.review_threads[0].line = Some(40);
        capture.review_threads[1].comments.push(said(1, "author", "Because of `map`."));
        let new = build(&capture, Some(&old), &[]);
        assert!(new.threads[0].carried && !new.threads[1].carried);
        assert_eq!(new.threads[0].anchor.line, Some(40));
        assert_eq!(new.threads[1].status, Status::Settled);
        let (kept, comments) = (&new.comments, new.omitted.noise_comments);
        assert_eq!((kept.len(), kept[0].reference.as_str(), comments), (1, "m1", 1));
    }

    #[test]
    fn a_persons_text_stands_until_the_thread_changes() {
        let mut capture = two();
        let old = build(&capture, None, &[]);
        let mine = [said_by_me(&capture, &old, "answered in the call")];
        let now = build(&capture, Some(&old), &mine);
        assert_eq!(
            (now.threads[1].origin, now.threads[1].text.raw()),
            (Origin::Person, mine[0].text.as_str())
        );
        assert_eq!(now.threads[1].checks, ["person-edited"]);
        capture.review_threads[1].comments.push(said(1, "author", "Because of `map`."));
        let then = build(&capture, Some(&now), &mine);
        assert_eq!(then.threads[1].origin, Origin::Extractive);
        assert_eq!(then.threads[1].checks, ["stale: 1 new comments"]);
        assert_eq!(
            then.threads[1],
            ThreadSummary {
                checks: then.threads[1].checks.clone(),
                ..build(&capture, None, &[]).threads.remove(1)
            }
        );
    }

    #[test]
    fn a_correction_taken_back_leaves_the_engines_entry() {
        let capture = two();
        let old = build(&capture, None, &[]);
        let mine = said_by_me(&capture, &old, "answered in the call");
        let back = [mine.clone(), withdrawal(&mine)];
        assert_eq!(build(&capture, None, &back), old);
    }

    #[test]
    fn what_an_engine_read_into_a_thread_does_not_stand_beside_a_persons_text() {
        let capture = two();
        let old = build(&capture, None, &[]);
        let decided = &old.threads[0];
        assert!(decided.decision.is_some());
        let typed = Said {
            thread_id: decided.thread_id.clone(),
            source_digest: decided.source_digest.clone(),
            comments_total: 2,
            status: Status::Unresolved,
            text: "is `foo` the name to keep?".into(),
        };
        let us = Identity::default();
        let mine = correction::judge(&capture.review_threads[0], &typed, &us).expect("sound");
        let now = build(&capture, Some(&old), &[mine]).threads.remove(0);
        assert_eq!(
            (now.decision, now.positions, now.next_actor),
            (None, Vec::new(), NextActor::Reviewer)
        );
        assert_eq!(now.open_question.raw(), Some("is `foo` the name to keep?"));
    }

    #[test]
    fn a_pinned_review_has_a_note_and_nothing_else() {
        let it = pinned(&two(), "aaa", "bbb", made(), &Identity::default());
        assert!(it.pinned && it.threads.is_empty());
        let text = markdown(&it);
        assert!(text.contains("aaa..bbb") && !text.contains("foo"), "{text}");
    }

    #[test]
    fn editing_only_what_is_left_out_changes_no_byte_of_the_final_text() {
        let mut capture = two();
        let before = markdown(&build(&capture, None, &[]));
        capture.issue_comments[1].body = Some("## Coverage\n\n| a |\n|---|\n| 12 |".into());
        capture.reviews = vec![crate::domain::capture::Review {
            state: Some("APPROVED".into()),
            body: Some("approved, ship it".into()),
            ..Default::default()
        }];
        assert_eq!(markdown(&build(&capture, None, &[])), before);
    }

    #[test]
    fn process_words_reach_the_final_text_only_in_a_persons_sentence() {
        let mut capture = two();
        let human = "The approved draft of the ledger still mentions a cache retry.";
        capture.review_threads.push(thread("T3", &[("ann", human)]));
        capture.pull_request.draft = Some(true);
        let text = markdown(&build(&capture, None, &[]));
        for word in ["APPROVED", "session", "Coverage", "mergeab", "carried", "extractive", "reuse"]
        {
            assert!(!text.contains(word), "{word}: {text}");
        }
        assert!(text.contains(human), "{text}");
    }

    #[test]
    fn outside_text_cannot_break_the_page() {
        let hostile = "# Fake\n\n</details><script>alert(1)</script>\n\n\u{1b}[31m\u{202e}x [a](javascript:1)";
        let mut threads = vec![thread("T", &[("e*v*il`", hostile)])];
        threads[0].path = "src/a`b\u{1b}.rs".into();
        let text = markdown(&build(&capture(threads), None, &[]));
        assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text}");
        assert!(!text.contains("\n# Fake") && !text.contains("<script>"), "{text}");
        assert!(text.contains("### ``src/a`b"), "{text}");
        assert!(!text.contains("\n[a](") && !text.contains(" [a]("), "{text}");
    }

    #[test]
    fn every_text_keeps_its_length_whatever_was_said() {
        let long = "漢字".repeat(900);
        let bodies = [
            "",
            "> only a quote",
            "```\ncode\n```",
            "<details>x\n\ny\n\n</details>",
            "???",
            long.as_str(),
        ];
        for body in bodies {
            for who in ["ann", "", "lint[bot]"] {
                for resolved in [None, Some(true)] {
                    let mut it = thread("T", &[(who, body), ("author", body)]);
                    it.is_resolved = resolved;
                    let it = extract(&capture(vec![it]), &Identity::default()).remove(0);
                    assert!(it.text.raw().chars().count() <= 400, "{:?}", it.text);
                    assert!(
                        !it.text.is_empty() && it.cites.len() <= 3 && !it.text.raw().contains('\n')
                    );
                }
            }
        }
    }
}
