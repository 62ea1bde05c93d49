//! Speech acts of one comment: done, agreed, asked, requested, objected, promised. Must not know
//! who speaks or what was said before; `verdict` does.
//!
//! Rules are about English forms ("has been moved", "let me …", "why not …?"), never about one
//! project's words. A comment in another language has few acts, and its thread is judged by who
//! spoke last.

use crate::summary::{
    cues,
    prose::{Sentence, Spoken},
    work,
};

/// What one comment does. Weights are small integers: 1 a hint, 2 plain, 3 beyond doubt.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Acts {
    /// Says that something was done.
    pub done: u8,
    /// Says yes to what was said before.
    pub agree: u8,
    /// Gives up one's own point: "never mind", "oh, I see", "you're right".
    pub concede: u8,
    /// Says things may stay as they are.
    pub keep: u8,
    /// Says that the writer will act.
    pub promise: u8,
    /// Offers a way to go and waits for a word: "we could …".
    pub propose: u8,
    /// Says that it is for later or for elsewhere.
    pub defer: u8,
    pub ask: u8,
    pub request: u8,
    pub object: u8,
    pub thanks: u8,
    /// Says outright that nothing is to be done.
    pub no_action: u8,
}

impl Acts {
    fn slot(&mut self, act: cues::Act) -> &mut u8 {
        match act {
            cues::Act::Done => &mut self.done,
            cues::Act::Agree => &mut self.agree,
            cues::Act::Concede => &mut self.concede,
            cues::Act::Keep => &mut self.keep,
            cues::Act::Promise => &mut self.promise,
            cues::Act::Propose => &mut self.propose,
            cues::Act::Defer => &mut self.defer,
            cues::Act::Ask => &mut self.ask,
            cues::Act::Request => &mut self.request,
            cues::Act::Object => &mut self.object,
            cues::Act::Thanks => &mut self.thanks,
            cues::Act::NoAction => &mut self.no_action,
        }
    }
}

/// The acts of a comment, from those of its sentences and from its blocks.
pub fn of(spoken: &Spoken, each: &[Acts]) -> Acts {
    let mut acts = Acts::default();
    for it in each {
        add(&mut acts, *it);
    }
    if !spoken.suggestions.is_empty() {
        acts.request = acts.request.max(3);
    }
    acts
}

/// The acts of each sentence.
pub fn each(spoken: &Spoken) -> Vec<Acts> {
    spoken.sentences.iter().map(of_sentence).collect()
}

/// The acts of one sentence.
pub fn of_sentence(sentence: &Sentence) -> Acts {
    let words = cues::words(&sentence.text);
    let mut acts = Acts::default();
    if words.first().is_some_and(|it| it == "edit" || it == "edited") {
        return acts;
    }
    for (act, weight) in cues::heard(&words) {
        let slot = acts.slot(act);
        *slot = (*slot).max(weight);
    }
    if sentence.question {
        acts.ask = acts.ask.max(2);
        acts.done = 0;
        acts.agree = 0;
        acts.keep = 0;
    } else {
        acts.done = acts.done.max(work::done(&words));
    }
    if !sentence.question && names_a_commit(&words) {
        acts.done = acts.done.max(2);
    }
    if cues::imperative(&words) {
        acts.request = acts.request.max(2);
    }
    acts
}

/// A reply of nothing but commit ids points at the work.
fn names_a_commit(words: &[String]) -> bool {
    let commit = |it: &String| {
        it.len() >= 7
            && it.bytes().all(|it| it.is_ascii_hexdigit())
            && it.bytes().any(|it| it.is_ascii_digit())
    };
    let mut words = words.iter().filter(|it| *it != ",").peekable();
    words.peek().is_some() && words.all(commit)
}

fn add(acts: &mut Acts, it: Acts) {
    let max = |a: &mut u8, b: u8| *a = (*a).max(b);
    max(&mut acts.done, it.done);
    max(&mut acts.agree, it.agree);
    max(&mut acts.concede, it.concede);
    max(&mut acts.keep, it.keep);
    max(&mut acts.promise, it.promise);
    max(&mut acts.propose, it.propose);
    max(&mut acts.defer, it.defer);
    max(&mut acts.ask, it.ask);
    max(&mut acts.request, it.request);
    max(&mut acts.object, it.object);
    max(&mut acts.thanks, it.thanks);
    max(&mut acts.no_action, it.no_action);
}

#[cfg(test)]
mod tests {
    use crate::summary::{
        acts::{self, Acts},
        prose::read,
    };

    fn told(body: &str) -> Acts {
        let spoken = read(body);
        acts::of(&spoken, &acts::each(&spoken))
    }

    #[test]
    fn work_that_was_done_is_told_from_work_to_do() {
        let check = |body: &str, done: bool| {
            let acts = told(body);
            assert_eq!(acts.done >= 2, done, "{body}: {acts:?}");
        };
        check("Done.", true);
        check("[Updated](https://x/y).", true);
        check("Oops, fixed now", true);
        check("I've instead added a commit that sets it", true);
        check("It has been moved to the previous commit.", true);
        check("Policies have been commented.", true);
        check("6a0636da32ff34e100e887df21eb0d8ec1d4b834", true);
        check("Good idea, renamed it in 3fa9c1d.", true);
        check("Thanks, I missed the link.", false);
        check("It takes a pointer, obtained by a copy.", false);
        check("This is already gated on the flag.", false);
        check("Okay, it works in place now. And added a test", true);
        check("Not done yet", false);
        check("This should be renamed", false);
        check("Could be removed?", false);
        check("As needed.", false);
        check("If removed, the build breaks", false);
        check("Was this removed?", false);
    }

    #[test]
    fn promises_requests_and_questions_are_told_apart() {
        let it = told("Indeed, let me change that.");
        assert!(it.promise >= 2 && it.agree >= 2 && it.done == 0, "{it:?}");
        let it = told("nit: rename this");
        assert!(it.request >= 2 && it.ask == 0, "{it:?}");
        let it = told("> why?\n\nBecause it is faster.");
        assert!(it.ask == 0 && it.request == 0, "{it:?}");
        let it = told("```suggestion\nx\n```");
        assert!(it.request == 3, "{it:?}");
        let it = told("oh, now I see why.");
        assert!(it.concede >= 2, "{it:?}");
    }
}
