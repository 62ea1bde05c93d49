//! What came of a thread: a walk over its comments, one state at a time. Must not choose words;
//! `compose` does.
//!
//! The walk asks of each comment who speaks (the one who has to act, or a reviewer), what the
//! comment does, and what was open before it. Rules, in the order they are tried:
//! work reported as done settles; an author's question or offer waits for a reviewer; a promise
//! waits for the author; an author's answer settles until somebody objects; a reviewer's question,
//! request or objection opens again; a reviewer's assent to an offer, or giving up a point, settles.

use crate::summary::{
    acts::{self, Acts},
    cues,
    discussion::{NextActor, Status},
    prose,
    talk::{Role, Talk, Turn},
    terms, work,
};

/// What came of a thread. Indices are into `Talk::turns`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verdict {
    pub status: Status,
    pub how: How,
    /// The comment that settled it, when one did.
    pub deciding: Option<usize>,
    /// The comment that opened the point last.
    pub asked: usize,
    /// A word of assent after the decision.
    pub assent: Option<usize>,
    pub next: NextActor,
}

/// How a thread came to rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// Somebody says the work is done.
    Done,
    /// An answer or explanation nobody objected to.
    Answered,
    /// An offer or a view found assent.
    Agreed,
    /// Whoever asked gave the point up.
    Withdrawn,
    /// Only the forge's flag says so.
    Flag,
    /// It did not.
    Open,
}

/// What a thread waits for while it is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wait {
    /// For the author to answer or to act.
    Author,
    /// For a word on the author's offer.
    Assent,
    /// For an answer to the author's question.
    Answer,
}

#[derive(Debug, Clone, Copy)]
struct Walk {
    state: State,
    asked: usize,
    assent: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Open(Wait),
    Settled(How, usize),
    Noted,
}

/// Judges a thread. `None` when no comment counts.
pub fn of(talk: &Talk<'_>) -> Option<Verdict> {
    let first = talk.turns.first()?;
    let mut walk = Walk { state: opening(first), asked: 0, assent: None };
    for at in 1..talk.turns.len() {
        walk = step(walk, talk, at);
    }
    Some(finish(walk, talk.thread.is_resolved == Some(true)))
}

fn finish(walk: Walk, flagged: bool) -> Verdict {
    let Walk { state, asked, assent } = walk;
    let (status, how, deciding, next) = match state {
        State::Settled(how, by) => (Status::Settled, how, Some(by), NextActor::None),
        _ if flagged => (Status::Settled, How::Flag, None, NextActor::None),
        State::Noted => (Status::Noted, How::Open, None, NextActor::None),
        State::Open(Wait::Author) => (Status::Unresolved, How::Open, None, NextActor::Author),
        State::Open(_) => (Status::Unresolved, How::Open, None, NextActor::Reviewer),
    };
    Verdict { status, how, deciding, asked, assent, next }
}

fn opening(turn: &Turn<'_>) -> State {
    let acts = &turn.acts;
    if acts.done >= 2 && ticked(turn) {
        return State::Settled(How::Done, 0);
    }
    if acts.no_action >= 3 && acts.ask < 2 {
        return State::Noted;
    }
    if turn.each.last().is_some_and(|it| it.concede >= 3) {
        return State::Settled(How::Withdrawn, 0);
    }
    let bare = acts.ask == 0 && acts.request == 0 && acts.object == 0;
    match turn.role {
        Role::Author if acts.ask >= 2 => State::Open(Wait::Answer),
        Role::Author if acts.request < 2 => State::Noted,
        Role::Reviewer if bare && (comfort(acts) > 1 || acts.keep > 0) => State::Noted,
        _ => State::Open(Wait::Author),
    }
}

/// A review bot ticks its own comment off when a later commit answers it.
fn ticked(turn: &Turn<'_>) -> bool {
    turn.spoken.sentences.iter().any(|it| prose::is_ticked(&it.text))
}

