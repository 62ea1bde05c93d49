//! One folder per task and fingerprint: inputs, raw answers, output, and `task.json`, which is
//! written last. Readers trust only `task.json`: without it the task does not exist
//! (dossier-and-tasks, section 4). Must not run anything or judge what an output says.

use crate::{
    domain::digest::Digest,
    store::{error::StoreError, folder::Folder, index::pretty},
    summary::discussion::Usage,
    task::{
        fingerprint::{Fingerprint, Inputs},
        id::TaskId,
        phase::Phase,
    },
};
use serde::{Deserialize, Serialize};

/// Version of `task.json`; raised when a field changes meaning.
pub const SCHEMA_VERSION: u32 = 1;
pub const INPUT: &str = "input.json";
pub const OUTPUT: &str = "output.json";
pub const TASK: &str = "task.json";

/// A record is digests and figures: some hundred bytes.
const LARGEST_RECORD: u64 = 1 << 20;

/// The commit marker of a task: what was done, from what, and with which result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TaskRecord {
    pub schema_version: u32,
    pub task_id: TaskId,
    pub phase: Phase,
    /// The run that did it; none for a caller-owned root without a run.
    pub run: Option<String>,
    pub fingerprint: Fingerprint,
    pub inputs: Inputs,
    pub attempt: u32,
    /// The output's name inside the task folder.
    pub output: String,
    pub output_sha256: Digest,
    pub output_bytes: u64,
    pub usage: Usage,
    /// RFC 3339, UTC.
    pub started_at: String,
    pub finished_at: String,
    pub elapsed_ms: u64,
}

/// What is kept of a task under one fingerprint.
#[derive(Debug, PartialEq)]
pub enum Kept {
    /// No finished task; unfinished files may lie there.
    Nothing,
    /// The record and the bytes of its output, which have the recorded digest.
    Verified(Box<TaskRecord>, Vec<u8>),
    Damaged(Damage),
}

/// Which file is not what it should be, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// Relative to the task's folder.
    pub file: String,
    pub why: String,
}

/// Looks at what is kept under a fingerprint and verifies it: schema, identity, fingerprint,
/// output inside the folder, its size and digest. The caller decodes the output.
pub fn load(task: &Folder, inputs: &Inputs) -> Result<Kept, StoreError> {
    let fingerprint = inputs.fingerprint();
    let Some(folder) = task.sub(fingerprint.as_str())? else { return Ok(Kept::Nothing) };
    let Some(bytes) = folder.read_at_most(TASK, LARGEST_RECORD)? else { return Ok(Kept::Nothing) };
    let damaged = |file: &str, why: String| {
        Ok(Kept::Damaged(Damage { file: format!("{fingerprint}/{file}"), why }))
    };
    let record: TaskRecord = match serde_json::from_slice(&bytes) {
        Ok(record) => record,
        Err(error) => return damaged(TASK, format!("it does not decode: {error}")),
    };
    if let Some(why) = disagreement(&record, inputs) {
        return damaged(TASK, why);
    }
    if record.output != OUTPUT {
        return damaged(TASK, "it names an output outside the task folder".into());
    }
    let Some(output) = folder.read(OUTPUT)? else {
        return damaged(OUTPUT, "it is missing".into());
    };
    if output.len() as u64 != record.output_bytes || Digest::of(&output) != record.output_sha256 {
        return damaged(OUTPUT, "its SHA-256 is not the recorded one".into());
    }
    Ok(Kept::Verified(Box::new(record), output))
}

/// The record finished last among all fingerprints, with its output, when one verifies.
pub fn newest(task: &Folder) -> Result<Option<(TaskRecord, Vec<u8>)>, StoreError> {
    Ok(records(task)?.iter().find_map(|it| output(task, it)))
}

/// What was recorded under all fingerprints, the one finished last first. Outputs are not verified.
pub fn records(task: &Folder) -> Result<Vec<TaskRecord>, StoreError> {
    let mut records = Vec::new();
    for name in task.names()? {
        let Ok(Some(folder)) = task.sub(&name) else { continue };
        let Ok(Some(bytes)) = folder.read_at_most(TASK, LARGEST_RECORD) else { continue };
        if let Ok(record) = serde_json::from_slice::<TaskRecord>(&bytes)
            && record.fingerprint.as_str() == name
        {
            records.push(record);
        }
    }
    records.sort_by(|a, b| b.finished_at.cmp(&a.finished_at));
    Ok(records)
}

