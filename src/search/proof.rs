//! Proofs on boards that are nearly full or small: is the game won, drawn or lost, searched to the very end.
//!
//! Iterations prove a value only once they reach the last stone. Between them a proof is attempted, with a window that asks
//! nothing but "win, draw or loss", no reductions, and as many nodes as the iterations have used: at worst the search takes
//! twice as long, at best it is over. What one attempt finds out the table keeps for the next.

use super::node::NodeSearch;
use super::root::Iterations;
use super::table::Bound;
use super::worker::{Value, Worker};
use crate::units::{Depth, Score};

/// With more empty cells than this no proof is tried: on free boards, and under gravity.
const MOST_EMPTY: usize = 36;
const MOST_EMPTY_GRAVITY: usize = 26;
/// An attempt may always use this many nodes.
const LEAST_NODES: u64 = 4096;

/// The attempts at one proof.
pub(super) struct Proof {
    possible: bool,
    spent: u64,
}

impl Proof {
    pub fn new<E: NodeSearch>(worker: &Worker<'_, E>, iterations: &Iterations) -> Proof {
        let most = if worker.board.game().gravity() { MOST_EMPTY_GRAVITY } else { MOST_EMPTY };
        let possible = worker.features.selective
            && worker.is_main()
            && iterations.lines == 1
            && iterations.mate_plies.is_none()
            && worker.candidates.is_complete(&worker.board)
            && worker.board.empties() <= most;
        Proof { possible, spent: 0 }
    }

    /// Tries to prove the root's value; reports it, and leaves the best move first, if that succeeds.
    pub fn attempt<E: NodeSearch>(&mut self, worker: &mut Worker<'_, E>, iteration: Depth) -> bool {
        if !self.possible || worker.root_moves[0].value.proven {
            return false;
        }
        let start = worker.nodes;
        let allowance = (start - self.spent).saturating_sub(self.spent).max(LEAST_NODES);
        let kept = worker.root_moves.clone();
        worker.exhaustive = true;
        worker.set_own_node_limit(start + allowance);
        let depth = Depth(worker.board.empties() as i16 + 1);
        let value = prove(worker, depth);
        worker.set_own_node_limit(u64::MAX);
        worker.exhaustive = false;
        self.spent += worker.nodes - start;
        let Some(value) = value else {
            worker.root_moves = kept;
            worker.aborted = false;
            return false;
        };
        worker.root_moves[0].value = value;
        let told = iteration.max(Depth(worker.board.empties() as i16));
        worker.report_line(told, 0, value.score, Bound::Exact);
        true
    }
}

/// The value of the root, searched to the end; `None` if that was broken off.
fn prove<E: NodeSearch>(worker: &mut Worker<'_, E>, depth: Depth) -> Option<Value> {
    let (above, below) = (Score::DRAW.offset(1), Score::DRAW.offset(-1));
    let mut value = ask(worker, below, above, depth)?;
    if !value.score.is_decided() {
        return value.proven.then_some(value);
    }
    // The window has asked for no more than who wins. Now how soon: a quicker win, or a longer defence, until there is none.
    loop {
        let found = value;
        let best = worker.root_moves.clone();
        let (alpha, beta) =
            if found.score.is_win() { (found.score, Score::INFINITE) } else { (-Score::INFINITE, found.score) };
        let Some(better) = ask(worker, alpha, beta, depth) else {
            worker.root_moves = best;
            // A win is proven though not that it is the quickest: good enough, since the search may go no further.
            worker.aborted &= !found.score.is_win();
            return found.score.is_win().then_some(found);
        };
        if found.score.is_loss() {
            return better.score.is_loss().then_some(better);
        }
        if better.score <= alpha {
            worker.root_moves = best;
            return Some(found);
        }
        value = better;
    }
}

fn ask<E: NodeSearch>(worker: &mut Worker<'_, E>, alpha: Score, beta: Score, depth: Depth) -> Option<Value> {
    let value = worker.search_root(alpha, beta, depth, 0);
    worker.root_moves.sort_by_key(|known| std::cmp::Reverse(known.value.score));
    (!worker.aborted).then_some(value)
}
