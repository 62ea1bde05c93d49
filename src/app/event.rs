//! What can happen to the interface, and what it may ask the outside to do. Data only.
//! Must not hold closures, handles or channels; a reply names the request it answers.

use crate::domain::text::outside::Outside;
use crate::{
    app::{
        key::{Chord, Mouse},
        listed::ListNews,
        since::{Point, Since},
        viewed::ViewedMark,
    },
    domain::{capture::Id, review::Review},
    summary::{
        correction::{Correction, Said},
        discussion::Discussion,
    },
    task::state::TaskReport,
};
use std::sync::Arc;

/// Names a request; the reply carries it back, and a reply to an older one is dropped.
pub type Request = u64;

/// Something that happened.
#[derive(Debug, Clone)]
pub enum Event {
    Key(Chord),
    /// A bracketed paste: text, never commands.
    Paste(String),
    Mouse(Mouse),
    Resize {
        width: u16,
        height: u16,
    },
    /// Time passes: seconds since 1970, UTC.
    Tick {
        now: i64,
    },
    Opened {
        request: Request,
        opened: Box<Opened>,
    },
    /// What changed since an earlier head; answers `Effect::ReadSince`.
    Since {
        request: Request,
        since: Box<Since>,
    },
    /// News of a reading that goes on.
    Reading {
        request: Request,
        progress: Progress,
    },
    Dossiers {
        request: Request,
        entries: Vec<Dossier>,
    },
    /// News of the forge's lists.
    Lists {
        request: Request,
        news: ListNews,
    },
    /// What is there to work with, and what to do for what is not.
    Around {
        request: Request,
        found: Vec<Found>,
    },
    /// News from the run `StartRun` started.
    Run {
        request: Request,
        report: RunReport,
    },
    /// What people wrote on the threads of the open review.
    Corrections {
        request: Request,
        kept: Vec<Correction>,
        drafts: Vec<Said>,
    },
    /// A correction is on the disk; these are all now.
    Corrected {
        request: Request,
        kept: Vec<Correction>,
    },
    /// `$EDITOR` has ended with this text.
    Edited {
        text: String,
    },
    /// A request could not be done. The text says what, and what to do next.
    Failed {
        request: Option<Request>,
        message: String,
    },
    /// Answers `Effect::Wake`: nothing else waits, so work in slices may go on.
    Woken,
    /// Something was done outside that a person should know (`copied to the terminal`).
    Notice(String),
}

/// A review read from its source, ready to show.
#[derive(Debug, Clone)]
pub struct Opened {
    /// What a person calls it: `owner/repo#12`, a file name, a range.
    pub label: String,
    pub review: Review,
    /// Files marked as viewed when it was last closed.
    pub viewed: Vec<ViewedMark>,
    pub arrives: Arrives,
    pub taken: Taken,
}

impl Opened {
    /// All of a review, with nothing viewed.
    pub fn whole(label: String, review: Review) -> Self {
        let (arrives, taken) = Default::default();
        Self { label, review, viewed: Vec::new(), arrives, taken }
    }
}

/// How much of what was asked for an answer is. After all but `Whole` the same request is answered
/// again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Arrives {
    #[default]
    Whole,
    /// The first files; the next answer has the same and more behind them.
    Growing,
    /// The beginning; anything may differ in the next answer.
    Begun,
    /// What was read an earlier time, whole as it was then.
    Kept,
}

/// When and how a review was read from where it lives.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Taken {
    /// RFC 3339; the capture's own time where this is `None`.
    pub at: Option<String>,
    /// Why the forge itself was not heard this time.
    pub offline: Option<String>,
}

/// How far the reading of a target has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Progress {
    /// So much of a list is here.
    Read { list: &'static str, here: u64, total: Option<u64> },
    /// Nothing goes on for so many seconds, and why.
    Waiting { seconds: u64, why: String },
    /// The waiting is over.
    GoingOn,
}

/// What was found about one thing that is set up.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Found {
    pub name: String,
    pub says: String,
    /// What to do; `None` when all is well.
    pub todo: Option<String>,
}

