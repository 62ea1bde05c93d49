//! Every named command: the one table behind keys, help, palette, command line and config.
//! Must not run anything; `update` does.

/// A command a person can give. Its name, help and place are in [`TABLE`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Action {
    Down,
    Up,
    HalfDown,
    HalfUp,
    PageDown,
    PageUp,
    Top,
    Bottom,
    Left,
    Right,
    Center,
    Enter,
    Back,
    FocusNext,
    FocusPrevious,
    Search,
    SearchNext,
    SearchPrevious,
    NextHunk,
    PreviousHunk,
    NextFile,
    PreviousFile,
    NextThread,
    PreviousThread,
    NextAnyThread,
    PreviousAnyThread,
    NextFresh,
    PreviousFresh,
    Fold,
    FoldAll,
    OpenAll,
    OldHunk,
    Viewed,
    ToggleFiles,
    ToggleInspector,
    Split,
    Wrap,
    Whitespace,
    Words,
    Since,
    SinceCapture,
    SinceReview,
    Compare,
    CompareFull,
    TabNext,
    TabPrevious,
    Rebuild,
    Correct,
    Withdraw,
    Browser,
    Copy,
    CopyLink,
    Editor,
    Refresh,
    ScreenHome,
    ScreenDiff,
    ScreenThreads,
    ScreenTasks,
    FilterStatus,
    FilterActor,
    FilterBots,
    ClearFilter,
    Run,
    CancelTask,
    RetryTask,
    AddTarget,
    ShowApproval,
    ShowRequested,
    ShowMine,
    ShowRecent,
    Demo,
    Setup,
    Help,
    Palette,
    Command,
    ToggleMouse,
    Suspend,
    Quit,
}

/// Where an action works. A focused pane's own actions win over wider ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scope {
    Everywhere,
    /// Any screen of an open review.
    Review,
    Diff,
    Files,
    Inspector,
    Threads,
    Tasks,
    Home,
}

/// One row of the table.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    pub action: Action,
    /// The name in keymap, command line and palette.
    pub name: &'static str,
    /// What it does, for help: a verb and its object.
    pub help: &'static str,
    pub scopes: &'static [Scope],
}

const fn row(
    action: Action,
    name: &'static str,
    help: &'static str,
    scopes: &'static [Scope],
) -> Entry {
    Entry { action, name, help, scopes }
}

const ALL: &[Scope] = &[Scope::Everywhere];
const REVIEW: &[Scope] = &[Scope::Review];
const DIFF: &[Scope] = &[Scope::Diff];
const PANES: &[Scope] = &[Scope::Diff, Scope::Files, Scope::Inspector, Scope::Home];
const HOME: &[Scope] = &[Scope::Home];
const READ: &[Scope] = &[Scope::Diff, Scope::Files, Scope::Inspector];
const CORRECT: &[Scope] = &[Scope::Inspector, Scope::Threads];
const TALK: &[Scope] = &[Scope::Diff, Scope::Inspector, Scope::Threads];

