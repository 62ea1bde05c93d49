//! The forge's lists as home takes them: what was kept, what the forge says now, or why it says
//! nothing. Must not draw, and must not wait long for a limit: home asks again by itself.

use crate::app::listed::{List, ListNews, Listed, Lists, Mark, Trouble};
use crate::driver::{
    live::{self, KeptLists, Source},
    seen::{self, Seen},
};
use crate::failure::Failure;
use crate::forge::{
    Class, ForgeError,
    github::{
        lists::{self, Row},
        read::{News, Watch},
        trouble::{LiveError, Why},
    },
    target::TargetSpec,
};
use crate::telemetry::clean;
use crate::tui::opening::Lister;
use std::{sync::Arc, time::Duration};

/// The longest limit that is waited out while somebody could press a key again.
const LONGEST: Duration = Duration::from_secs(20);

/// How home's lists are read.
pub fn lister(source: Source) -> Lister {
    Arc::new(move |tell, stopped| read(&source, tell, stopped))
}

fn read(source: &Source, tell: &(dyn Fn(ListNews) + Sync), stopped: &(dyn Fn() -> bool + Sync)) {
    let host = &source.host;
    let kept = live::kept_lists(&source.home, host);
    let seen = seen::load(&source.home);
    let shown = kept.map(|it| Box::new(lists(host, it, &seen)));
    if source.offline {
        return tell(ListNews::Offline(shown));
    }
    if let Some(lists) = shown {
        tell(ListNews::Kept(lists));
    }
    let hear = |news| {
        if let News::Waiting { pause, why } = news {
            let why = clean(&why);
            tell(ListNews::Waiting { why, seconds: pause.as_secs().max(1) });
        }
    };
    let watch = Watch { tell: &hear, cancelled: stopped, longest: LONGEST };
    match live::lists(host, source, watch) {
        Ok(now) => {
            let seen = if seen.knows(host) { seen } else { begin(source, &now) };
            tell(ListNews::Read(Box::new(lists(host, now, &seen))));
        }
        Err(error) => {
            if error.class() == Class::Config {
                // A token given meanwhile is found the next time.
                source.live.forget(host);
            }
            tell(ListNews::Failed(trouble(error)));
        }
    }
}

/// The first look at a host's lists: everything on them would be new, so nothing is.
fn begin(source: &Source, now: &KeptLists) -> Seen {
    let rows = now.lists.requested.rows.iter().chain(&now.lists.mine.rows);
    let pages: Vec<_> =
        rows.filter_map(|it| Some((page(&source.host, it)?, it.updated_at.as_deref()?))).collect();
    let pages = pages.iter().map(|(page, at)| (page.as_str(), *at));
    seen::begin(&source.home, &source.host, pages).unwrap_or_else(|error| {
        tracing::debug!(%error, "the first look was not kept");
        Seen::default()
    })
}

fn trouble(error: ForgeError) -> Trouble {
    let pause = match &error {
        ForgeError::Live(LiveError { why: Why::Limit { pause }, .. }) => {
            Some(pause.as_secs().max(1))
        }
        _ => None,
    };
    let lasting = error.class() == Class::Config;
    let Failure { cause, hints, .. } = Failure::from(error);
    let todo = hints.first().map(|it| clean(it));
    Trouble { says: clean(&cause), todo, pause, lasting }
}

fn lists(host: &str, kept: KeptLists, seen: &Seen) -> Lists {
    let KeptLists { read_at, lists } = kept;
    Lists {
        host: host.to_owned(),
        login: lists.viewer.login,
        read_at: Some(read_at),
        requested: list(host, lists.requested, seen),
        mine: list(host, lists.mine, seen),
    }
}

fn list(host: &str, list: lists::List, seen: &Seen) -> List {
    let rows = list.rows.into_iter().filter_map(|it| listed(host, it, seen)).collect();
    List { rows, total: list.total }
}

/// A row; one whose name is no name of a pull request is left out.
fn listed(host: &str, row: Row, seen: &Seen) -> Option<Listed> {
    let target = page(host, &row)?;
    let mark = match (seen.of(&target), row.updated_at.as_deref()) {
        _ if !seen.knows(host) => Mark::Known,
        (None, _) => Mark::New,
        (Some(then), Some(now)) if then < now => Mark::Updated,
        _ => Mark::Known,
    };
    Some(Listed {
        label: format!("{}#{}", row.repository, row.number),
        target,
        title: row.title,
        author: row.author,
        state: row.state.into(),
        draft: row.draft,
        additions: row.additions,
        deletions: row.deletions,
        threads: row.threads,
        updated_at: row.updated_at,
        mark,
    })
}

fn page(host: &str, row: &Row) -> Option<String> {
    let page = format!("https://{host}/{}/pull/{}", row.repository, row.number);
    let is_one = matches!(TargetSpec::parse_at(&page, host), TargetSpec::PullRequest(it)
        if format!("{}/{}", it.owner, it.repository) == row.repository);
    is_one.then_some(page)
}
