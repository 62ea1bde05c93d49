//! The interface as a state machine.
