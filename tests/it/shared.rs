//! Real data that lives outside the project. Where it is not, the tests that need it say so and
//! pass; where it is, a missing file is a failure.

use std::path::PathBuf;

#[expect(clippy::print_stdout, reason = "a skipped test must be seen")]
/// The folder named by `CASEFILE_SHARED` joined with `path`, or `None` with a visible line.
pub(crate) fn shared(path: &str) -> Option<PathBuf> {
    let Some(root) = std::env::var_os("CASEFILE_SHARED") else {
        println!("skipped: CASEFILE_SHARED is not set, {path} is not looked at");
        return None;
    };
    let path = PathBuf::from(root).join(path);
    assert!(path.exists(), "CASEFILE_SHARED is set, yet {} is missing", path.display());
    Some(path)
}

/// Every file in a shared folder whose name ends so, sorted; empty when there is no shared data.
pub(crate) fn shared_files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let Some(folder) = shared(folder) else { return Vec::new() };
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .expect("a readable folder")
        .map(|entry| entry.expect("a readable entry").path())
        .filter(|path| path.to_string_lossy().ends_with(ending))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no *{ending} in {}", folder.display());
    files
}
