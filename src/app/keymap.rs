//! Which keys run which action. Bindings are data: `assets/keymap.toml`, patched by a user's file.
//! Must not know what an action does.

use crate::app::{
    action::{Action, Scope, TABLE},
    key::Chord,
};
use std::{collections::BTreeMap, fmt::Write as _};

const DEFAULTS: &str = include_str!("../../assets/keymap.toml");

/// Keys pressed one after the other.
pub type Sequence = Vec<Chord>;

/// The bindings in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keymap {
    bindings: Vec<(Sequence, Action)>,
}

/// What keys typed so far mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lookup {
    Action(Action),
    /// The beginning of a longer sequence.
    Prefix,
    Nothing,
}

/// One action's keys in a file: a single sequence or several.
#[derive(serde::Deserialize)]
#[serde(untagged)]
enum Keys {
    One(String),
    Many(Vec<String>),
}

impl Default for Keymap {
    fn default() -> Self {
        Self::with_user("").expect("a test reads the compiled-in keymap")
    }
}

impl Keymap {
    /// The compiled-in bindings patched by a person's own (TOML text of the same form).
    /// All faults come back at once, one sentence each.
    pub fn with_user(user: &str) -> Result<Self, Vec<String>> {
        let mut faults = Vec::new();
        let defaults = read(DEFAULTS, &mut faults);
        let own = read(user, &mut faults);
        report_clashes(&own, &mut faults);
        let mut bindings = own;
        let patched: Vec<Action> = bindings.iter().map(|it| it.1).collect();
        for (keys, action) in defaults {
            let taken = bindings.iter().any(|(other, it)| {
                patched.contains(it) && meet(*it, action) && overlap(other, &keys)
            });
            if !patched.contains(&action) && !taken {
                bindings.push((keys, action));
            }
        }
        if faults.is_empty() { Ok(Self { bindings }) } else { Err(faults) }
    }

    /// What a sequence means where these scopes hold, the narrowest first. Letters of another
    /// layout fall back to the Latin keys in the same places.
    pub fn lookup(&self, keys: &[Chord], scopes: &[Scope]) -> Lookup {
        match self.exact(keys, scopes) {
            Lookup::Nothing => {
                let latin: Sequence = keys.iter().map(|it| it.latin().unwrap_or(*it)).collect();
                self.exact(&latin, scopes)
            }
            found => found,
        }
    }

    fn exact(&self, keys: &[Chord], scopes: &[Scope]) -> Lookup {
        let fitting = |scope: &Scope| {
            let mut found = Lookup::Nothing;
            for (sequence, action) in &self.bindings {
                // The keys first: few begin so, and a row of the table is looked for.
                if sequence.starts_with(keys) && action.entry().scopes.contains(scope) {
                    if sequence.len() == keys.len() {
                        return Lookup::Action(*action);
                    }
                    found = Lookup::Prefix;
                }
            }
            found
        };
        scopes.iter().map(fitting).find(|it| *it != Lookup::Nothing).unwrap_or(Lookup::Nothing)
    }

    /// The keys of an action, as a person writes them, the first being the shortest to show.
    pub fn keys_of(&self, action: Action) -> Vec<String> {
        self.bindings.iter().filter(|it| it.1 == action).map(|it| written(&it.0)).collect()
    }

    /// The first key of an action, for hints.
    pub fn hint(&self, action: Action) -> String {
        self.keys_of(action).into_iter().next().unwrap_or_default()
    }

    /// Sequences that begin with `keys`, with what they finish as, for the hint after a prefix.
    pub fn continuations(&self, keys: &[Chord], scopes: &[Scope]) -> Vec<(String, Action)> {
        let fits = |(sequence, action): &&(Sequence, Action)| {
            sequence.len() > keys.len()
                && sequence.starts_with(keys)
                && action.entry().scopes.iter().any(|it| scopes.contains(it))
        };
        let rest = |it: &(Sequence, Action)| (written(&it.0[keys.len()..]), it.1);
        self.bindings.iter().filter(fits).map(rest).collect()
    }

    /// `docs/KEYS.md`.
    pub fn manual(&self) -> String {
        let mut text = String::from(MANUAL_HEAD);
        let mut groups: BTreeMap<Scope, Vec<_>> = BTreeMap::new();
        for entry in TABLE {
            groups.entry(entry.scopes[0]).or_default().push(entry);
        }
        for (scope, entries) in groups {
            let _ =
                write!(text, "\n## {}\n\n| keys | action | does |\n|---|---|---|\n", scope.title());
            for entry in entries {
                let keys: Vec<_> = self.keys_of(entry.action).iter().map(|it| cell(it)).collect();
                let also = also(entry.scopes);
                let _ = writeln!(
                    text,
                    "| {} | `{}` | {}{also} |",
                    keys.join(" "),
                    entry.name,
                    entry.help
                );
            }
        }
        text
    }
}

const MANUAL_HEAD: &str = "# Keys\n\nMade from the action table and `assets/keymap.toml`; a test \
keeps it so. Every action can be typed after `:` and found with `Ctrl-p`. A count before a move \
repeats it (`12j`). On a Cyrillic, Greek or Hebrew layout the letters work by their place on the keyboard.\n\nYour \
own keys go into the config under `[keys]`, one `action = keys` a line: an action named there \
gets those keys and loses the ones below.\n\nTwo commands take words: `:open TARGET`, and `:theme \
NAME`, which shows the theme as you type; `Tab` goes through the names, `Esc` goes back.\n";

fn cell(keys: &str) -> String {
    format!("`{}`", keys.replace('|', "\\|"))
}

