//! One engine for the whole family of k-in-a-row games: tic-tac-toe, Connect Four, five in a row, any m,n,k board.
//!
//! The rooms, each using only those before it:
//!
//! - [`units`]: scores, depths, plies
//! - [`memory`]: memory for large tables
//! - [`rules`]: games, boards, positions, notations
//! - [`record`]: games on disk
//! - [`eval`]: what a position is worth without looking ahead
//! - [`search`]: iterative deepening over principal variation search, table, time, threads
//! - [`solver`]: exact play on small boards, beside the search
//! - [`tuning`]: games of the engine against itself, and weights fitted to them
//! - [`engine`]: position, options and one job at a time; events out
//! - [`protocol`]: text in, engine calls; engine events, text out
//! - [`cli`]: what is started from the shell
//!
//! `tests/layers.rs` keeps the arrows. To begin reading: [`rules::Position`], then [`search::Search::run`], then
//! [`engine::Engine`].
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod cli;
pub mod engine;
pub mod eval;
pub mod memory;
pub mod protocol;
pub mod record;
pub mod rules;
pub mod search;
pub mod solver;
pub mod tuning;
pub mod units;
