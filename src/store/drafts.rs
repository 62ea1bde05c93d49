//! `drafts/`: what a person was typing, one file a thread, until it is saved. Must not judge it:
//! a draft may be anything a person types.

use crate::{
    domain::{capture::Id, digest::Digest},
    store::{error::StoreError, folder::Folder},
    summary::correction::Said,
};
use serde::{Deserialize, Serialize};

/// Version of a draft's form.
const VERSION: u32 = 1;
/// Nobody types more; a larger file is none of ours.
const LARGEST: u64 = 64 * 1024;

#[derive(Serialize, Deserialize)]
struct Draft {
    version: u32,
    #[serde(flatten)]
    said: Said,
}

/// All drafts of corrections that can be read, by file name. What cannot be read stays where it is.
pub fn read(drafts: &Folder) -> Result<Vec<Said>, StoreError> {
    let mut found = Vec::new();
    for file in drafts.names()? {
        let Ok(Some(bytes)) = drafts.read_at_most(&file, LARGEST) else { continue };
        if let Ok(it) = serde_json::from_slice::<Draft>(&bytes)
            && it.version == VERSION
            && file == name(&it.said.thread_id)
        {
            found.push(it.said);
        }
    }
    Ok(found)
}

/// Keeps a draft in place of the one before.
pub fn keep(drafts: &Folder, said: &Said) -> Result<(), StoreError> {
    let draft = Draft { version: VERSION, said: said.clone() };
    let bytes = serde_json::to_vec_pretty(&draft).expect("our own shapes serialise");
    drafts.write(&name(&said.thread_id), &bytes)
}

/// Removes the draft of a thread, if there is one.
pub fn discard(drafts: &Folder, thread: &Id) -> Result<(), StoreError> {
    drafts.remove(&name(thread))
}

/// A thread's id is a text of others, so the file is named by its digest.
fn name(thread: &Id) -> String {
    format!("correction-{}.json", Digest::of(thread.to_string()))
}

#[cfg(test)]
mod tests {
    use crate::{
        domain::{capture::Id, digest::Digest},
        store::{
            drafts::{discard, keep, read},
            folder::Folder,
        },
        summary::{correction::Said, discussion::Status},
    };

    #[test]
    fn a_draft_is_kept_replaced_and_discarded() {
        let temp = tempfile::tempdir().expect("a temporary folder");
        let folder = Folder::create(&temp.path().join("drafts")).expect("made");
        let said = |thread: &str, text: &str| Said {
            thread_id: Id::Text(thread.into()),
            source_digest: Digest::of("x"),
            comments_total: 1,
            status: Status::Settled,
            text: text.into(),
        };
        let hostile = said("../../x", "line\n\u{1b}[2J \u{202e}<!-- x");
        keep(&folder, &said("a", "one")).expect("kept");
        keep(&folder, &said("a", "two")).expect("kept");
        keep(&folder, &hostile).expect("kept");
        std::fs::write(folder.path().join("correction-other.json"), "{").expect("written");
        let mut found = read(&folder).expect("read");
        found.sort_by_key(|it| it.thread_id.to_string());
        assert_eq!(found, [hostile, said("a", "two")]);
        discard(&folder, &Id::Text("a".into())).expect("gone");
        discard(&folder, &Id::Text("a".into())).expect("gone already");
        assert_eq!(read(&folder).expect("read").len(), 1);
        assert_eq!(std::fs::read_dir(temp.path()).expect("listed").count(), 1);
    }
}