fn step(walk: Walk, talk: &Talk<'_>, at: usize) -> Walk {
    let turn = &talk.turns[at];
    if reports_work(turn) {
        return match walk.state {
            State::Settled(How::Done, _) => walk,
            _ => Walk { state: State::Settled(How::Done, at), assent: None, ..walk },
        };
    }
    if withdraws(&walk, talk, at) {
        return Walk { state: State::Settled(How::Withdrawn, at), assent: None, ..walk };
    }
    match turn.role {
        Role::Author => author(walk, talk, at),
        Role::Reviewer => reviewer(walk, talk, at),
    }
}

/// Done, and not in the same breath put off.
fn reports_work(turn: &Turn<'_>) -> bool {
    let acts = &turn.acts;
    acts.done >= 2 && acts.defer < 2 || acts.done >= 3 && opens_with_done(turn)
}

/// "Done. The rest is for a follow-up", but not "Added to the list of follow-ups".
fn opens_with_done(turn: &Turn<'_>) -> bool {
    turn.spoken.sentences.first().zip(turn.each.first()).is_some_and(|(it, acts)| {
        let words = cues::words(&it.text);
        work::opens(&words) || acts.done >= 3 && acts.defer == 0 && !work::lists(&words)
    })
}

/// Whoever asked gives the point up before anybody answered.
fn withdraws(walk: &Walk, talk: &Talk<'_>, at: usize) -> bool {
    let turn = &talk.turns[at];
    matches!(walk.state, State::Open(Wait::Author | Wait::Answer))
        && talk.turns[walk.asked].who() == turn.who()
        && turn.acts.concede >= 2
        && pressure(&turn.acts) == 0
}

fn asks_back(turn: &Turn<'_>) -> bool {
    let tail = turn.spoken.sentences.iter().rev().take(2);
    tail.into_iter().any(|it| it.question || acts::of_sentence(it).ask > 0)
}

fn author(walk: Walk, talk: &Talk<'_>, at: usize) -> Walk {
    let turn = &talk.turns[at];
    let acts = &turn.acts;
    let alone = talk.turns[..at].iter().all(|it| it.role == Role::Author);
    let settled = matches!(walk.state, State::Settled(..));
    let state = if asks_back(turn) {
        State::Open(Wait::Answer)
    } else if !settled && confirms(turn) && only_asked(&talk.turns[walk.asked]) {
        State::Settled(How::Answered, at)
    } else if acts.promise >= 2 && acts.propose == 0 {
        State::Open(Wait::Author)
    } else if acts.promise >= 2 || acts.defer >= 2 || acts.propose >= 2 {
        State::Open(Wait::Assent)
    } else if alone || settled || walk.state == State::Noted {
        walk.state
    } else {
        State::Settled(How::Answered, at)
    };
    let asked = if state == State::Open(Wait::Answer) { at } else { walk.asked };
    Walk { state, asked, assent: None }
}

/// Opens with a plain yes.
fn confirms(turn: &Turn<'_>) -> bool {
    turn.spoken.sentences.first().is_some_and(|it| {
        let acts = acts::of_sentence(it);
        acts.agree >= 2 && acts.promise == 0
    })
}

/// A question about how things are, with no wish in it.
fn only_asked(turn: &Turn<'_>) -> bool {
    turn.acts.ask >= 2 && turn.acts.request == 0
}

fn pressure(acts: &Acts) -> i32 {
    2 * i32::from(acts.ask >= 2)
        + i32::from(acts.ask == 1)
        + i32::from(acts.request)
        + i32::from(acts.object)
}

fn comfort(acts: &Acts) -> i32 {
    i32::from(acts.agree) + i32::from(acts.concede) + i32::from(acts.keep) + i32::from(acts.thanks)
}

/// Where a reviewer's comment ends up: the last sentence that leans counts, since people agree
/// first and ask then. Thanks after a request are manners.
fn leaning(turn: &Turn<'_>) -> i32 {
    let mut lean = if turn.acts.request >= 3 { -2 } else { 0 };
    for acts in &turn.each {
        let (push, ease) = (pressure(acts), comfort(acts));
        if push > ease {
            lean = -push;
        } else if ease > 0 && (lean >= 0 || ease > i32::from(acts.thanks)) {
            lean = ease;
        }
    }
    lean
}

