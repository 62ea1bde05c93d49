//! The file list: the diff's paths as a tree, single-child folders joined, in the diff's order.
//! Must not scroll the diff; it says which file was chosen.

use crate::{
    app::facts::{Fact, Tally},
    domain::review::Review,
};

/// The list and where it stands.
#[derive(Debug, Default)]
pub struct Files {
    /// Folders and files, each folder before what is in it.
    pub nodes: Vec<Node>,
    /// Indices of nodes that no folded folder hides.
    pub visible: Vec<u32>,
    /// Index into `visible`.
    pub cursor: usize,
    pub top: usize,
    pub shown: bool,
    /// Counts of each file of the diff.
    pub tallies: Vec<Tally>,
    /// Counts of threads the diff has no place for.
    pub elsewhere: Tally,
}

/// A folder or a file of the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    pub depth: u16,
    pub label: String,
    pub kind: NodeKind,
}

/// What a node of the tree is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeKind {
    /// `end` is the node after everything in it.
    Folder {
        end: u32,
        folded: bool,
    },
    File {
        file: u32,
    },
}

impl Files {
    /// The tree of a review's files.
    pub fn of(review: &Review) -> Self {
        let mut entries: Vec<(Vec<&str>, u32)> = Vec::new();
        for (at, file) in review.diff.files.iter().enumerate() {
            entries.push((file.path.raw().split('/').collect(), at as u32));
        }
        let mut nodes = Vec::new();
        add(&mut nodes, &entries, 0, 0);
        let tallies = vec![Tally::default(); review.diff.files.len()];
        let mut files = Self { nodes, shown: true, tallies, ..Self::default() };
        files.list();
        files
    }

    /// Goes on where another list stood: what was folded stays so, and the cursor keeps its file
    /// and its row on the screen. `moved` gives a file's new number.
    pub fn take_over(&mut self, before: &Self, moved: impl Fn(u32) -> Option<u32>) {
        let folded = before.folded();
        for at in 0..if folded.is_empty() { 0 } else { self.nodes.len() } {
            let path = self.path(at);
            if let NodeKind::Folder { folded: it, .. } = &mut self.nodes[at].kind {
                *it = folded.contains(&path);
            }
        }
        self.shown = before.shown;
        self.list();
        let row = before.cursor.saturating_sub(before.top);
        let at = before.visible.get(before.cursor).map(|it| *it as usize);
        let found = at.and_then(|at| match before.nodes[at].kind {
            NodeKind::File { file } => {
                let kind = NodeKind::File { file: moved(file)? };
                self.row_of(|it, _| it.kind == kind)
            }
            NodeKind::Folder { .. } => {
                let path = before.path(at);
                self.row_of(|it, at| {
                    !matches!(it.kind, NodeKind::File { .. }) && self.path(at) == path
                })
            }
        });
        self.cursor = found.unwrap_or(before.cursor).min(self.visible.len().saturating_sub(1));
        self.top = self.cursor.saturating_sub(row);
    }

    fn row_of(&self, fits: impl Fn(&Node, usize) -> bool) -> Option<usize> {
        self.visible.iter().position(|it| fits(&self.nodes[*it as usize], *it as usize))
    }

    fn folded(&self) -> Vec<String> {
        let folded =
            |it: &usize| matches!(self.nodes[*it].kind, NodeKind::Folder { folded: true, .. });
        (0..self.nodes.len()).filter(folded).map(|it| self.path(it)).collect()
    }

    /// A node's labels from the root on.
    fn path(&self, at: usize) -> String {
        let mut parts = Vec::new();
        let mut depth = u16::MAX;
        for node in self.nodes[..=at].iter().rev() {
            if node.depth < depth {
                parts.push(node.label.as_str());
                depth = node.depth;
            }
        }
        parts.reverse();
        parts.join("/")
    }

    fn list(&mut self) {
        self.visible.clear();
        let mut at = 0;
        while let Some(node) = self.nodes.get(at as usize) {
            self.visible.push(at);
            at = match node.kind {
                NodeKind::Folder { end, folded: true } => end,
                _ => at + 1,
            };
        }
    }

    /// The node under the list's cursor.
    pub fn current(&self) -> Option<&Node> {
        self.nodes.get(*self.visible.get(self.cursor)? as usize)
    }

    /// Moves the list's cursor.
    pub fn step(&mut self, rows: i64) {
        let last = self.visible.len().saturating_sub(1);
        self.cursor = self.cursor.saturating_add_signed(rows as isize).min(last);
    }

    /// Keeps the cursor in a list of `height` rows.
    pub fn follow(&mut self, height: usize) {
        self.top = self.top.min(self.cursor);
        if self.cursor >= self.top + height.max(1) {
            self.top = self.cursor + 1 - height.max(1);
        }
    }

    /// Folds or opens the folder under the cursor. Says whether there was one.
    pub fn toggle(&mut self) -> bool {
        let Some(at) = self.visible.get(self.cursor).copied() else { return false };
        let NodeKind::Folder { folded, .. } = &mut self.nodes[at as usize].kind else {
            return false;
        };
        *folded = !*folded;
        self.list();
        true
    }

    /// Puts the cursor on a file, or on the folder that hides it.
    pub fn show(&mut self, file: u32) {
        if self.current().is_some_and(|it| it.kind == NodeKind::File { file }) {
            return;
        }
        let wanted = NodeKind::File { file };
        let Some(at) = self.nodes.iter().position(|it| it.kind == wanted) else { return };
        let row = self.visible.partition_point(|it| (*it as usize) <= at);
        self.cursor = row.saturating_sub(1);
    }

    pub fn clear_tallies(&mut self) {
        self.tallies.fill(Tally::default());
        self.elsewhere = Tally::default();
    }

    /// Counts a thread at its file, or among those without one.
    pub fn count(&mut self, file: Option<u32>, fact: &Fact) {
        let at = file.and_then(|it| self.tallies.get_mut(it as usize));
        at.unwrap_or(&mut self.elsewhere).add(fact);
    }
}

/// Adds entries that share their first `from` path parts.
fn add(nodes: &mut Vec<Node>, entries: &[(Vec<&str>, u32)], from: usize, depth: u16) {
    let mut rest = entries;
    while let Some((parts, file)) = rest.first() {
        if parts.len() == from + 1 {
            let label = parts[from].to_owned();
            nodes.push(Node { depth, label, kind: NodeKind::File { file: *file } });
            rest = &rest[1..];
            continue;
        }
        let shares = |it: &&(Vec<&str>, u32), upto: usize| {
            it.0.len() > upto && it.0[from..upto] == parts[from..upto]
        };
        let group = rest.iter().take_while(|it| shares(it, from + 1)).count();
        let mut upto = from + 1;
        while rest[..group].iter().all(|it| it.0.len() > upto + 1 && shares(&it, upto + 1)) {
            upto += 1;
        }
        let at = nodes.len();
        let label = parts[from..upto].join("/");
        nodes.push(Node { depth, label, kind: NodeKind::Folder { end: 0, folded: false } });
        add(nodes, &rest[..group], upto, depth + 1);
        nodes[at].kind = NodeKind::Folder { end: nodes.len() as u32, folded: false };
        rest = &rest[group..];
    }
}
