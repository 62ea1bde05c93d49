//! Search as it is typed, and from hit to hit. Looking goes on in slices through `Effect::Wake`.

use crate::app::{
    conversation::SAID,
    desk::Desk,
    event::Effect,
    input::Input,
    layout::{
        block::Talk,
        row::{Row, Spot},
    },
    model::{Model, Screen},
    needle::Needle,
    prompt::Prompt,
    reader::At,
    search::{Hit, Search},
};

/// `/`: searches the diff, filters a list.
pub fn open(model: &mut Model) -> Vec<Effect> {
    model.prompt = Some(match (model.screen, &model.desk) {
        (Screen::Diff, Some(desk)) => {
            Prompt::Search { input: Input::default(), before: desk.reader.at }
        }
        (Screen::Threads, Some(desk)) => {
            let before = desk.threads.filter.text.clone();
            Prompt::Filter { input: Input::of(&before), before }
        }
        (Screen::Home, _) => {
            let before = model.home.filter.clone();
            Prompt::Filter { input: Input::of(&before), before }
        }
        _ => return Vec::new(),
    });
    Vec::new()
}

/// The searched text changed: starts over from where the search was opened.
pub fn typed(model: &mut Model, text: &str, before: At) -> Vec<Effect> {
    let Some(desk) = &mut model.desk else { return Vec::new() };
    desk.search = Search::of(text);
    let height = desk.reader.at.height;
    desk.reader.at = At { height, ..before };
    desk.advance_search();
    desk.first_hit();
    if desk.search.done { Vec::new() } else { vec![Effect::Wake] }
}

/// Goes on with what is done in slices: looking first, then counting hidden characters.
pub fn go_on(model: &mut Model) -> Vec<Effect> {
    let Some(desk) = &mut model.desk else { return Vec::new() };
    let mut more = false;
    if desk.search.is_on() && !desk.search.done {
        desk.advance_search();
        if desk.search.still {
            desk.name_hit();
        } else if desk.search.at.is_none() {
            desk.first_hit();
        }
        more = !desk.search.done;
    }
    more |= more || desk.hidden.advance(&desk.review.diff);
    if more { vec![Effect::Wake] } else { Vec::new() }
}

/// The hit `count` further, around the end.
pub fn next(model: &mut Model, count: i64) {
    let Some(desk) = &mut model.desk else { return };
    if !desk.search.is_on() {
        model.say("nothing is searched for; / searches");
    } else if desk.search.hits.is_empty() {
        let text = desk.search.needle.text().to_owned();
        model.say(format!("`{text}` is not in paths, code or comments"));
    } else if desk.next_hit(count) {
        model.say("search goes on from the other end");
    }
}

impl Desk {
    /// Looks at one more slice.
    fn advance_search(&mut self) {
        let mut search = std::mem::take(&mut self.search);
        search.advance(self.scene(), &self.reader.layout.pieces);
        self.search = search;
    }

    /// Puts the cursor on the first hit at or after it; once all was looked at, on the first one.
    fn first_hit(&mut self) {
        let cursor = self.reader.at.cursor;
        let from = self.search.hits.partition_point(|it| it.piece < cursor.piece);
        let near = self.search.hits.len().min(from + 64);
        let found = (from..near).find(|at| {
            let hit = self.search.hits[*at];
            hit.piece > cursor.piece || self.spot_of(hit) >= cursor
        });
        let around = (self.search.done && !self.search.hits.is_empty()).then_some(0);
        if let Some(at) = found.or(around) {
            self.go_to_hit(at);
        }
    }

    /// Says which hit the cursor is at or behind, without moving it.
    fn name_hit(&mut self) {
        if self.search.done {
            let passed = self.hits_passed(self.reader.at.cursor);
            self.search.at = passed.checked_sub(1);
        }
    }

    /// Goes to another hit. Says whether it went around the end.
    fn next_hit(&mut self, count: i64) -> bool {
        let cursor = self.reader.at.cursor;
        let hits = self.search.hits.len() as i64;
        let on = self.search.at.filter(|at| {
            let hit = self.search.hits[*at];
            hit.piece == cursor.piece && self.spot_of(hit) == cursor
        });
        let from = if let Some(at) = on {
            at as i64 + count
        } else {
            self.hits_passed(cursor) as i64 + if count > 0 { count - 1 } else { count }
        };
        self.go_to_hit(from.rem_euclid(hits) as usize);
        !(0..hits).contains(&from)
    }

    /// Hits at or before a spot.
    fn hits_passed(&mut self, spot: Spot) -> usize {
        let mut at = self.search.hits.partition_point(|it| it.piece < spot.piece);
        while let Some(hit) = self.search.hits.get(at).copied()
            && hit.piece == spot.piece
            && self.spot_of(hit) <= spot
        {
            at += 1;
        }
        at
    }

    /// Where a hit is shown now; hits in folded parts are at the fold.
    fn spot_of(&mut self, hit: Hit) -> Spot {
        let needle = self.search.needle.clone();
        let stage = self.stage();
        let found = match hit.comment {
            Some((SAID, entry)) => {
                stage.layout.rows(stage.scene, hit.piece);
                let block = stage.layout.said(entry);
                let lines = block.map(|it| it.lines.as_slice()).unwrap_or_default();
                let line = lines.iter().position(|it| says(it, entry, &needle)).unwrap_or(0);
                let wanted = Row::Said { entry, line: line as u16 };
                stage.layout.find(stage.scene, hit.piece, |it| it == wanted)
            }
            Some((thread, comment)) => {
                stage.layout.rows(stage.scene, hit.piece);
                let block = stage.layout.block(thread);
                let lines = block.map(|it| it.lines.as_slice()).unwrap_or_default();
                let head = |it: &Talk| it.comment() == Some(comment);
                let line = lines
                    .iter()
                    .position(|it| says(it, comment, &needle))
                    .or_else(|| lines.iter().position(head));
                let wanted = Row::Thread { thread, line: line.unwrap_or(0) as u16 };
                stage.layout.find(stage.scene, hit.piece, |it| it == wanted)
            }
            None if hit.line == 0 => {
                stage.layout.find(stage.scene, hit.piece, |it| matches!(it, Row::File { .. }))
            }
            None => {
                let file = stage.layout.pieces.all[hit.piece as usize].file;
                stage.layout.spot_of_line(stage.scene, file, hit.line - 1)
            }
        };
        found.unwrap_or(Spot { piece: hit.piece, row: 0 })
    }

    /// Puts the cursor on a hit, opening what hides it.
    fn go_to_hit(&mut self, at: usize) {
        let hit = self.search.hits[at];
        self.search.at = Some(at);
        let file = self.reader.layout.pieces.all[hit.piece as usize].file;
        if hit.comment.is_some() || hit.line > 0 {
            self.unfold_file(file);
        }
        if let Some((SAID, entry)) = hit.comment {
            self.open_said(entry);
        } else if let Some((thread, _)) = hit.comment {
            self.unfold_lists(hit.piece);
            if !self.reader.folds.thread_open(thread, &self.facts[thread as usize]) {
                self.reader.folds.set_thread(thread, true);
                self.stage().keep(|layout, scene| layout.forget_thread(scene, thread));
            }
        }
        let spot = self.spot_of(hit);
        self.stage().jump(spot);
    }
}

/// Whether a line holds words of a comment that match.
fn says(talk: &Talk, comment: u16, needle: &Needle) -> bool {
    matches!(talk, Talk::Words { comment: of, line }
        if *of == comment && needle.find(&line.text(), 0).is_some())
}
