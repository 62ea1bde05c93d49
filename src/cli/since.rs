//! What changed since an earlier head, for the workbench: the driver's answer in the interface's
//! words. Must not find it itself.

use crate::app::since::{Point, Since};
use crate::domain::capture::Capture;
use crate::driver::{live::Source, since};
use crate::forge::{github::read, target::PullRequestName};
use crate::telemetry::clean;
use crate::tui::opening::{Finder, Reading};
use std::{path::PathBuf, sync::Arc};

/// Finds it for this capture. `root` is the folder of its pull request; `live` is how the forge is
/// asked, where the target is live.
pub fn finder(
    capture: Arc<Capture>,
    root: PathBuf,
    live: Option<(Source, PullRequestName)>,
) -> Arc<Finder> {
    Arc::new(move |point: Point, reading: &Reading<'_>| {
        let of = match point {
            Point::Capture => since::Point::Capture,
            Point::Review => since::Point::Review,
        };
        let forge = live.as_ref().map(|it| (&it.0, &it.1));
        let asked = since::Asked { root: &root, forge, folder: None };
        let longest = live.as_ref().map(|it| it.0.longest).unwrap_or_default();
        let watch = read::Watch { tell: &|_| (), cancelled: reading.stopped, longest };
        let found = since::read(&capture, of, asked, watch).map_err(|it| clean(&it))?;
        let since::Since { old, new, diff, notices } = found;
        let notices = notices.iter().map(|it| clean(it)).collect();
        Ok(Since { point, old, new, diff, notices })
    })
}