/// Content words from which on a reviewer's plain statement carries a discussion on.
const STATEMENT: usize = 12;

fn reviewer(walk: Walk, talk: &Talk<'_>, at: usize) -> Walk {
    let turn = &talk.turns[at];
    let lean = if asks_back(turn) { -4 } else { leaning(turn) };
    let open = Walk { state: State::Open(Wait::Author), asked: at, assent: None };
    let settled = |how| Walk { state: State::Settled(how, at), assent: None, ..walk };
    match walk.state {
        State::Settled(how, _) if reopens(how, lean, turn) => open,
        State::Settled(..) if lean > 0 => Walk { assent: Some(at), ..walk },
        State::Open(wait @ (Wait::Assent | Wait::Answer)) => {
            let assents = wait == Wait::Assent || talk.turns[0].role == Role::Reviewer;
            let keeps = turn.acts.keep >= 2;
            match (lean > 0, assents || keeps) {
                (true, true) => settled(How::Agreed),
                // "Yes, do that": answered, and now the author has to do it.
                (true, false) => Walk { asked: walk.asked, ..open },
                (false, _) => open,
            }
        }
        State::Open(Wait::Author) if is_satisfied(&walk, talk, at, lean) => {
            Walk { state: State::Settled(How::Answered, at - 1), assent: Some(at), ..walk }
        }
        State::Open(Wait::Author) if answers_for_author(&walk, talk, at, lean) => {
            settled(How::Answered)
        }
        State::Noted if lean < -1 || lean == 0 && carries_on(talk, turn) => open,
        State::Settled(..) | State::Open(Wait::Author) | State::Noted => walk,
    }
}

/// Work reported as done is reopened by a plain request or objection; a mere answer already by a
/// hint of one, or by a statement that carries the discussion on.
fn reopens(how: How, lean: i32, turn: &Turn<'_>) -> bool {
    match how {
        How::Answered => lean < 0 || lean == 0 && said(turn) >= STATEMENT,
        _ => lean < -1,
    }
}

/// Whoever asked is content with what somebody else just said.
fn is_satisfied(walk: &Walk, talk: &Talk<'_>, at: usize, lean: i32) -> bool {
    let (asked, turn) = (&talk.turns[walk.asked], &talk.turns[at]);
    lean > 0 && asked.who() == turn.who() && talk.turns[at - 1].who() != turn.who()
}

/// Another reviewer answers what was only a question, or says that it may stay as it is.
fn answers_for_author(walk: &Walk, talk: &Talk<'_>, at: usize, lean: i32) -> bool {
    let (asked, turn) = (&talk.turns[walk.asked], &talk.turns[at]);
    let joins = asked.who() == turn.who() || turn.acts.agree > 0 || lean < 0;
    !joins && (only_asked(asked) || turn.acts.keep >= 2)
}

/// A reviewer's statement on the author's own note makes it a discussion.
fn carries_on(talk: &Talk<'_>, turn: &Turn<'_>) -> bool {
    talk.turns[0].role == Role::Author && said(turn) >= STATEMENT
}

fn said(turn: &Turn<'_>) -> usize {
    turn.spoken.sentences.iter().map(|it| terms::content_words(&it.text).len()).sum()
}

#[cfg(test)]
mod tests {
    use crate::{
        domain::actor::Identity,
        summary::{
            discussion::{NextActor, Status},
            fixture::thread,
            talk,
            verdict::{How, of},
        },
    };

    /// Comments by `a` (the author) and reviewers `r` and `s`; what should come of them.
    fn check(said: &[(&str, &str)], status: Status, how: How, deciding: Option<usize>) {
        let thread = thread("T", said);
        let talk = talk::read(&thread, Some("a"), &Identity::default());
        let it = of(&talk).expect("somebody spoke");
        assert_eq!((it.status, it.how, it.deciding), (status, how, deciding), "{said:?}");
    }

    const ASK: (&str, &str) = ("r", "Why is the list copied here?");
    const WISH: (&str, &str) = ("r", "Please rename this to `table`.");

