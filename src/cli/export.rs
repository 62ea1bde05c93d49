//! `casefile export`: a target's dossier as one document, made first where it is missing or stale.
//! Must not mix anything into the document, and must not write a half one.

use crate::batch::{self, document::escaped, work};
use crate::cli::{
    access,
    args::{Args, Format},
    settings,
};
use crate::domain::review::Review;
use crate::driver::{self, report::Cancel};
use crate::export;
use crate::failure::{Failure, Kind};
use crate::forge::{Opened, write};
use std::path::Path;

/// Writes the document to `output`, or to standard output.
pub fn write(
    target: &str,
    format: Format,
    output: Option<&Path>,
    args: &Args,
) -> Result<u8, Failure> {
    let config = settings::load(args)?;
    let settings = settings::driver(args, &config, false)?;
    let source = access::source(args, &config)?;
    let opened = work::read(target, &source, &access::tell(args), &Cancel::default())?;
    let outcome =
        driver::run(&work::target(target, &opened)?, &settings, &|_| (), &Cancel::default());
    if let Some(error) = outcome.error {
        return Err(error.into());
    }
    let Some(discussion) = outcome.discussion else {
        let cause = format!("no summary of {target} was made, so there is nothing to export");
        return Err(Failure::new(Kind::Failed, cause).hint("leave --until out"));
    };
    let review = review(opened);
    let text = match format {
        Format::Md => export::markdown(&review, &discussion),
        Format::Json => escaped(&export::json(&review, &discussion)),
        Format::Html => export::html(&review, &discussion),
    };
    match output.filter(|it| it.as_os_str() != "-") {
        Some(path) => write::whole(path, text.as_bytes())?,
        None => batch::print(&text)?,
    }
    Ok(0)
}

fn review(opened: Opened) -> Review {
    match opened.diff {
        Some(diff) => Review::with_diff(opened.capture, diff),
        None => Review::of(opened.capture),
    }
}
