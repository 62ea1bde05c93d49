//! The diff pane: its layout, cursor and viewport. Must not know of panes beside it.

use crate::app::{
    layout::{
        Layout, Scene,
        row::{Row, Spot},
    },
    look::{Folds, Look},
};

/// Rows kept between the cursor and the pane's edge.
const MARGIN: u32 = 3;

/// The state of the diff pane.
#[derive(Debug, Default)]
pub struct Reader {
    pub layout: Layout,
    pub folds: Folds,
    pub look: Look,
    pub at: At,
    /// Changed words of lines that were seen, in bytes of the displayed line.
    pub words: Words,
}

/// Changed words by file and line.
pub type Words = std::collections::HashMap<(u32, u32), Vec<std::ops::Range<usize>>>;

/// Where the pane stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct At {
    pub cursor: Spot,
    pub top: Spot,
    /// Cells scrolled sideways.
    pub left: usize,
    /// Rows the pane shows.
    pub height: u32,
}

/// The pane with everything it is laid out from, for the time of one move.
pub struct Stage<'a> {
    pub layout: &'a mut Layout,
    pub at: &'a mut At,
    pub scene: Scene<'a>,
}

impl Stage<'_> {
    /// Moves the cursor by rows; the viewport follows.
    pub fn step(&mut self, rows: i64) {
        self.at.cursor = self.layout.step(self.scene, self.at.cursor, rows);
        self.follow();
    }

    /// Moves cursor and viewport together, so that the cursor keeps its place on the screen.
    pub fn page(&mut self, rows: i64) {
        let top = self.at.top;
        self.at.cursor = self.layout.step(self.scene, self.at.cursor, rows);
        self.at.top = self.layout.step(self.scene, top, rows);
        self.follow();
    }

    /// Scrolls the viewport; the cursor moves only when it would leave.
    pub fn scroll(&mut self, rows: i64) {
        let last = self.layout.last(self.scene);
        let most = self.layout.step(self.scene, last, -i64::from(self.at.height.saturating_sub(1)));
        self.at.top = self.layout.step(self.scene, self.at.top, rows).min(most);
        let margin = i64::from(MARGIN.min(self.at.height.saturating_sub(1) / 2));
        let first = self.layout.step(self.scene, self.at.top, margin);
        let bottom = i64::from(self.at.height) - 1 - margin;
        let lowest = self.layout.step(self.scene, self.at.top, bottom);
        if rows > 0 && self.at.cursor < first {
            self.at.cursor = first;
        } else if rows < 0 && self.at.cursor > lowest {
            self.at.cursor = lowest;
        }
        self.follow();
    }

    /// Puts the cursor somewhere; what was out of sight comes in with room above it.
    pub fn jump(&mut self, spot: Spot) {
        let spot = self.layout.settle(self.scene, spot);
        let seen = self.layout.below(self.scene, self.at.top, spot, self.at.height * 2 / 3);
        self.at.cursor = spot;
        if seen.is_none() {
            self.at.top = self.layout.step(self.scene, spot, -i64::from(self.at.height / 4));
        }
        self.follow();
    }

    /// Puts the cursor row in the middle.
    pub fn center(&mut self) {
        self.at.top = self.layout.step(self.scene, self.at.cursor, -i64::from(self.at.height / 2));
        self.follow();
    }

    /// Brings cursor and viewport together and lays out what shows. Every change ends here.
    pub fn follow(&mut self) {
        let scene = self.scene;
        let height = self.at.height.max(1);
        let cursor = self.layout.settle(scene, self.at.cursor);
        let mut top = self.layout.settle(scene, self.at.top);
        let margin = MARGIN.min((height - 1) / 2);
        let above = self.layout.step(scene, cursor, -i64::from(margin));
        let below = self.layout.step(scene, cursor, i64::from(margin));
        if above < top {
            top = above;
        } else if self.layout.below(scene, top, below, height).is_none() {
            top = self.layout.step(scene, below, -i64::from(height - 1));
        }
        (self.at.cursor, self.at.top) = (cursor, top);
        self.layout.step(scene, top, i64::from(height));
    }

    /// The row under the cursor.
    pub fn row(&mut self) -> Row {
        let spot = self.layout.settle(self.scene, self.at.cursor);
        self.layout.row(spot).unwrap_or(Row::Blank)
    }

    /// Runs a change of the layout that keeps the cursor's row, and its place on the screen.
    pub fn keep(&mut self, change: impl FnOnce(&mut Layout, Scene<'_>)) {
        let row = self.row();
        let scene = self.scene;
        let seen = self.layout.below(scene, self.at.top, self.at.cursor, self.at.height.max(1));
        change(self.layout, scene);
        self.at.cursor = self.layout.again(scene, self.at.cursor, row);
        if let Some(rows) = seen {
            self.at.top = self.layout.step(scene, self.at.cursor, -i64::from(rows));
        }
        self.follow();
    }
}
