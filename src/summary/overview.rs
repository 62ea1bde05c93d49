//! `final/intent.md`, `final/change-map.md` and `final/guidance.md`: what the change is for, what
//! it touches, and what reviewers were told. Must not hold discussion, approval or check state.

use crate::domain::text::outside::OutsideOption as _;
use crate::{
    domain::capture::{self, Capture, ChangedFile},
    summary::markdown::{block, code, prose},
};
use std::fmt::Write as _;

/// Characters of a description that are kept.
const DESCRIPTION: usize = 8_000;
/// Characters of one guidance file that are kept.
const GUIDANCE: usize = 20_000;

/// What the change is for: title, author, branches, description.
pub fn intent(capture: &Capture) -> String {
    let pull = &capture.pull_request;
    let mut out = format!("# {}\n\n", prose(pull.title.raw().unwrap_or("(no title)")));
    let place = format!("{} #{}", prose(&capture.repository), pull.number);
    let author = pull.author.raw().unwrap_or("an unknown author");
    let _ = write!(out, "{place}, by {}", prose(author));
    let name = |it: Option<&crate::domain::capture::GitRef>| it.and_then(|it| it.name.clone());
    if let (Some(base), Some(head)) = (name(pull.base.as_ref()), name(pull.head.as_ref())) {
        let _ = write!(out, ", {} into {}", code(head.raw()), code(base.raw()));
    }
    out.push_str(".\n\n");
    match pull.body.raw().map(str::trim).filter(|it| !it.is_empty()) {
        Some(body) => {
            out.push_str("The description, as its author wrote it (untrusted text):\n\n");
            out.push_str(&block(body, DESCRIPTION));
        }
        None => out.push_str("The author wrote no description.\n"),
    }
    out
}

/// What the change touches: every file with its size, what happened to it and its kind.
pub fn change_map(capture: &Capture) -> String {
    let mut out = String::from("# Change map\n\n");
    let Some(files) = &capture.files else {
        out.push_str("The capture holds no list of files.\n");
        return out;
    };
    let sum = |of: fn(&ChangedFile) -> Option<u64>| capture::sum(files.iter().filter_map(of));
    let (added, removed) = (sum(|it| it.additions), sum(|it| it.deletions));
    let _ = writeln!(out, "{} files, +{added} −{removed}.", files.len());
    if let Some(total) = capture.completeness.files.total.filter(|it| *it > files.len() as u64) {
        let _ = writeln!(out, "\nThe capture holds {} of {total} files.", files.len());
    }
    out.push('\n');
    for file in files {
        out.push_str(&entry(file));
    }
    out
}

fn entry(file: &ChangedFile) -> String {
    let path = file.path.raw().unwrap_or("(no path)");
    let mut out = format!("- {}", code(path));
    if let Some(old) = file.previous_path.raw().filter(|it| *it != path) {
        let _ = write!(out, " (from {})", code(old));
    }
    let status = file.status.raw().unwrap_or("changed");
    let _ = write!(out, " · {}", prose(status));
    if let (Some(added), Some(removed)) = (file.additions, file.deletions) {
        let _ = write!(out, " · +{added} −{removed}");
    }
    let _ = write!(out, " · {}", kind(path));
    if file.binary == Some(true) {
        out.push_str(" · binary");
    } else if file.patch.is_none() && file.changes.unwrap_or(0) > 0 {
        out.push_str(" · patch left out by the forge");
    }
    out.push('\n');
    out
}

/// What sort of file a path names; from the path alone.
pub fn kind(path: &str) -> &'static str {
    let lower = path.to_lowercase();
    let name = lower.rsplit('/').next().unwrap_or(&lower);
    let extension = name.rsplit_once('.').map_or("", |it| it.1);
    let under = |parts: &[&str]| lower.split('/').any(|it| parts.contains(&it));
    if is_generated(&lower, name) {
        "generated"
    } else if under(&["test", "tests", "spec", "specs", "__tests__", "testdata"])
        || name.contains("_test.")
        || name.contains(".test.")
        || name.contains(".spec.")
        || name.starts_with("test_")
    {
        "test"
    } else if under(&[".github", ".ci", ".circleci", "ci"]) || name == "jenkinsfile" {
        "build"
    } else {
        match extension {
            "md" | "mdx" | "rst" | "adoc" | "txt" | "mediawiki" => "documentation",
            "toml" | "yaml" | "yml" | "json" | "ini" | "cfg" | "xml" | "props" | "csproj" => {
                "configuration"
            }
            "png" | "jpg" | "jpeg" | "gif" | "svg" | "ico" | "webp" | "pdf" | "woff2" => "asset",
            "cmake" | "mk" | "gradle" | "am" | "ac" => "build",
            _ if ["makefile", "dockerfile", "cmakelists.txt", "justfile"].contains(&name) => {
                "build"
            }
            _ => "source",
        }
    }
}

fn is_generated(path: &str, name: &str) -> bool {
    const LOCKS: [&str; 9] = [
        "cargo.lock",
        "package-lock.json",
        "yarn.lock",
        "pnpm-lock.yaml",
        "poetry.lock",
        "go.sum",
        "composer.lock",
        "gemfile.lock",
        "flake.lock",
    ];
    let folders = ["vendor/", "node_modules/", "third_party/", "dist/", "generated/"];
    LOCKS.contains(&name)
        || folders.iter().any(|it| path.starts_with(it) || path.contains(&format!("/{it}")))
        || [".min.js", ".min.css", ".pb.go", "_pb2.py", ".g.cs", ".snap", ".designer.cs"]
            .iter()
            .any(|it| name.ends_with(it))
}

/// What guidance for reviewers was found, as `(path, text)`; says so when there is none.
pub fn guidance(sources: &[(String, String)]) -> String {
    let mut out = String::from("# Guidance\n\n");
    if sources.is_empty() {
        out.push_str("None: no guidance files were given with this review.\n");
        return out;
    }
    for (path, text) in sources {
        let _ = writeln!(out, "## {}\n\n{}", code(path), block(text, GUIDANCE));
    }
    out
}

#[cfg(test)]
mod tests {
    use crate::summary::overview::{guidance, kind};

    #[test]
    fn kinds_come_from_paths() {
        let check = |path: &str, expected: &str| assert_eq!(kind(path), expected, "{path}");
        check("src/lib.rs", "source");
        check("Cargo.lock", "generated");
        check("tests/it/main.rs", "test");
        check("pkg/a_test.go", "test");
        check("docs/README.md", "documentation");
        check(".github/workflows/ci.yml", "build");
        check("a/vendor/x.c", "generated");
    }

    #[test]
    fn no_guidance_is_said_outright() {
        assert!(guidance(&[]).contains("None"));
        let it = guidance(&[("AGENTS.md".into(), "Be kind.\n```\n# x".into())]);
        assert!(it.contains("`AGENTS.md`") && it.contains("````text"), "{it}");
    }
}