fn also(scopes: &[Scope]) -> String {
    let rest: Vec<_> = scopes[1..].iter().map(|it| it.title()).collect();
    if rest.is_empty() { String::new() } else { format!(" (also: {})", rest.join(", ")) }
}

fn read(text: &str, faults: &mut Vec<String>) -> Vec<(Sequence, Action)> {
    let table: BTreeMap<String, Keys> = match toml::from_str(text) {
        Ok(table) => table,
        Err(error) => {
            faults.push(format!("the keymap cannot be read: {}", error.message()));
            return Vec::new();
        }
    };
    let mut bindings = Vec::new();
    for (name, keys) in table {
        let Some(action) = Action::named(&name) else {
            faults.push(format!("`{name}` is no action; did you mean `{}`?", nearest(&name)));
            continue;
        };
        let texts = match keys {
            Keys::One(it) => vec![it],
            Keys::Many(them) => them,
        };
        for text in texts {
            match sequence(&text) {
                Ok(keys) => bindings.push((keys, action)),
                Err(fault) => faults.push(format!("`{name}`: {fault}")),
            }
        }
    }
    bindings
}

/// Two sequences cannot both work when one begins the other.
fn report_clashes(bindings: &[(Sequence, Action)], faults: &mut Vec<String>) {
    for (at, (keys, action)) in bindings.iter().enumerate() {
        for (other, rival) in &bindings[..at] {
            if action != rival && meet(*action, *rival) && overlap(keys, other) {
                faults.push(format!(
                    "`{}` of `{}` and `{}` of `{}` cannot both work",
                    written(keys),
                    action.entry().name,
                    written(other),
                    rival.entry().name
                ));
            }
        }
    }
}

fn overlap(one: &[Chord], other: &[Chord]) -> bool {
    one.starts_with(other) || other.starts_with(one)
}

fn meet(one: Action, other: Action) -> bool {
    one.entry().scopes.iter().any(|it| other.entry().scopes.contains(it))
}

fn sequence(text: &str) -> Result<Sequence, String> {
    let mut keys = Vec::new();
    for word in text.split_whitespace() {
        match word.parse::<Chord>() {
            Ok(chord) => keys.push(chord),
            Err(fault) if word.contains('-') => return Err(fault),
            Err(_) => keys.extend(word.chars().map(Chord::char)),
        }
    }
    if keys.is_empty() { Err("an empty sequence binds nothing".to_owned()) } else { Ok(keys) }
}

fn written(keys: &[Chord]) -> String {
    let plain = keys.iter().all(|it| it.to_string().chars().count() == 1);
    let words: Vec<_> = keys.iter().map(ToString::to_string).collect();
    words.join(if plain { "" } else { " " })
}

/// The action whose name is closest, for a helpful fault.
pub fn nearest(name: &str) -> &'static str {
    let distance = |other: &str| {
        let common = name.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
        let shared = name.chars().filter(|it| other.contains(*it)).count();
        (common * 2 + shared) as isize - (name.len().abs_diff(other.len())) as isize
    };
    TABLE.iter().max_by_key(|it| distance(it.name)).map_or("help", |it| it.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIFF: &[Scope] = &[Scope::Diff, Scope::Review, Scope::Everywhere];

    fn press(map: &Keymap, text: &str, scopes: &[Scope]) -> Lookup {
        map.lookup(&sequence(text).expect("a sequence"), scopes)
    }

    #[test]
    fn the_default_keymap_is_whole() {
        let map = Keymap::default();
        for entry in TABLE {
            assert!(!map.keys_of(entry.action).is_empty(), "{} has no key", entry.name);
        }
        let mut faults = Vec::new();
        report_clashes(&map.bindings, &mut faults);
        assert_eq!(faults, Vec::<String>::new());
    }

    #[test]
    fn sequences_and_scopes_decide() {
        let map = Keymap::default();
        let check =
            |keys, scopes, expected| assert_eq!(press(&map, keys, scopes), expected, "{keys}");
        check("g", DIFF, Lookup::Prefix);
        check("gg", DIFF, Lookup::Action(Action::Top));
        check("gx", DIFF, Lookup::Nothing);
        check("R", DIFF, Lookup::Action(Action::Refresh));
        check("R", &[Scope::Tasks, Scope::Everywhere], Lookup::Action(Action::RetryTask));
        check("о", DIFF, Lookup::Action(Action::Down));
        check("пп", DIFF, Lookup::Action(Action::Top));
    }

    #[test]
    fn a_user_patches_actions_and_takes_keys() {
        let map = Keymap::with_user("wrap = 'gw'\nnext-hunk = ['w', 'Ctrl-n']").expect("valid");
        assert_eq!(press(&map, "w", DIFF), Lookup::Action(Action::NextHunk));
        assert_eq!(press(&map, "gw", DIFF), Lookup::Action(Action::Wrap));
        assert_eq!(press(&map, "]", DIFF), Lookup::Nothing);
        assert_eq!(press(&map, "[", DIFF), Lookup::Action(Action::PreviousHunk));
    }

    #[test]
    fn all_faults_come_at_once() {
        let user = "wrp = 'w'\nsplit = 'Hyper-x'\nwords = 'g1'\nwhitespace = 'g1x'";
        let faults = Keymap::with_user(user).expect_err("four lines, three faults");
        assert_eq!(
            faults,
            [
                "`split`: `Hyper-x` names no key",
                "`wrp` is no action; did you mean `wrap`?",
                "`g1` of `words` and `g1x` of `whitespace` cannot both work",
            ]
        );
    }

    #[test]
    fn the_manual_is_up_to_date() {
        let kept = include_str!("../../docs/KEYS.md");
        let made = Keymap::default().manual();
        assert!(kept == made, "docs/KEYS.md is old; write this into it:\n{made}");
    }
}