    #[test]
    fn what_settles_a_thread() {
        let settled = |said: &[(&str, &str)], how, at| check(said, Status::Settled, how, Some(at));
        settled(&[WISH, ("a", "Done.")], How::Done, 1);
        settled(&[WISH, ("a", "Good idea, renamed it in 3fa9c1d.")], How::Done, 1);
        settled(&[WISH, ("a", "It has been renamed."), ("r", "Thanks!")], How::Done, 1);
        settled(&[WISH, ("a", "Renamed it; the test is for a follow-up.")], How::Done, 1);
        settled(&[ASK, ("a", "The caller keeps the original.")], How::Answered, 1);
        settled(
            &[ASK, ("a", "The caller keeps it."), ("r", "I see, makes sense.")],
            How::Answered,
            1,
        );
        settled(&[ASK, ("r", "Oh, now I see why.")], How::Withdrawn, 1);
        settled(&[("r", "Why is this here? Oh wait, the caller. Never mind!")], How::Withdrawn, 0);
        settled(
            &[WISH, ("s", "The parser relies on it."), ("r", "Ah, okay, thanks.")],
            How::Answered,
            1,
        );
        settled(&[WISH, ("a", "Which name?"), ("r", "Not a big deal, either.")], How::Agreed, 2);
        settled(&[WISH, ("s", "6a0636da32ff34e100e887df21eb0d8ec1d4b834")], How::Done, 1);
        let offer = ("a", "We could keep it until the next version.");
        settled(&[WISH, offer, ("r", "Sounds good.")], How::Agreed, 2);
        settled(&[ASK, ("s", "Because the caller keeps it, as in the parser.")], How::Answered, 1);
    }

    #[test]
    fn what_leaves_a_thread_open() {
        let open = |said: &[(&str, &str)]| check(said, Status::Unresolved, How::Open, None);
        open(&[ASK]);
        open(&[WISH, ("a", "Will do.")]);
        open(&[WISH, ("a", "Good catch! Fixing this.")]);
        open(&[WISH, ("a", "Indeed, let me change that.")]);
        open(&[WISH, ("a", "Do you mean the field or the type?")]);
        open(&[WISH, ("s", "I agree, this would be clearer.")]);
        open(&[WISH, ("a", "Done."), ("r", "This is still open, please rename the test too.")]);
        open(&[ASK, ("a", "The caller keeps it."), ("r", "But is that so for empty lists?")]);
        open(&[WISH, ("a", "Added to the list, tracked as a follow-up.")]);
        open(&[WISH, ("a", "Agreed, noted it for a separate PR.")]);
        open(&[("r", "> old words?\n\nThis overflows for large sizes.")]);
    }

    #[test]
    fn remarks_ask_for_nothing() {
        let noted = |said: &[(&str, &str)]| check(said, Status::Noted, How::Open, None);
        noted(&[("r", "FYI, the parser does the same.")]);
        noted(&[("r", "Nice!")]);
        noted(&[("a", "Going with the shorter form because it is simplest.")]);
    }

    #[test]
    fn the_flag_settles_what_talk_did_not_and_says_so() {
        let mut thread = thread("T", &[ASK]);
        thread.is_resolved = Some(true);
        let talk = talk::read(&thread, Some("a"), &Identity::default());
        let it = of(&talk).expect("somebody spoke");
        assert_eq!((it.status, it.how, it.deciding), (Status::Settled, How::Flag, None));
        assert_eq!(it.next, NextActor::None);
    }

    #[test]
    fn the_next_move_is_whose_it_is() {
        let next = |said: &[(&str, &str)]| {
            let thread = thread("T", said);
            let talk = talk::read(&thread, Some("a"), &Identity::default());
            of(&talk).expect("somebody spoke").next
        };
        assert_eq!(next(&[ASK]), NextActor::Author);
        assert_eq!(next(&[WISH, ("a", "Do you mean the type?")]), NextActor::Reviewer);
        assert_eq!(next(&[("a", "Is this name all right?")]), NextActor::Reviewer);
        assert_eq!(next(&[WISH, ("a", "Done.")]), NextActor::None);
    }
}
