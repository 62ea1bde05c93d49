//! Voices: comments given room in one text, each with its share. Must not choose whose voice is
//! heard; `compose` does.

use crate::summary::{
    gist::{self, Lens},
    talk::{Talk, Turn},
    terms,
};
use std::collections::BTreeSet;

/// One comment given room in a text, with what stands around its words.
pub struct Voice<'t, 'a> {
    pub turn: &'t Turn<'a>,
    pub lens: Lens,
    pub weight: usize,
    pub before: String,
    pub after: &'static str,
}

impl<'t, 'a> Voice<'t, 'a> {
    /// A voice with its speaker's name and a verb that fits.
    pub fn new(turn: &'t Turn<'a>, lens: Lens, weight: usize) -> Self {
        let who = turn.who();
        if turn.spoken.sentences.is_empty() && !turn.spoken.suggestions.is_empty() {
            let before = format!("{who} suggests ");
            return Self { turn, lens, weight, before, after: "." };
        }
        let asks = lens == Lens::Request && turn.acts.ask >= 2;
        let before = format!("{who}{}: “", if asks { " asks" } else { "" });
        Self { turn, lens, weight, before, after: "”" }
    }

    /// A voice with other words around it.
    pub fn around(
        turn: &'t Turn<'a>,
        lens: Lens,
        weight: usize,
        before: String,
        after: &'static str,
    ) -> Self {
        Self { turn, lens, weight, before, after }
    }
}

/// The voices after a head, each with its share of the room.
pub fn told(head: &str, voices: &[Voice<'_, '_>], room: usize, talk: &Talk<'_>) -> String {
    let frame = |it: &Voice<'_, '_>| it.before.chars().count() + it.after.chars().count() + 1;
    let fixed: usize = head.chars().count() + voices.iter().map(frame).sum::<usize>();
    let parts: Vec<_> = voices.iter().map(|it| (gist::natural(it.turn) + 1, it.weight)).collect();
    let shares = gist::share(room.saturating_sub(fixed), &parts);
    let mut text = head.to_owned();
    for (at, (voice, share)) in voices.iter().zip(shares).enumerate() {
        let gist = gist::of(voice.turn, voice.lens, share, &focus(talk, voice.turn));
        if at > 0 {
            text.push(' ');
        }
        text.push_str(&voice.before);
        text.push_str(&gist);
        text.push_str(voice.after);
        let used = voice.before.chars().count() + gist.chars().count();
        text.push_str(&gist::beside(
            voice.turn,
            (share + voice.before.chars().count()).saturating_sub(used),
        ));
    }
    gist::clip(&text, room)
}

/// How much substance a comment has.
pub fn weight(turn: &Turn<'_>) -> usize {
    let words = |text: &str| terms::content_words(text).len().min(12);
    let said: usize = turn.spoken.sentences.iter().map(|it| words(&it.text)).sum();
    said.min(40) + 4 * turn.spoken.suggestions.len()
}

/// Too little to stand alone.
pub fn is_thin(turn: &Turn<'_>) -> bool {
    let said = turn.spoken.sentences.iter();
    let words: usize = said.clone().map(|it| terms::content_words(&it.text).len()).sum();
    words < 4 && !said.clone().any(|it| it.text.contains('`')) && turn.spoken.suggestions.is_empty()
}

/// Words of the thread's other comments: a sentence that shares them is about its subject.
pub fn focus(talk: &Talk<'_>, turn: &Turn<'_>) -> BTreeSet<String> {
    let others = talk.turns.iter().filter(|it| it.at != turn.at);
    others
        .flat_map(|it| {
            let said = it.spoken.sentences.iter().map(|it| it.text.as_str());
            said.chain(it.spoken.quotes.iter().map(String::as_str)).flat_map(terms::content_words)
        })
        .collect()
}
