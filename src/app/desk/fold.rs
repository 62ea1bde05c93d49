//! Folding and opening: threads, files, lists, details, hidden comments; and marks of viewed files.

use crate::app::{
    conversation::SAID,
    desk::Desk,
    layout::{
        block::Talk,
        pieces::{Kind, NO_FILE},
        row::{List, Row},
    },
    look::{Look, Part},
    viewed::ViewedMark,
};

impl Desk {
    /// Folds or opens what is under the cursor. Says whether there was anything.
    pub fn toggle_fold(&mut self) -> bool {
        match self.stage().row() {
            Row::Thread { thread, line } => self.toggle_in_thread(thread, line),
            Row::File { file } => self.set_file_folded(file, !self.reader.folds.file_folded(file)),
            Row::List { file, list } => self.toggle_list(file, list),
            Row::Said { entry, line } => self.toggle_in_said(entry, line),
            Row::Hidden { .. } => {
                let look = self.reader.look;
                self.set_look(Look { whitespace_hidden: false, ..look });
            }
            Row::Code { .. }
            | Row::Pair { .. }
            | Row::Hunk { .. }
            | Row::Blank
            | Row::Note { .. } => return false,
        }
        true
    }

    fn toggle_in_thread(&mut self, thread: u32, line: u16) {
        let talk = self.reader.layout.block(thread).and_then(|it| it.lines.get(line as usize));
        let part = match talk {
            Some(Talk::Minimized { comment }) => Some((*comment, Part::Minimized)),
            Some(Talk::Words { comment, line }) => {
                line.details.map(|it| (*comment, Part::Details(it)))
            }
            Some(Talk::Head { comment }) if self.was_minimized(thread, *comment) => {
                Some((*comment, Part::Minimized))
            }
            _ => None,
        };
        if let Some((comment, part)) = part {
            self.reader.folds.toggle_part(thread, comment, part);
        } else {
            let open = self.reader.folds.thread_open(thread, &self.facts[thread as usize]);
            self.reader.folds.set_thread(thread, !open);
        }
        self.stage().keep(|layout, scene| layout.forget_thread(scene, thread));
    }

    /// A hidden comment that was opened folds again on its own head line, unless it is the
    /// thread's first, whose head folds the thread.
    fn was_minimized(&self, thread: u32, comment: u16) -> bool {
        comment > 0 && self.reader.folds.part_open(thread, comment, Part::Minimized)
    }

    /// Folds or opens a file.
    pub fn set_file_folded(&mut self, file: u32, folded: bool) {
        self.reader.folds.set_file(file, folded);
        self.stage().keep(|layout, scene| layout.forget_file(scene, file));
    }

    /// Opens a file that is folded.
    pub fn unfold_file(&mut self, file: u32) {
        if file != NO_FILE && self.reader.folds.file_folded(file) {
            self.set_file_folded(file, false);
        }
    }

    fn toggle_list(&mut self, file: u32, list: List) {
        self.reader.folds.toggle_list(file, list);
        let said = matches!(list, List::Description | List::Conversation);
        self.stage().keep(|layout, scene| {
            if said {
                layout.forget_said(scene);
            } else {
                layout.forget_file(scene, file);
            }
        });
    }

    fn toggle_in_said(&mut self, entry: u16, line: u16) {
        let talk = self.reader.layout.said(entry).and_then(|it| it.lines.get(usize::from(line)));
        let part = match talk {
            Some(Talk::Minimized { .. }) => Some(Part::Minimized),
            Some(Talk::Words { line, .. }) => line.details.map(Part::Details),
            _ => None,
        };
        if let Some(part) = part {
            self.reader.folds.toggle_part(SAID, entry, part);
            self.stage().keep(crate::app::layout::Layout::forget_said);
        } else {
            let list = if entry == 0 { List::Description } else { List::Conversation };
            self.toggle_list(NO_FILE, list);
        }
    }

    /// Opens the description (entry 0) or the conversation.
    pub fn open_said(&mut self, entry: u16) {
        if !self.reader.folds.said_open(entry) {
            let list = if entry == 0 { List::Description } else { List::Conversation };
            self.toggle_list(NO_FILE, list);
        }
    }

    /// Opens the lists of a piece that are folded.
    pub fn unfold_lists(&mut self, piece: u32) {
        let at = &self.reader.layout.pieces.all[piece as usize];
        let file = at.file;
        let list = at.kind.list().or((at.kind == Kind::Head).then_some(List::Unknown));
        let Some(list) = list.filter(|it| self.reader.folds.list_folded(file, *it)) else { return };
        self.toggle_list(file, list);
    }

    /// Opens or folds every thread.
    pub fn set_all_threads(&mut self, open: bool) {
        self.reader.folds.set_all(self.facts.len() as u32, open);
        self.reflow();
    }

    /// Shows or hides the hunk the thread under the cursor was written on.
    pub fn toggle_old_hunk(&mut self) -> bool {
        let Some(thread) = self.nearest_thread() else { return false };
        self.reader.folds.toggle_old(thread);
        self.reader.folds.set_thread(thread, true);
        self.go_to_thread(thread);
        self.stage().keep(|layout, scene| layout.forget_thread(scene, thread));
        true
    }

    /// Changes how the diff is looked at.
    pub fn set_look(&mut self, look: Look) {
        if self.reader.look != look {
            self.reader.look = look;
            self.reader.at.left = 0;
            self.reflow();
        }
    }

    /// Lays everything out anew at the same width; the cursor keeps its row.
    pub fn reflow(&mut self) {
        let width = self.reader.layout.width;
        self.stage().keep(|layout, scene| layout.reflow(scene, width));
    }

    /// Marks a file as viewed and folds it, or takes both back. Gives all marks.
    pub fn toggle_viewed(&mut self, file: u32) -> Vec<ViewedMark> {
        let viewed = self.viewed.toggle(file, &self.review.diff.files[file as usize]);
        self.set_file_folded(file, viewed);
        self.viewed.marks()
    }
}
