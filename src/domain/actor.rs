//! Who wrote a comment, and whether it is process chatter.
//! Must not judge what a comment says: the rules look at who wrote it and how it is built, never
//! at the words of a sentence.

use crate::domain::capture::{Comment, Id};
use crate::domain::text::outside::OutsideOption as _;

/// The class of a comment's writer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Actor {
    Human,
    Bot,
    /// Our posting identity, writing under our marker.
    Own,
    /// A deleted account: the forge names no author. Never a bot.
    Ghost,
}

impl Actor {
    /// The name used in artifacts: `human`, `bot`, `self` or `ghost`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::Bot => "bot",
            Self::Own => "self",
            Self::Ghost => "ghost",
        }
    }

    /// The class of a comment.
    pub fn of(comment: &Comment, us: &Identity) -> Self {
        let Some(login) = comment.author.raw().filter(|it| !it.is_empty()) else {
            return Self::Ghost;
        };
        if us.posted(comment) {
            Self::Own
        } else if comment.author_is_bot == Some(true) || login.ends_with(APP) {
            Self::Bot
        } else {
            Self::Human
        }
    }
}

/// What an application's login ends with; people's logins cannot hold brackets.
const APP: &str = "[bot]";

/// The account we post with. `Identity::default()` is nobody: then no comment is ours.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Identity {
    /// The account's numeric id: a login can be renamed and reused, so it proves nothing.
    pub id: Option<Id>,
}

/// What the first bytes of our own posts look like, and those of the compatible tool.
const MARKERS: [&str; 2] = ["<!-- casefile:", "<!-- codereview:"];

impl Identity {
    fn posted(&self, comment: &Comment) -> bool {
        let body = comment.body.raw().unwrap_or_default();
        self.id.is_some()
            && self.id == comment.author_id
            && MARKERS.iter().any(|it| body.starts_with(it))
    }
}

/// Whether a comment is process chatter: CI, build, coverage, previews, mergeability, merge queue,
/// dependency news. Two things must meet, who wrote it and how it is built; the words of a
/// sentence are never looked at. A code review by a bot is not chatter, and neither is anything a
/// person wrote, tables and headings included.
pub fn is_process_noise(comment: &Comment) -> bool {
    let Some(login) = comment.author.raw() else { return false };
    let body = comment.body.raw().unwrap_or_default();
    let app = comment.author_is_bot == Some(true) || login.ends_with(APP);
    let chore = named_like(login, CHORES);
    let inline = comment.diff_hunk.is_some() || comment.in_reply_to_id.is_some();
    // Coverage reports draw their figures in a `diff` fence; only beside a line is that a change.
    let report = app && chore && !inline;
    if named_like(login, REVIEWERS) || (!report && proposes_code(body)) {
        return false;
    }
    match (app, chore, inline) {
        (true, true, false) => true,
        // A shared account (`github-actions[bot]`) or an unknown one is told by its form, and so
        // is a report inside a thread.
        (true, false, false) | (true, true, true) => form(body) >= 2,
        // A robot that works through a person's account.
        (false, _, _) => named_like(login, ROBOTS) && (form(body) >= 1 || signed(body)),
        (true, false, true) => false,
    }
}

/// Parts of logins of accounts that report on checks, builds, merges and dependencies.
const CHORES: &[&str] = &[
    "codecov",
    "coveralls",
    "dependabot",
    "renovate",
    "mergify",
    "bors",
    "homu",
    "vercel",
    "netlify",
    "sonarcloud",
    "sonarqube",
    "cla-assistant",
    "claassistant",
    "google-cla",
    "cla-bot",
    "changeset-bot",
    "drahtbot",
    "ci-robot",
    "ci-bot",
    "merge-queue",
    "mergebot",
    "graphite-app",
    "github-merge-queue",
    "circleci",
    "travis",
    "azure-pipelines",
    "appveyor",
    "buildkite",
    "jenkins",
    "codspeed",
    "snyk",
    "stale",
    "allcontributors",
    "pull-request-size",
    "semantic-release",
    "cloudflare",
    "railway-app",
    "render-bot",
    "chromatic",
    "percy",
    "size-limit",
    "bundlemon",
];

/// Parts of logins of robots that the forge lists as people.
const ROBOTS: &[&str] = &[
    "ci-robot",
    "ci-bot",
    "codecov-commenter",
    "claassistant",
    "cla-bot",
    "mergebot",
    "drahtbot",
    "highfive",
];

/// Parts of logins of accounts that review code.
const REVIEWERS: &[&str] = &[
    "review",
    "coderabbit",
    "copilot",
    "gemini-code",
    "greptile",
    "qodo",
    "codium",
    "ellipsis",
    "sourcery",
    "cursor",
    "claude",
    "codex",
    "security",
    "code-quality",
    "deepsource",
    "korbit",
    "bito",
    "devin",
];

fn named_like(login: &str, names: &[&str]) -> bool {
    let login = login.to_ascii_lowercase();
    names.iter().any(|it| login.contains(it))
}

