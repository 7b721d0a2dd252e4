//! One engine for the whole family of k-in-a-row games.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod engine;
pub mod eval;
pub mod rules;
pub mod search;
pub mod units;
