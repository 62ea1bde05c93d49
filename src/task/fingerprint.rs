//! The fingerprint of a task: what its result depends on, and nothing else.
