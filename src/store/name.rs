//! Path parts from names of the outside world: owners, repositories, refs, threads, sessions.
//! Must be injective even on a disk that ignores case or folds Unicode, and must never give a
//! part that leaves its folder.
//!
//! A plain name stands as it is. Any other becomes a readable stem, `~`, and the start of its
//! SHA-256; `~` is not plain, so the two kinds cannot meet.

use crate::domain::digest::Digest;

/// Longest plain part: room for suffixes below the 255 bytes most disks allow.
const LONGEST: usize = 80;
/// Hex digits of the digest; 96 bits.
const DIGITS: usize = 24;
const STEM: usize = 40;
/// Names Windows keeps for devices, with any extension.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];

/// The path part for a name.
pub fn part(name: &str) -> String {
    if is_plain(name) { name.to_owned() } else { marked(name) }
}

/// The path part for a name where `reserved` is taken by the layout itself.
pub fn part_not(name: &str, reserved: &str) -> String {
    if name == reserved { marked(name) } else { part(name) }
}

fn marked(name: &str) -> String {
    let digest = Digest::of(name);
    let clean = |it: char| if it.is_ascii_alphanumeric() { it.to_ascii_lowercase() } else { '-' };
    let stem: String = name.chars().map(clean).take(STEM).collect();
    format!("{}~{}", stem.trim_matches('-'), &digest.as_str()[..DIGITS])
}

fn is_plain(name: &str) -> bool {
    let allowed =
        |it: u8| it.is_ascii_lowercase() || it.is_ascii_digit() || matches!(it, b'-' | b'_' | b'.');
    let edges = |it: u8| it.is_ascii_lowercase() || it.is_ascii_digit();
    name.len() <= LONGEST
        && name.bytes().all(allowed)
        && name.bytes().next().is_some_and(edges)
        && !name.ends_with('.')
        // `base..head` of a git range joins two parts.
        && !name.contains("..")
        && !is_device(name)
}

fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default();
    let numbered = |prefix: &str| {
        stem.strip_prefix(prefix)
            .is_some_and(|it| it.len() == 1 && it.as_bytes()[0].is_ascii_digit())
    };
    DEVICES.contains(&stem) || numbered("com") || numbered("lpt")
}

#[cfg(test)]
mod tests {
    use crate::store::name::part;
    use proptest::prelude::{ProptestConfig, any, prop_assert, prop_assert_eq, proptest};
    use std::{collections::BTreeMap, path::Path};

    #[test]
    fn plain_names_stand() {
        for name in ["bitcoin", "bips", "2040", "secp256k1", "main", "a.b-c_d", "github.com"] {
            assert_eq!(part(name), name);
        }
    }

    #[test]
    fn hostile_names_stay_inside_and_apart() {
        let long = "x".repeat(300);
        let names = [
            "",
            ".",
            "..",
            "...",
            "/",
            "/etc/passwd",
            "../..",
            "a/../b",
            "a\\b",
            "C:\\x",
            "a\0b",
            "con",
            "CON",
            "nul.txt",
            "com1",
            "lpt9.log",
            "trailing.",
            "trailing ",
            " x",
            ".git",
            "-rf",
            "~",
            "a~b",
            "Foo",
            "foo",
            "FOO",
            "é",
            "e\u{301}",
            "ﬁ",
            "fi",
            "İ",
            "i\u{307}",
            "\u{202e}gnp",
            "%2e%2e",
            "a..b",
            "a:b",
            "a*b?",
            "\n",
            "feature/x",
            "feature-x",
            &long,
            &long[1..],
        ];
        let mut seen = BTreeMap::new();
        for name in names {
            let part = part(name);
            assert!(is_inside(&part), "{name:?} gives {part:?}");
            let twin = seen.insert(part.to_lowercase(), name);
            assert_eq!(twin, None, "{name:?} collides");
        }
    }

    fn cases() -> u32 {
        std::env::var("PROPTEST_CASES").ok().and_then(|it| it.parse().ok()).unwrap_or(1000)
    }

    fn is_inside(part: &str) -> bool {
        let path = Path::new(part);
        part.len() <= 120
            && part.is_ascii()
            && path.components().count() == 1
            && path.file_name().is_some_and(|it| it == part)
            && !part.contains(['\\', ':', '\0'])
    }

    proptest! {
        // A fifth of the 5,000 promised; `PROPTEST_CASES=5000` runs them all.
        #![proptest_config(ProptestConfig { cases: cases(), ..ProptestConfig::default() })]

        #[test]
        fn any_name_is_one_lower_case_part(name in any::<String>(), other in any::<String>()) {
            let (a, b) = (part(&name), part(&other));
            prop_assert!(is_inside(&a));
            prop_assert_eq!(a.to_lowercase(), a.clone());
            prop_assert_eq!(a == b, name == other);
            // An encoded name given again does not stand for itself.
            prop_assert!(a == name || part(&a) != a);
        }
    }
}
