//! Smart Game Format (FF[4]), with GM[4] for every game, as the tournament script writes it too.
//!
//! ```text
//! (;FF[4]GM[4]SZ[7:6]CA[UTF-8]AP[inarow:0.1.0]RU[cfour]XG[variant=cfour columns=7 ...]RE[B+]
//! ;B[df]C[12 ms, score 31]
//! ;W[de])
//! ```
//!
//! A point is a column from the left and a row from the top, `a` the first. `XG` holds the whole game; without it `RU` names
//! the variant. A start from stones is `AB`, `AW` and `PL` before the first move. The main line is read; side lines are only
//! looked through. Crates that read SGF build a tree of nodes, as deep as the game is long, and tell no place of a fault.

mod main_line;
mod read;
mod scan;
mod write;

pub(super) use read::read;
pub(super) use write::write;

/// SGF's number of the game.
const GAME_NUMBER: &str = "4";

/// The property that holds the game.
const GAME_PROPERTY: &str = "XG";
