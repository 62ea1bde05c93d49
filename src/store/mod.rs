//! What is kept on disk: artifact roots, task folders, and the ledger.
//! Must not decide anything: states and moves come from `task`, contents from the pure rooms.
//! `SQLite` has its only door here.

pub mod captures;
pub mod corrections;
pub mod drafts;
pub mod error;
pub mod fail;
pub mod folder;
pub mod index;
pub mod ledger;
pub mod name;
pub mod pantry;
pub mod posting_lock;
pub mod root;
pub mod tasks;
pub mod time;
