//! The event-sourced game: its steps, the aggregate that results from folding them, and what is derived from both.

mod apply;
pub mod bots;
pub mod deadline;
pub mod fairness;
pub mod game;
pub mod hash_chain;
pub mod options;
pub mod snapshot;
pub mod step;
pub mod step_view;

pub(in crate::games) use apply::no_such_move;
