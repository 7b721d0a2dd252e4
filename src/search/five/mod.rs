//! The search of five in a row: threats first, then everything else.
//!
//! Most positions of a fight are decided by fours and open threes, which leave few replies or none. So each node asks first
//! what the shapes on the board force ([`situation`]); at the horizon the search goes on with fours alone ([`vcf`]); and
//! only then it searches as any other game does ([`node`]).

mod node;
#[cfg(test)]
mod oracle;
mod selection;
mod situation;
mod vcf;

pub use situation::{Situation, situation};

use self::node::Kind;
use super::worker::{Value, Worker};
use super::{NodeSearch, Window};
use crate::eval::Shapes;
use crate::rules::Move;
use crate::units::{Depth, Ply};

impl NodeSearch for Shapes {
    const ASPIRATION: i32 = 30;

    fn node<const PV: bool>(worker: &mut Worker<'_, Shapes>, window: Window, depth: Depth, ply: Ply) -> Value {
        let kind = if PV { Kind::Principal } else { Kind::Cut };
        worker.five_node(kind, window, depth.into(), ply)
    }

    fn later_first_move(worker: &mut Worker<'_, Shapes>, window: Window, depth: Depth, number: usize) -> Value {
        worker.later_first_move(window, depth.into(), number)
    }

    fn forced_win(worker: &mut Worker<'_, Shapes>) -> Option<(Value, Vec<Move>)> {
        worker.root_vcf()
    }
}
