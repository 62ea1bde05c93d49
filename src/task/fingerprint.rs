//! What a task rests on, the fingerprint over it, and which part changed since last time.
//! Must not cover session ids, times or machine names: the same inputs give the same fingerprint
//! anywhere (dossier-and-tasks, section 4).

use crate::{
    domain::digest::{Digest, Fields},
    task::{id::TaskId, phase::Phase},
};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, fmt};

/// Everything that decides the output of a task. Kept in `input.json` and `task.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Inputs {
    pub task_id: TaskId,
    pub phase: Phase,
    pub engine: String,
    pub model: Option<String>,
    pub effort: Option<String>,
    pub prompt_version: String,
    pub prompt_digest: Digest,
    /// Of the output.
    pub schema_version: u32,
    /// Settings that change the output: budgets, our own identity.
    pub input: Digest,
    /// The digest of each artifact used, by its name.
    pub dependencies: BTreeMap<String, Digest>,
}

/// SHA-256 over the inputs: 64 hex digits.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Fingerprint(Digest);

impl Fingerprint {
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Inputs {
    /// The fingerprint over every field, each with its name and length.
    pub fn fingerprint(&self) -> Fingerprint {
        let named = self
            .named()
            .into_iter()
            .fold(Fields::default(), |fields, (name, value)| fields.maybe(&name, value));
        Fingerprint(named.finish())
    }

    /// The fields in canonical order, dependencies by name.
    fn named(&self) -> Vec<(String, Option<String>)> {
        let mut fields = vec![
            ("task_id".to_owned(), Some(self.task_id.to_string())),
            ("phase".to_owned(), Some(self.phase.name().to_owned())),
            ("engine".to_owned(), Some(self.engine.clone())),
            ("model".to_owned(), self.model.clone()),
            ("effort".to_owned(), self.effort.clone()),
            ("prompt_version".to_owned(), Some(self.prompt_version.clone())),
            ("prompt_digest".to_owned(), Some(self.prompt_digest.to_string())),
            ("schema_version".to_owned(), Some(self.schema_version.to_string())),
            ("input".to_owned(), Some(self.input.to_string())),
        ];
        let dependencies = self.dependencies.iter();
        fields.extend(
            dependencies.map(|(name, it)| (format!("dependency {name}"), Some(it.to_string()))),
        );
        fields
    }
}

/// Which fields differ from the last finished artifact, in words; `None` when none does.
/// Digests are shortened: `inline-threads 1f2e3d4c → 5a6b7c8d`.
pub fn stale(before: &Inputs, now: &Inputs) -> Option<String> {
    let (before, now) = (before.named(), now.named());
    let find = |fields: &[(String, Option<String>)], name: &str| {
        fields.iter().find(|it| it.0 == name).and_then(|it| it.1.clone())
    };
    let gone = before.iter().filter(|it| !now.iter().any(|new| new.0 == it.0));
    let mut changed = Vec::new();
    for (name, _) in now.iter().chain(gone) {
        let (old, new) = (find(&before, name), find(&now, name));
        if old != new {
            let name = name.strip_prefix("dependency ").unwrap_or(name);
            changed.push(format!("{name} {} → {}", shown(old), shown(new)));
        }
    }
    (!changed.is_empty()).then(|| changed.join(", "))
}

fn shown(value: Option<String>) -> String {
    match value {
        None => "none".into(),
        Some(it) if it.len() == 64 && it.bytes().all(|it| it.is_ascii_hexdigit()) => {
            it[..8].to_owned()
        }
        Some(it) => it,
    }
}

#[cfg(test)]
mod tests {
    use super::{Inputs, stale};
    use crate::{
        domain::digest::Digest,
        task::{id::TaskId, phase::Phase},
    };

    fn inputs() -> Inputs {
        let dependency = |name: &str| (name.to_owned(), Digest::of(name));
        Inputs {
            task_id: TaskId::discussion_summary(),
            phase: Phase::Dossier,
            engine: "extractive".into(),
            model: None,
            effort: None,
            prompt_version: "1".into(),
            prompt_digest: Digest::of("prompt"),
            schema_version: 1,
            input: Digest::of("input"),
            dependencies: ["inline-threads", "top-level-comments"].map(dependency).into(),
        }
    }

    #[test]
    fn every_field_is_in_the_fingerprint_and_named_when_it_changes() {
        let check = |change: fn(&mut Inputs), expected: &str| {
            let (before, mut now) = (inputs(), inputs());
            change(&mut now);
            assert_ne!(before.fingerprint(), now.fingerprint(), "{expected}");
            assert_eq!(stale(&before, &now).as_deref(), Some(expected));
        };
        check(
            |it| it.task_id = TaskId::named("other"),
            "task_id dossier-discussion-summary → other",
        );
        check(|it| it.phase = Phase::Gate, "phase dossier → gate");
        check(|it| it.engine = "claude".into(), "engine extractive → claude");
        check(|it| it.model = Some(String::new()), "model none → ");
        check(|it| it.effort = Some("high".into()), "effort none → high");
        check(|it| it.prompt_version = "2".into(), "prompt_version 1 → 2");
        check(|it| it.schema_version = 2, "schema_version 1 → 2");
        let changed = |name: &str, before: &str, now: &str| {
            format!("{name} {} → {}", Digest::of(before).short(), Digest::of(now).short())
        };
        check(|it| it.input = Digest::of("x"), &changed("input", "input", "x"));
        check(|it| it.prompt_digest = Digest::of("x"), &changed("prompt_digest", "prompt", "x"));
        check(
            |it| drop(it.dependencies.insert("inline-threads".into(), Digest::of("x"))),
            &changed("inline-threads", "inline-threads", "x"),
        );
        check(
            |it| drop(it.dependencies.remove("inline-threads")),
            &format!("inline-threads {} → none", Digest::of("inline-threads").short()),
        );
        check(
            |it| drop(it.dependencies.insert("corrections".into(), Digest::of("x"))),
            &format!("corrections none → {}", Digest::of("x").short()),
        );
    }

    #[test]
    fn the_same_inputs_are_not_stale() {
        assert_eq!(inputs().fingerprint(), inputs().fingerprint());
        assert_eq!(stale(&inputs(), &inputs()), None);
    }

    #[test]
    fn a_value_cannot_pass_for_a_field() {
        let mut one = inputs();
        one.engine = "a".into();
        one.prompt_version = "bc".into();
        let mut two = inputs();
        two.engine = "ab".into();
        two.prompt_version = "c".into();
        assert_ne!(one.fingerprint(), two.fingerprint());
    }
}
