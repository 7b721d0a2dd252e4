//! The daemon from outside: the real binary, driven over pipes.

mod client;
mod contract;
mod gomocup;
mod session;
mod solver;
mod threats;