/// A record with its output, when both verify.
pub fn output(task: &Folder, record: &TaskRecord) -> Option<(TaskRecord, Vec<u8>)> {
    match load(task, &record.inputs) {
        Ok(Kept::Verified(record, output)) => Some((*record, output)),
        _ => None,
    }
}

/// A task that is being done: its folder, open for writing. Nothing of it counts before `commit`.
#[derive(Debug)]
pub struct Working {
    folder: Folder,
    attempt: u32,
}

impl Working {
    /// Begins the next attempt and keeps what it rests on. `before` is the last attempt the ledger
    /// knows; one that died before its first answer left no file here.
    pub fn begin(task: &Folder, inputs: &Inputs, before: u32) -> Result<Self, StoreError> {
        let folder = task.make(inputs.fingerprint().as_str())?;
        folder.sweep()?;
        if let Some(record) = folder.read_at_most(TASK, LARGEST_RECORD)? {
            // Done before: the record steps aside first, so that it never vouches for a new output.
            let aside = (1..=u32::MAX).map(|n| format!("task-{n}.json"));
            let names = folder.names()?;
            let aside = aside.into_iter().find(|it| !names.contains(it));
            folder.write(&aside.expect("fewer files than numbers"), &record)?;
            folder.remove(TASK)?;
        }
        let last = folder.names()?.iter().filter_map(|it| attempt_number(it)).max();
        folder.update(INPUT, &pretty(inputs))?;
        Ok(Self { folder, attempt: last.unwrap_or(0).max(before) + 1 })
    }

    /// Counted from 1 over all processes that tried.
    pub fn attempt(&self) -> u32 {
        self.attempt
    }

    /// Keeps an engine's answer, word for word, whatever becomes of it.
    pub fn keep_answer(&self, answer: &[u8]) -> Result<(), StoreError> {
        self.folder.write(&format!("attempt-{}.raw", self.attempt), answer)
    }

    /// Writes the output, synced. It does not count yet.
    pub fn write_output(&self, output: &[u8]) -> Result<(), StoreError> {
        self.folder.write(OUTPUT, output)
    }

    /// Writes the commit marker. From here on the task is done.
    pub fn commit(&self, record: &TaskRecord) -> Result<(), StoreError> {
        self.folder.write(TASK, &pretty(record))
    }
}

fn attempt_number(name: &str) -> Option<u32> {
    name.strip_prefix("attempt-")?.strip_suffix(".raw")?.parse().ok()
}

fn disagreement(record: &TaskRecord, inputs: &Inputs) -> Option<String> {
    if record.schema_version != SCHEMA_VERSION {
        return Some(format!(
            "its schema version is {}, this casefile reads {SCHEMA_VERSION}",
            record.schema_version
        ));
    }
    if record.task_id != inputs.task_id || record.phase != inputs.phase {
        return Some(format!(
            "it belongs to task {} of phase {}",
            record.task_id,
            record.phase.name()
        ));
    }
    let same = record.fingerprint == inputs.fingerprint() && record.inputs == *inputs;
    (!same).then(|| "its fingerprint is not that of its inputs".into())
}

#[cfg(test)]
mod tests {
    use crate::{
        domain::digest::Digest,
        store::{
            folder::Folder,
            tasks::{Kept, SCHEMA_VERSION, TaskRecord, Working, load, newest},
        },
        summary::discussion::Usage,
        task::{fingerprint::Inputs, id::TaskId, phase::Phase},
    };
    use std::path::PathBuf;

    fn inputs(input: &str) -> Inputs {
        Inputs {
            task_id: TaskId::discussion_summary(),
            phase: Phase::Dossier,
            engine: "extractive".into(),
            model: None,
            effort: None,
            prompt_version: "1".into(),
            prompt_digest: Digest::of("prompt"),
            schema_version: 1,
            input: Digest::of(input),
            dependencies: std::collections::BTreeMap::new(),
        }
    }

    fn record(inputs: &Inputs, output: &[u8], finished_at: &str) -> TaskRecord {
        TaskRecord {
            schema_version: SCHEMA_VERSION,
            task_id: inputs.task_id.clone(),
            phase: inputs.phase,
            run: None,
            fingerprint: inputs.fingerprint(),
            inputs: inputs.clone(),
            attempt: 1,
            output: "output.json".into(),
            output_sha256: Digest::of(output),
            output_bytes: output.len() as u64,
            usage: Usage::default(),
            started_at: finished_at.into(),
            finished_at: finished_at.into(),
            elapsed_ms: 0,
        }
    }

