//! One integration binary: fewer links, one place to look. A topic is a module below.

mod ptyrig;
mod pty_big;
#[cfg(feature = "test-support")]
mod pty_exits;
mod pty_ground;
mod pty_levels;
mod hidden_text;
mod hostile_routes;
mod pty_hostile;
mod pty_stream;
mod pty_terminal;
mod screens;
mod shared;
mod bench;
mod doctor;
#[cfg(feature = "test-support")]
mod home_live;
mod listener;
mod tokens;
mod architecture;
mod batch;
mod counts;
mod decode;
mod demo;
mod documents;
mod export;
mod final_dossier;
mod bombs;
mod dependencies;
mod hostile_names;
mod input;
mod private_files;

mod evaluation;
mod drive;
mod ledger;
mod timeline;
mod cases_diff;
mod cases_summary;
mod corrections;
mod cases_threads;
mod git_range;
mod since;
mod tasks;
mod text_cells;
#[cfg(feature = "test-support")]
mod fake;
#[cfg(feature = "test-support")]
mod fresh;
#[cfg(feature = "test-support")]
mod ghfake;
#[cfg(feature = "test-support")]
mod live;
#[cfg(feature = "test-support")]
mod live_screen;
#[cfg(feature = "test-support")]
mod killer;
#[cfg(feature = "test-support")]
mod scripted;
