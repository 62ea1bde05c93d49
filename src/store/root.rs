//! An artifact root: which folder belongs to a pull request, and the layout inside it
//! (dossier-and-tasks, section 2). Must not hold a name that came from outside unencoded.

use crate::domain::text::outside::OutsideOption as _;
use crate::{
    domain::{
        capture::{Capture, ForgeName},
        digest::Digest,
    },
    store::{
        error::StoreError,
        folder::Folder,
        name::{part, part_not},
    },
    task::id::TaskId,
};
use std::path::{Path, PathBuf};

/// The place of git ranges and patch files, instead of a host.
const LOCAL: &str = "local";
/// Not a plain part, so no owner has it.
const NO_OWNER: &str = "_";
/// `forge.kind` of a capture that came from no forge.
const LOCAL_KINDS: [&str; 3] = [LOCAL, "git", "diff"];

/// One pull request's folder, held open.
#[derive(Debug)]
pub struct Root {
    folder: Folder,
}

impl Root {
    /// Opens the root below a folder (a data dir's `dossiers`, or a caller's `DIR`), made 0700.
    pub fn create(below: &Path, parts: &[String]) -> Result<Self, StoreError> {
        let folder =
            parts.iter().try_fold(Folder::create(below)?, |folder, name| folder.make(name))?;
        Ok(Self { folder })
    }

    /// Opens a root that is there already.
    pub fn open(path: &Path) -> Result<Option<Self>, StoreError> {
        Ok(Folder::open(path)?.map(|folder| Self { folder }))
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// `captures/`
    pub fn captures(&self) -> Result<Folder, StoreError> {
        self.folder.make("captures")
    }

    /// `dossier/`. Its lock is held by the one process that works on the dossier.
    pub fn dossier(&self) -> Result<Folder, StoreError> {
        self.folder.make("dossier")
    }

    /// `drafts/`
    pub fn drafts(&self) -> Result<Folder, StoreError> {
        self.folder.make("drafts")
    }

    /// `llm-tasks/<task-id>/`
    pub fn task(&self, id: &TaskId) -> Result<Folder, StoreError> {
        self.folder.make("llm-tasks")?.make(&part(id.as_str()))
    }

    /// `llm-tasks/<task-id>/` when it is there; nothing is made.
    pub fn task_if_any(&self, id: &TaskId) -> Result<Option<Folder>, StoreError> {
        match self.folder.sub("llm-tasks")? {
            Some(folder) => folder.sub(&part(id.as_str())),
            None => Ok(None),
        }
    }

    /// A folder inside when it is there; nothing is made.
    pub fn sub(&self, name: &str) -> Result<Option<Folder>, StoreError> {
        self.folder.sub(name)
    }
}

/// The host a capture came from; `None` when it came from no forge.
pub fn host_of(repository: &str, forge: Option<&ForgeName>) -> Option<String> {
    let kind = forge.and_then(|it| it.kind.as_deref());
    let local = kind.is_some_and(|it| LOCAL_KINDS.contains(&it)) || !repository.contains('/');
    let host = forge.and_then(|it| it.host.as_deref()).unwrap_or("github.com");
    (!local).then(|| host.to_owned())
}

/// The path of a capture's root, one part each: `<host>/<owner>/<repo>/<n>`, or
/// `local/<repository>/<base>..<head>` for a git range.
pub fn place(capture: &Capture) -> Vec<String> {
    let kind = capture.forge.as_ref().and_then(|it| it.kind.as_deref());
    if kind.is_some_and(|it| LOCAL_KINDS.contains(&it)) {
        return local(capture);
    }
    place_on_forge(capture.host(), &capture.repository, capture.pull_request.number)
}

/// The same by a pull request's name; `repository` is `owner/name`.
pub fn place_on_forge(host: &str, repository: &str, number: u64) -> Vec<String> {
    let (owner, repository) = match repository.rsplit_once('/') {
        Some((owner, repository)) => (part(owner), repository),
        None => (NO_OWNER.to_owned(), repository),
    };
    vec![part_not(host, LOCAL), owner, part(repository), number.to_string()]
}

/// The path of a capture's root as one relative path.
pub fn place_path(capture: &Capture) -> PathBuf {
    place(capture).iter().collect()
}

fn local(capture: &Capture) -> Vec<String> {
    let pull = &capture.pull_request;
    let name = |it: Option<&str>, at: &Option<crate::domain::capture::GitRef>| {
        let name = at.as_ref().and_then(|it| it.name.raw()).filter(|it| !it.is_empty());
        it.or(name).map(part)
    };
    let range = match (name(capture.base_sha(), &pull.base), name(capture.head_sha(), &pull.head)) {
        (Some(base), Some(head)) => format!("{base}..{head}"),
        // A patch file has no commits: its content names it.
        _ => Digest::of(serde_json::to_vec(&capture.files).unwrap_or_default()).to_string(),
    };
    vec![LOCAL.to_owned(), part(&capture.repository), range]
}

#[cfg(test)]
mod tests {
    use crate::{domain::capture::Capture, store::root::place};
    use serde_json::json;

    fn capture(value: &serde_json::Value) -> Capture {
        let mut all = json!({
            "format": "casefile-capture", "version": 1,
            "repository": "bitcoin/bips", "pull_request": {"number": 7},
        });
        for (key, it) in value.as_object().expect("an object") {
            all[key] = it.clone();
        }
        serde_json::from_value(all).expect("a capture")
    }

    #[test]
    fn roots() {
        let check = |value: serde_json::Value, expected: &str| {
            assert_eq!(place(&capture(&value)).join("/"), expected);
        };
        check(json!({}), "github.com/bitcoin/bips/7");
        check(
            json!({"forge": {"kind": "github", "host": "ghe.example"}}),
            "ghe.example/bitcoin/bips/7",
        );
        let refs = json!({"number": 0, "base": {"ref": "main", "sha": "aa"}, "head": {"ref": "topic", "sha": ""}});
        check(
            json!({"forge": {"kind": "git"}, "repository": "tool", "pull_request": refs}),
            "local/tool/aa..topic",
        );
    }

    #[test]
    fn nothing_leaves_the_folder() {
        let hosts = ["local", "..", "a/b", "", "../../x", "GitHub.com"];
        let repositories = ["../..", "a/../../b", "/", "", "..", "A/b", "a/b/c", "x"];
        let mut seen = std::collections::BTreeSet::new();
        for host in hosts {
            for repository in repositories {
                let parts = place(&capture(&json!({
                    "forge": {"kind": "github", "host": host}, "repository": repository,
                })));
                assert_eq!(parts.len(), 4);
                for part in &parts {
                    assert!(!part.contains('/') && part != ".." && part != "." && !part.is_empty());
                }
                assert_ne!(parts[0], "local", "only git ranges go there");
                assert!(
                    seen.insert(parts.join("/").to_lowercase()),
                    "{host} {repository} collides"
                );
            }
        }
    }
}