/// A suggestion or a patch: somebody wants code changed.
fn proposes_code(body: &str) -> bool {
    body.lines().map(str::trim_start).any(|it| {
        it.starts_with("```suggestion")
            || it.starts_with("```diff")
            || it.starts_with("~~~suggestion")
    })
}

/// How much a body is built like a report: a hidden marker to find it again, a table, badges, a
/// heading on top, pictures as traffic lights. One point each.
fn form(body: &str) -> u8 {
    let start = body.trim_start();
    let lines = || body.lines().map(str::trim_start);
    let first = lines().find(|it| !it.is_empty() && !it.starts_with("<!--")).unwrap_or_default();
    let marker = start.starts_with("<!--");
    let table = body.contains("<table") || lines().any(is_table_rule);
    let badge = body.contains("[![") || body.contains("<img") || body.contains("shields.io");
    let heading = first.starts_with('#') || first.starts_with("<h");
    let footer =
        lines().next_back().is_some_and(|it| it.starts_with('_') || it.starts_with("<sub"));
    [marker, table, badge, heading, footer].into_iter().map(u8::from).sum()
}

/// How robots that obey comments sign what they say: a hidden marker on a line of its own, which
/// Prow puts last, or a fold with instructions or with the comment they answer.
fn signed(body: &str) -> bool {
    body.lines().map(str::trim_start).any(|it| it.starts_with("<!--") || it.starts_with("<details"))
}

/// The line under a Markdown table's head.
fn is_table_rule(line: &str) -> bool {
    line.contains("---") && line.contains('|') && line.chars().all(|it| "|-: \t".contains(it))
}

#[cfg(test)]
mod tests {
    use crate::domain::{
        actor::{Actor, Identity, is_process_noise},
        capture::{Comment, Id},
    };

    fn comment(author: Option<&str>, bot: Option<bool>, body: &str) -> Comment {
        Comment {
            author: author.map(Into::into),
            author_is_bot: bot,
            body: Some(body.into()),
            ..Comment::default()
        }
    }

    #[test]
    fn every_comment_has_one_class() {
        let us = Identity { id: Some(Id::Number(7)) };
        let check = |it: &Comment, expected: Actor| assert_eq!(Actor::of(it, &us), expected);
        check(&comment(Some("ann"), Some(false), "hi"), Actor::Human);
        check(&comment(Some("ann"), None, "hi"), Actor::Human);
        check(&comment(Some("ci[bot]"), None, "hi"), Actor::Bot);
        check(&comment(Some("helper"), Some(true), "hi"), Actor::Bot);
        check(&comment(None, Some(true), "hi"), Actor::Ghost);
        check(&comment(Some(""), None, "hi"), Actor::Ghost);
        let marked = "<!-- casefile:v1:action=a:mac=m -->\nDone";
        let mut own = comment(Some("ann"), Some(false), marked);
        check(&own, Actor::Human); // the marker alone proves nothing
        own.author_id = Some(Id::Number(7));
        check(&own, Actor::Own);
        own.body = Some(format!("> {marked}").into());
        check(&own, Actor::Human); // a quoted marker is not at the start
    }

    #[test]
    fn chatter_is_told_by_writer_and_form_never_by_words() {
        let check = |login: &str, bot: bool, body: &str, expected: bool| {
            let it = comment(Some(login), Some(bot), body);
            assert_eq!(is_process_noise(&it), expected, "{login}: {body}");
        };
        let table = "## Coverage Report\n\n| a | b |\n|---|---|\n| 1 | 2 |";
        check("github-actions[bot]", true, table, true);
        check("ann", false, table, false);
        check("github-actions[bot]", true, "## Preview\n\nhttp://x\n\n_Updated for f8f96b4_", true);
        check("github-actions[bot]", true, "The lock is taken twice here.", false);
        check("codecov[bot]", true, "All good.", true);
        let coverage = "## Report\n\n```diff\n@@ Coverage Diff @@\n+ Coverage 87.66%\n```";
        check("codecov[bot]", true, coverage, true);
        check("k8s-ci-robot", false, "<!-- test report -->\nThe following test **failed**", true);
        let approval = "[APPROVALNOTIFIER] This PR is **APPROVED**\n\nMore.\n<!-- META={} -->";
        check("k8s-ci-robot", false, approval, true);
        let closed = "@ann: Closed this PR.\n\n<details>\n\nIn response to this\n</details>";
        check("k8s-ci-robot", false, closed, true);
        check("ann", false, approval, false);
        check("DrahtBot", true, "<!--e57a-->\n\n### Conflicts\n* one", true);
        check("coderabbitai[bot]", true, table, false);
        check("helper[bot]", true, "## Fix\n<!-- m -->\n```suggestion\nx\n```", false);
        check(
            "ann",
            false,
            "approved, merge queue failed, draft ledger cache retry session",
            false,
        );
    }

    #[test]
    fn a_deleted_account_is_never_chatter() {
        assert!(!is_process_noise(&comment(None, Some(true), "## x\n|a|\n|---|")));
    }
}