    fn done(task: &Folder, input: &str, finished_at: &str) -> Inputs {
        let inputs = inputs(input);
        let working = Working::begin(task, &inputs, 0).expect("begun");
        working.keep_answer(b"raw").expect("kept");
        assert_eq!(load(task, &inputs).expect("read"), Kept::Nothing);
        working.write_output(b"out").expect("written");
        assert_eq!(load(task, &inputs).expect("read"), Kept::Nothing, "no marker, no task");
        working.commit(&record(&inputs, b"out", finished_at)).expect("committed");
        inputs
    }

    fn setup() -> (tempfile::TempDir, Folder) {
        let temp = tempfile::tempdir().expect("a temporary folder");
        let task = Folder::create(&temp.path().join("task")).expect("made");
        (temp, task)
    }

    #[test]
    fn a_task_exists_from_its_marker_on() {
        let (_temp, task) = setup();
        let inputs = done(&task, "a", "2026-01-01T00:00:00.000Z");
        assert!(
            matches!(load(&task, &inputs).expect("read"), Kept::Verified(_, out) if out == b"out")
        );
        assert_eq!(Working::begin(&task, &inputs, 0).expect("begun").attempt(), 2);
    }

    #[test]
    fn each_damage_is_named() {
        type Harm = fn(PathBuf);
        let cases: [(Harm, &str, &str); 6] = [
            (
                |it| std::fs::write(it.join("output.json"), "ouT").expect("w"),
                "output.json",
                "SHA-256",
            ),
            (
                |it| std::fs::remove_file(it.join("output.json")).expect("w"),
                "output.json",
                "missing",
            ),
            (|it| std::fs::write(it.join("task.json"), "{").expect("w"), "task.json", "decode"),
            (|it| std::fs::write(it.join("task.json"), "").expect("w"), "task.json", "decode"),
            (|it| edit(&it, "\"output.json\"", "\"../x\""), "task.json", "outside"),
            (
                |it| {
                    let version = |n| format!("\"schema_version\": {n},\n  \"task_id\"");
                    edit(&it, &version(1), &version(9));
                },
                "task.json",
                "version is 9",
            ),
        ];
        for (harm, file, why) in cases {
            let (temp, task) = setup();
            let inputs = done(&task, "a", "2026-01-01T00:00:00.000Z");
            harm(temp.path().join("task").join(inputs.fingerprint().as_str()));
            let Kept::Damaged(damage) = load(&task, &inputs).expect("read") else {
                panic!("{file} {why}: not seen");
            };
            assert!(damage.file.ends_with(file) && damage.why.contains(why), "{damage:?}");
        }
    }

    fn edit(folder: &std::path::Path, from: &str, to: &str) {
        let path = folder.join("task.json");
        let text = std::fs::read_to_string(&path).expect("there");
        assert!(text.contains(from), "{text}");
        std::fs::write(path, text.replacen(from, to, 1)).expect("written");
    }

    #[test]
    fn a_record_copied_from_other_inputs_is_damage() {
        let (temp, task) = setup();
        let one = done(&task, "a", "2026-01-01T00:00:00.000Z");
        let two = done(&task, "b", "2026-01-01T00:00:00.000Z");
        let folder = |it: &Inputs| temp.path().join("task").join(it.fingerprint().as_str());
        std::fs::copy(folder(&one).join("task.json"), folder(&two).join("task.json")).expect("w");
        assert!(matches!(load(&task, &two).expect("read"), Kept::Damaged(_)));
    }

    #[test]
    fn the_newest_that_verifies() {
        let (temp, task) = setup();
        assert_eq!(newest(&task).expect("read"), None);
        let one = done(&task, "a", "2026-01-01T00:00:00.000Z");
        let two = done(&task, "b", "2026-01-02T00:00:00.000Z");
        let found = || newest(&task).expect("read").expect("one").0.inputs;
        assert_eq!(found(), two);
        let damaged = temp.path().join("task").join(two.fingerprint().as_str());
        std::fs::write(damaged.join("output.json"), "x").expect("written");
        assert_eq!(found(), one);
    }
}
