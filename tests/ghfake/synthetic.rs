//! A made-up pull request of any size. Must be the same each time.

use crate::store::{Commit, File, Pull, Said, Thread, Tip, World, sha};

const AT: &str = "2024-05-01T10:00:00Z";

/// Adds `example/huge#1` (or the next number): files of one hunk each, threads spread over them,
/// comments of three people and a bot.
pub(crate) fn add(world: &mut World, files: usize, threads: usize, comments: usize) {
    let repo = world.repo("github.com", "example", "huge");
    let number = 1 + world.pulls.iter().filter(|it| it.repo == repo).count() as u64;
    let people: Vec<usize> = ["ada", "bob", "eve", "checker[bot]"]
        .iter()
        .map(|it| world.user(it, false, None))
        .collect();
    let viewer = world.viewer;
    let id = world.fresh();
    let seed = format!("huge {number}");
    let (base, head) = (tip("main", &seed), tip("topic", &seed));
    let files: Vec<File> = (0..files).map(file).collect();
    let threads = (0..threads).map(|at| {
        let path =
            if files.is_empty() { "gone.rs".into() } else { files[at % files.len()].path.clone() };
        thread(world, at, path, comments, &people, &head.sha)
    });
    let threads = threads.collect();
    world.pulls.push(Pull {
        id,
        node: format!("PR_kwDO{id}"),
        repo,
        number,
        title: "A change of many files".into(),
        body: Some("Made up.".into()),
        author: Some(people[0]),
        state: "OPEN".into(),
        draft: false,
        locked: false,
        merge_base: base.sha.clone(),
        commits: vec![Commit {
            sha: head.sha.clone(),
            message: "A change".into(),
            at: AT.into(),
            files: Vec::new(),
        }],
        base,
        head,
        created: AT.into(),
        updated: AT.into(),
        files,
        threads,
        remarks: Vec::new(),
        reviews: Vec::new(),
        requested: vec![viewer],
        labels: Vec::new(),
    });
}

fn tip(name: &str, seed: &str) -> Tip {
    Tip { name: name.into(), sha: sha(&format!("{seed} {name}")) }
}

fn file(at: usize) -> File {
    let path = format!("src/part_{:03}/file_{at:05}.rs", at / 100);
    let patch = format!(
        "@@ -10,4 +10,5 @@ fn part_{at}() {{\n     let a = {at};\n-    old(a);\n+    new(a);\n+    more(a);\n     a\n }}"
    );
    File {
        sha: sha(&path),
        path,
        previous: None,
        status: "modified".into(),
        additions: 2,
        deletions: 1,
        patch: Some(patch),
    }
}

fn thread(
    world: &mut World,
    at: usize,
    path: String,
    comments: usize,
    people: &[usize],
    head: &str,
) -> Thread {
    let mut said: Vec<Said> = Vec::with_capacity(comments);
    for nth in 0..comments {
        let id = world.fresh();
        said.push(Said {
            id,
            node: format!("PRRC_kwDO{id}"),
            author: Some(people[(at + nth) % people.len()]),
            association: "CONTRIBUTOR".into(),
            body: format!("Comment {nth} of thread {at}: is this what we want?"),
            created: AT.into(),
            updated: AT.into(),
            hunk: "@@ -10,4 +10,5 @@".into(),
            reply_to: said.first().map(|it| it.id),
            ..Said::default()
        });
    }
    Thread {
        node: format!("PRRT_kwDOhuge{at}"),
        path,
        line: Some(11),
        original_line: Some(11),
        start_line: None,
        original_start_line: None,
        side: Some("RIGHT".into()),
        start_side: None,
        is_file: false,
        is_resolved: at.is_multiple_of(3),
        resolved_by: at.is_multiple_of(3).then_some(people[0]),
        is_outdated: false,
        commit: head.into(),
        original_commit: head.into(),
        can_reply: true,
        can_resolve: true,
        said,
    }
}