/// All actions, in the order help lists them.
pub const TABLE: &[Entry] = &[
    row(Action::Down, "down", "move down; a count before it repeats", ALL),
    row(Action::Up, "up", "move up", ALL),
    row(Action::HalfDown, "half-page-down", "move half a page down", ALL),
    row(Action::HalfUp, "half-page-up", "move half a page up", ALL),
    row(Action::PageDown, "page-down", "move a page down", ALL),
    row(Action::PageUp, "page-up", "move a page up", ALL),
    row(Action::Top, "top", "go to the top", ALL),
    row(Action::Bottom, "bottom", "go to the bottom; with a count to that row", ALL),
    row(Action::Left, "left", "scroll long lines back", DIFF),
    row(Action::Right, "right", "scroll long lines on", DIFF),
    row(Action::Center, "center", "put the cursor row in the middle", DIFF),
    row(Action::NextThread, "next-thread", "next unresolved thread", READ),
    row(Action::PreviousThread, "previous-thread", "previous unresolved thread", READ),
    row(Action::NextAnyThread, "next-any-thread", "next thread of any status", READ),
    row(Action::PreviousAnyThread, "previous-any-thread", "previous thread of any status", READ),
    row(Action::NextFresh, "next-new", "next comment that is new since you last looked", READ),
    row(Action::PreviousFresh, "previous-new", "previous new comment", READ),
    row(Action::NextHunk, "next-hunk", "next hunk", DIFF),
    row(Action::PreviousHunk, "previous-hunk", "previous hunk", DIFF),
    row(Action::NextFile, "next-file", "next file", READ),
    row(Action::PreviousFile, "previous-file", "previous file", READ),
    row(Action::Enter, "enter", "open what is under the cursor", ALL),
    row(
        Action::Fold,
        "fold",
        "fold or open what is under the cursor",
        &[Scope::Diff, Scope::Files],
    ),
    row(Action::FoldAll, "fold-all", "fold every thread", DIFF),
    row(Action::OpenAll, "open-all", "open every thread", DIFF),
    row(Action::OldHunk, "old-hunk", "show the hunk a thread was written on", DIFF),
    row(
        Action::Viewed,
        "viewed",
        "mark the file as viewed, and fold it",
        &[Scope::Diff, Scope::Files],
    ),
    row(Action::Compare, "compare", "compare the raw thread with its summary", TALK),
    row(Action::CompareFull, "full-screen", "compare on the whole screen", &[Scope::Inspector]),
    row(Action::TabNext, "next-tab", "next of raw, summary, compare", &[Scope::Inspector]),
    row(
        Action::TabPrevious,
        "previous-tab",
        "previous of raw, summary, compare",
        &[Scope::Inspector],
    ),
    row(Action::Rebuild, "rebuild", "make the summary again", &[Scope::Inspector]),
    row(Action::Correct, "correct", "correct the summary", CORRECT),
    row(Action::Withdraw, "withdraw", "take the correction back: the engine's text again", CORRECT),
    row(Action::Browser, "browser", "open in the browser", TALK),
    row(Action::Copy, "copy", "copy the line, comment or summary", TALK),
    row(Action::CopyLink, "copy-link", "copy the link to it", TALK),
    row(Action::Editor, "editor", "open the file in $EDITOR at the line", DIFF),
    row(Action::Search, "search", "search; in a list: filter it", ALL),
    row(Action::SearchNext, "search-next", "next hit", READ),
    row(Action::SearchPrevious, "search-previous", "previous hit", READ),
    row(Action::Split, "split", "unified or side by side", DIFF),
    row(Action::Wrap, "wrap", "wrap long lines", DIFF),
    row(Action::Whitespace, "whitespace", "hide changes of whitespace only", DIFF),
    row(Action::Words, "words", "mark the changed words", DIFF),
    row(Action::Since, "since", "since the last capture, your last review, or the whole", READ),
    row(Action::SinceCapture, "since-capture", "what changed since the last capture", READ),
    row(Action::SinceReview, "since-review", "what changed since your last review", READ),
    row(Action::ToggleFiles, "files", "show or hide the file list", READ),
    row(Action::ToggleInspector, "inspector", "show or hide the inspector", READ),
    row(Action::FocusNext, "focus-next", "focus the next pane; at home: the next list", PANES),
    row(
        Action::FocusPrevious,
        "focus-previous",
        "focus the previous pane; at home: the previous list",
        PANES,
    ),
    row(
        Action::FilterStatus,
        "filter-status",
        "show one status: all, unresolved, settled, outdated",
        &[Scope::Threads],
    ),
    row(
        Action::FilterActor,
        "filter-actor",
        "show whose move it is: all, author, reviewer",
        &[Scope::Threads],
    ),
    row(Action::FilterBots, "filter-bots", "show or hide bot threads", &[Scope::Threads]),
    row(
        Action::ClearFilter,
        "clear-filter",
        "show everything again",
        &[Scope::Threads, Scope::Home],
    ),
    row(Action::CancelTask, "cancel-task", "cancel the task", &[Scope::Tasks]),
    row(Action::RetryTask, "retry-task", "run the task again", &[Scope::Tasks]),
    row(Action::Run, "run", "start or resume the run", REVIEW),
    row(
        Action::AddTarget,
        "add",
        "open a file, a URL, owner/repo#1 or a git range",
        &[Scope::Home],
    ),
    row(Action::ShowApproval, "needs-approval", "dossiers that wait for your approval", HOME),
    row(Action::ShowRequested, "review-requested", "pull requests that wait for your review", HOME),
    row(Action::ShowMine, "mine", "your own pull requests", HOME),
    row(Action::ShowRecent, "recent", "the dossiers on this machine", HOME),
    row(Action::Demo, "demo", "open the demo", &[Scope::Home]),
    row(Action::Setup, "setup", "how to set casefile up", &[Scope::Home]),
    row(
        Action::Refresh,
        "refresh",
        "read it again",
        &[Scope::Home, Scope::Diff, Scope::Files, Scope::Inspector, Scope::Threads],
    ),
    row(Action::ScreenDiff, "go-diff", "the diff", REVIEW),
    row(Action::ScreenThreads, "go-threads", "all threads", REVIEW),
    row(Action::ScreenTasks, "go-tasks", "tasks of the run", REVIEW),
    row(Action::ScreenHome, "go-home", "home: what waits for you, and the dossiers here", ALL),
    row(Action::Help, "help", "keys that work here", ALL),
    row(Action::Palette, "palette", "find a command", ALL),
    row(Action::Command, "command", "type a command", ALL),
    row(Action::ToggleMouse, "mouse", "give the mouse to the terminal, or take it back", ALL),
    row(Action::Suspend, "suspend", "stop casefile; `fg` brings it back", ALL),
    row(Action::Back, "back", "back one level; never quits", ALL),
    row(Action::Quit, "quit", "quit; asks while work is running or a correction is not saved", ALL),
];

impl Action {
    /// Its row of the table.
    pub fn entry(self) -> &'static Entry {
        TABLE.iter().find(|it| it.action == self).expect("a test holds every action in the table")
    }

    /// The action a name stands for.
    pub fn named(name: &str) -> Option<Self> {
        TABLE.iter().find(|it| it.name == name).map(|it| it.action)
    }
}

impl Scope {
    /// The heading in help and `docs/KEYS.md`.
    pub fn title(self) -> &'static str {
        match self {
            Self::Everywhere => "Everywhere",
            Self::Review => "In a review",
            Self::Diff => "Diff",
            Self::Files => "File list",
            Self::Inspector => "Inspector and Compare",
            Self::Threads => "Threads",
            Self::Tasks => "Tasks",
            Self::Home => "Home",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_names_each_action_once() {
        let mut names: Vec<_> = TABLE.iter().map(|it| it.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), TABLE.len());
        for entry in TABLE {
            assert_eq!(Action::named(entry.name), Some(entry.action));
            assert_eq!(entry.action.entry().name, entry.name);
        }
        assert_eq!(Action::Quit as usize + 1, TABLE.len(), "an action is missing from the table");
    }
}
