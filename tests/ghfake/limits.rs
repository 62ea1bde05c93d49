//! The primary rate limit, counted but never enforced: a fault script refuses, not the count.
//! Must not be asked whether a request may pass.

/// Requests of this hour, by resource.
#[derive(Debug, Default)]
pub(crate) struct Limits {
    pub(crate) core: u64,
    pub(crate) graphql: u64,
    pub(crate) search: u64,
}

pub(crate) const CORE: u64 = 5_000;
pub(crate) const SEARCH: u64 = 30;
const HOUR: i64 = 3_600;

/// Which of them a request counts against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Resource {
    Core,
    Graphql,
    Search,
}

impl Limits {
    pub(crate) fn count(&mut self, resource: Resource) {
        *match resource {
            Resource::Core => &mut self.core,
            Resource::Graphql => &mut self.graphql,
            Resource::Search => &mut self.search,
        } += 1;
    }

    /// `x-ratelimit-*` as they stand.
    pub(crate) fn headers(&self, resource: Resource, now_ms: i64) -> Vec<(String, String)> {
        let (limit, used, name) = self.of(resource);
        let pairs = [
            ("x-ratelimit-limit", limit.to_string()),
            ("x-ratelimit-remaining", limit.saturating_sub(used).to_string()),
            ("x-ratelimit-used", used.to_string()),
            ("x-ratelimit-reset", reset(now_ms).to_string()),
            ("x-ratelimit-resource", name.to_owned()),
        ];
        pairs.map(|it| (it.0.to_owned(), it.1)).into()
    }

    pub(crate) fn of(&self, resource: Resource) -> (u64, u64, &'static str) {
        match resource {
            Resource::Core => (CORE, self.core, "core"),
            Resource::Graphql => (CORE, self.graphql, "graphql"),
            Resource::Search => (SEARCH, self.search, "search"),
        }
    }
}

/// Seconds since 1970 at which the hour ends.
pub(crate) fn reset(now_ms: i64) -> i64 {
    (now_ms / 1_000 / HOUR + 1) * HOUR
}