/// One known dossier, as home lists it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Dossier {
    /// What `Effect::Open` takes to open it.
    pub target: String,
    /// `owner/repo#12` or what stands for it.
    pub label: String,
    /// The address of the pull request's page, if it is one of a forge.
    pub page: Option<String>,
    pub title: Outside,
    pub author: Option<Outside>,
    pub state: Option<Outside>,
    pub additions: u64,
    pub deletions: u64,
    /// Threads that ask for something, and those that do not: settled or noted.
    pub unresolved: u64,
    pub settled: u64,
    pub outdated: u64,
    /// Actions that wait for a decision.
    pub waiting: u64,
    /// Phases and how they stand, in order.
    pub phases: Vec<Phase>,
    /// When the capture was taken, RFC 3339.
    pub captured_at: Option<String>,
    /// A damaged dossier stays listed, with the reason.
    pub problem: Option<String>,
}

/// A phase of a run, and where it stands.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Phase {
    pub name: String,
    pub status: PhaseStatus,
    /// Why it was skipped or failed.
    pub reason: Option<String>,
    /// Steps done and all steps, while it runs.
    pub progress: Option<(u64, u64)>,
}

/// Where a phase stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum PhaseStatus {
    #[default]
    Pending,
    Running,
    Done,
    Loaded,
    Skipped,
    Interrupted,
    Failed,
}

/// News of a run.
#[derive(Debug, Clone)]
pub enum RunReport {
    Phase(Phase),
    Task(Box<TaskReport>),
    Summary(Arc<Discussion>),
    /// The run is over; `error` is a blocking failure in words.
    Ended {
        error: Option<String>,
    },
}

/// Something to be done outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Read a target; answered by `Opened`, several times when it takes long, or by `Failed`.
    Open {
        request: Request,
        target: String,
    },
    /// Find what changed in the open review since then; answered by `Since` or `Failed`.
    ReadSince {
        request: Request,
        point: Point,
    },
    /// Nobody waits for that target any more; no answer is needed.
    StopReading {
        request: Request,
    },
    /// The bundled pull request; answered like `Open`.
    OpenDemo {
        request: Request,
    },
    /// List the dossiers known here; answered by `Dossiers`.
    LoadDossiers {
        request: Request,
    },
    /// What the forge lists for the reader: at once what was kept, then what it says now. Answered
    /// by `Lists`, several times. Never ends in `Failed`, but for a fault of ours.
    LoadLists {
        request: Request,
    },
    /// Look at what is set up, as `casefile doctor` does; answered by `Around`.
    LookAround {
        request: Request,
    },
    /// Remember that the pull request of this page was looked at, as of its last update.
    SaveSeen {
        page: String,
        updated_at: String,
    },
    /// Start or resume the phases of the open review; reports come as `Run` with this request.
    StartRun {
        request: Request,
    },
    /// Stop one running task, or everything that runs.
    CancelTask {
        task: Option<String>,
    },
    /// Let a process of its own go on with a run, so that the window can close.
    HandOver {
        run: String,
    },
    /// Run one task again although it is done or failed.
    RetryTask {
        request: Request,
        task: String,
    },
    /// As it was written, by whomever.
    Copy {
        text: Outside,
    },
    OpenBrowser {
        url: String,
    },
    /// `$EDITOR` on a file of the working tree.
    OpenEditor {
        path: Outside,
        line: u32,
    },
    /// `$EDITOR` on a text of ours; answered by `Edited` or `Failed`.
    EditText {
        text: String,
    },
    /// Read what people wrote on the open review; answered by `Corrections`.
    LoadCorrections {
        request: Request,
    },
    /// Keep a correction, signed and dated; answered by `Corrected`. The draft is done with.
    SaveCorrection {
        request: Request,
        correction: Box<Correction>,
    },
    /// Keep what is being typed. Comes with every key, so it is written after a pause.
    KeepDraft {
        draft: Box<Said>,
    },
    DiscardDraft {
        thread: Id,
    },
    /// Remember which files of the open review were viewed.
    SaveViewed {
        label: String,
        marks: Vec<ViewedMark>,
    },
    /// Mouse capture on or off.
    Mouse {
        on: bool,
    },
    /// Change the theme by name.
    Theme {
        name: String,
    },
    /// Send `Event::Woken` once the queue is empty and the frame is drawn. This is how search and
    /// counting go on in small slices without ever holding a key up.
    Wake,
    /// Ctrl-Z.
    Suspend,
    Quit,
}
