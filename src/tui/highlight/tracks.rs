//! Colours stretches of lines, carrying the state of both sides from the hunk's start and keeping
//! it at marks on the way, so that a jump into a long hunk or a scroll through it costs the lines
//! asked for and a short lead-in. Must not decide which lines; `worker` is told.

use crate::{
    domain::{
        diff::{Diff, FileDiff, LineKind},
        text::{Surface, outside::OutsideOption as _},
    },
    tui::highlight::{
        colours::Run,
        grammar::{Grammar, State},
        scopes::Scopes,
    },
};
use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap},
    ops::Range,
    sync::Arc,
    time::{Duration, Instant},
};
use syntect::parsing::SyntaxSet;

/// Lines of one file, indices into `FileDiff::lines`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stretch {
    pub file: u32,
    pub lines: Range<u32>,
}

/// The runs of one line.
pub struct Coloured {
    pub file: u32,
    pub line: u32,
    pub runs: Box<[Run]>,
}

/// States are kept each so many lines, for scrolling back.
const MARK: u32 = 128;
/// States kept; one takes about a kilobyte.
const MOST_MARKS: usize = 1_024;
/// A jump starts at most so many lines before its goal; further away a state is not worth its time.
const LEAD_IN: u32 = 96;
/// Lines looked at to guess what a hunk begins inside of.
const LOOK: usize = 400;
/// A line that takes longer is a strike: its grammar may have met its match, or the machine is busy.
const TOO_SLOW: Duration = Duration::from_millis(40);
/// So many strikes make the whole file plain.
const STRIKES: u32 = 3;

/// Both sides before a line.
#[derive(Clone)]
struct Track {
    old: State,
    new: State,
}

/// What is known of one diff.
pub struct Tracks {
    diff: Arc<Diff>,
    tab_width: u8,
    set: Arc<SyntaxSet>,
    scopes: Scopes,
    grammars: HashMap<u32, Grammar>,
    /// The state before a line, by file and line.
    marks: BTreeMap<(u32, u32), Track>,
    /// Lines of each file that took too long.
    strikes: HashMap<u32, u32>,
    too_slow: Duration,
}

impl Tracks {
    /// Nothing known yet.
    pub fn new(diff: Arc<Diff>, tab_width: u8, set: Arc<SyntaxSet>) -> Self {
        let (scopes, grammars, marks) = (Scopes::default(), HashMap::new(), BTreeMap::new());
        let strikes = HashMap::new();
        Self { diff, tab_width, set, scopes, grammars, marks, strikes, too_slow: TOO_SLOW }
    }

    /// The same without giving up on a slow line, for a machine that counts instead of measuring.
    #[must_use]
    pub fn patient(self) -> Self {
        Self { too_slow: Duration::MAX, ..self }
    }

    /// The same diff may have grown: what is known of its files holds.
    pub fn follow(&mut self, diff: &Arc<Diff>) {
        self.diff = Arc::clone(diff);
    }

    /// Colours the stretch hunk by hunk, giving each line to `give` until that says no.
    pub fn colour(&mut self, stretch: &Stretch, give: &mut dyn FnMut(Coloured) -> bool) {
        let diff = Arc::clone(&self.diff);
        let Some(file) = diff.files.get(stretch.file as usize) else { return };
        let end = stretch.lines.end.min(file.lines.len() as u32);
        let mut from = stretch.lines.start;
        while from < end {
            let hunk = file.hunk_of(from).map(|it| file.hunks[it].lines.clone());
            // A line outside every hunk cannot be; one step keeps the walk finite all the same.
            let hunk = hunk.unwrap_or(from..from + 1);
            let to = hunk.end.min(end);
            if !self.hunk(stretch.file, file, &hunk, from..to, give) {
                return;
            }
            from = to;
        }
    }

    fn hunk(
        &mut self,
        index: u32,
        file: &FileDiff,
        hunk: &Range<u32>,
        wanted: Range<u32>,
        give: &mut dyn FnMut(Coloured) -> bool,
    ) -> bool {
        let grammar = self.grammar(index, file);
        let (mut at, mut track) = self.nearest(index, file, hunk, wanted.start, grammar);
        while at < wanted.end {
            if at.is_multiple_of(MARK) {
                self.marks.entry((index, at)).or_insert_with(|| track.clone());
            }
            let started = Instant::now();
            let runs = self.line(file, at, &mut track);
            if started.elapsed() > self.too_slow && grammar != Grammar::Plain {
                let strikes = self.strikes.entry(index).or_default();
                *strikes += 1;
                if *strikes >= STRIKES {
                    self.grammars.insert(index, Grammar::Plain);
                    track = Track { old: State::Plain, new: State::Plain };
                }
            }
            if !give(Coloured { file: index, line: at, runs }) {
                return false;
            }
            at += 1;
        }
        self.marks.insert((index, at), track);
        self.trim(index, at);
        true
    }

    /// Forgets the states far from a line, once there are too many.
    fn trim(&mut self, file: u32, line: u32) {
        if self.marks.len() > MOST_MARKS {
            let far = MOST_MARKS as u32 / 4 * MARK;
            self.marks.retain(|at, _| at.0 == file && at.1.abs_diff(line) < far);
        }
    }

    /// The best known state at or before `line`: a mark near enough, or a fresh start.
    fn nearest(
        &mut self,
        index: u32,
        file: &FileDiff,
        hunk: &Range<u32>,
        line: u32,
        grammar: Grammar,
    ) -> (u32, Track) {
        let fresh = hunk.start.max(line.saturating_sub(LEAD_IN));
        let near = (index, fresh)..=(index, line);
        if let Some(((_, at), track)) = self.marks.range(near).next_back() {
            return (*at, track.clone());
        }
        let texts = |side: LineKind| -> Vec<Cow<'_, str>> {
            let lines = file.lines[fresh as usize..hunk.end as usize].iter();
            let lines = lines.filter(|it| it.kind == side || it.kind == LineKind::Context);
            lines.take(LOOK).map(|it| file.content(it).into_raw()).collect()
        };
        let mut start = |side| {
            let texts = texts(side);
            grammar.start(texts.iter().map(AsRef::as_ref), &self.set, &mut self.scopes)
        };
        (fresh, Track { old: start(LineKind::Removed), new: start(LineKind::Added) })
    }

    fn line(&mut self, file: &FileDiff, at: u32, track: &mut Track) -> Box<[Run]> {
        let line = &file.lines[at as usize];
        if line.len as usize > 4 * u16::MAX as usize {
            return Box::default();
        }
        let content = file.content(line);
        let shown = content.display(Surface::Code { tab_width: self.tab_width });
        let mut step = |state: &mut State| state.line(&shown, &self.set, &mut self.scopes);
        match line.kind {
            LineKind::Removed => step(&mut track.old),
            LineKind::Added => step(&mut track.new),
            // Both sides mostly stand at the same: then they are read once.
            LineKind::Context if track.old == track.new => {
                let runs = step(&mut track.new);
                track.old = track.new.clone();
                runs
            }
            LineKind::Context => {
                step(&mut track.old);
                step(&mut track.new)
            }
        }
    }

    fn grammar(&mut self, index: u32, file: &FileDiff) -> Grammar {
        let set = &self.set;
        *self.grammars.entry(index).or_insert_with(|| {
            let first = file.lines.first().filter(|it| it.old.max(it.new) == 1);
            let first = first.map(|it| file.content(it));
            Grammar::of(file.path.raw(), first.raw(), set)
        })
    }
}
