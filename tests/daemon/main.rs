//! The daemon from outside: the real binary, driven over pipes.

mod client;
mod contract;
mod gomocup;
mod record;
mod session;
mod solver;
mod threats;
