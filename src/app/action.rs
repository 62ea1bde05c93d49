//! Every named command: the one table behind keys, help, palette, command line and config.
//! Must not run anything.
