//! The GraphQL documents, put together from the files in `queries/`.
//! Must hold no query text of its own but the one whose length depends on the data.

use std::fmt::Write as _;

const PARTS: &str = include_str!("queries/parts.graphql");

/// The documents there are: name and text without the shared parts.
pub const ALL: [(&str, &str); 5] = [
    ("Pull", include_str!("queries/pull.graphql")),
    ("Threads", include_str!("queries/threads.graphql")),
    ("Remarks", include_str!("queries/remarks.graphql")),
    ("Verdicts", include_str!("queries/verdicts.graphql")),
    ("Lists", include_str!("queries/lists.graphql")),
];

/// Threads whose further comments one document asks for: 100 threads of 100 comments are 10,000
/// nodes, far from GitHub's 500,000.
pub const ALONGSIDE: usize = 100;

/// A document by its operation's name, with the parts it needs.
///
/// # Panics
/// If there is no such document; the names are ours.
pub fn document(name: &str) -> String {
    let (_, text) = ALL.iter().find(|it| it.0 == name).expect("one of our documents");
    with_parts(text)
}

/// The further comments of so many threads: thread `n` is `$i<n>`, from the cursor `$a<n>` on.
pub fn further(threads: usize) -> String {
    let mut text = String::from("query Further(");
    for at in 0..threads {
        write!(text, "$i{at}: ID!, $a{at}: String, ").expect("text takes all");
    }
    text.push_str("$page: Int!) {\n");
    for at in 0..threads {
        writeln!(
            text,
            "  t{at}: node(id: $i{at}) {{ ... on PullRequestReviewThread {{ comments(first: $page, after: $a{at}) \
             {{ totalCount pageInfo {{ hasNextPage endCursor }} nodes {{ ...Said }} }} }} }}"
        )
        .expect("text takes all");
    }
    text.push_str("}\n");
    with_parts(&text)
}

/// Adds the fragments that are named but not there, until none is missing.
fn with_parts(text: &str) -> String {
    let mut whole: String = without_remarks(text);
    loop {
        let missing = fragments().find(|(name, _)| {
            let named = whole.match_indices(&format!("...{name}")).any(|(at, found)| {
                !whole[at + found.len()..].starts_with(|it: char| it.is_ascii_alphanumeric())
            });
            named && !whole.contains(&format!("fragment {name} on"))
        });
        let Some((_, part)) = missing else { return whole };
        whole.push('\n');
        whole.push_str(part);
    }
}

fn without_remarks(text: &str) -> String {
    text.lines().filter(|it| !it.starts_with('#')).collect::<Vec<_>>().join("\n")
}

/// The shared parts: name and text.
fn fragments() -> impl Iterator<Item = (&'static str, &'static str)> {
    let starts: Vec<usize> = PARTS.match_indices("fragment ").map(|it| it.0).collect();
    let ends: Vec<usize> = starts.iter().skip(1).copied().chain([PARTS.len()]).collect();
    starts.into_iter().zip(ends).filter_map(|(from, to)| {
        let part = PARTS[from..to].trim_end();
        Some((part.strip_prefix("fragment ")?.split(' ').next()?, part))
    })
}

#[cfg(test)]
mod tests {
    use crate::forge::github::documents::{ALL, document, further};

    #[test]
    fn documents_hold_the_parts_they_name_and_no_others() {
        for (name, _) in ALL {
            let text = document(name);
            let has = |part: &str| text.contains(&format!("fragment {part} on"));
            for part in ["Person", "Said", "Talk", "Remark", "Verdict"] {
                let spread = format!("...{part} ");
                assert_eq!(has(part), text.contains(&spread), "{name}: {part}");
            }
        }
        assert!(
            further(2).contains("t1: node(id: $i1)") && further(2).contains("fragment Person on")
        );
    }
}
