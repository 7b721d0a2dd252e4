//! Which of the search's ideas are at work.
//!
//! The full search uses all of them. The textbook ladder switches them on one by one, on the same code, to show what each
//! is worth; on all of its rungs a fixed depth gives the same value.

/// A set of search ideas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Features {
    /// Cut a node off once a move is too good to be allowed (Knuth and Moore 1975).
    pub alpha_beta: bool,
    /// Try moves that look good first.
    pub ordering: bool,
    /// Search all but the first move with a null window (Marsland and Campbell 1982).
    pub pvs: bool,
    /// Let earlier refutations order the moves: history, killers, counter-moves.
    pub history: bool,
    /// Remember positions.
    pub hash: bool,
    /// Deepen step by step, each iteration ordering the next.
    pub iterative: bool,
    /// Leave the fixed depth: forced replies, reductions, pruning, proofs. Needs all of the above.
    pub selective: bool,
}

impl Features {
    /// Plain minimax.
    pub const MINIMAX: Features = Features {
        alpha_beta: false,
        ordering: false,
        pvs: false,
        history: false,
        hash: false,
        iterative: false,
        selective: false,
    };

    /// Everything.
    pub const FULL: Features = Features {
        alpha_beta: true,
        ordering: true,
        pvs: true,
        history: true,
        hash: true,
        iterative: true,
        selective: true,
    };

    /// The textbook ladder: each rung has one idea more than the one before.
    pub const LADDER: [(&str, Features); 7] = {
        let alpha_beta = Features { alpha_beta: true, ..Features::MINIMAX };
        let ordering = Features { ordering: true, ..alpha_beta };
        let pvs = Features { pvs: true, ..ordering };
        let history = Features { history: true, ..pvs };
        let hash = Features { hash: true, ..history };
        let iterative = Features { iterative: true, ..hash };
        [
            ("minimax", Features::MINIMAX),
            ("alpha-beta", alpha_beta),
            ("+ ordering", ordering),
            ("+ PVS", pvs),
            ("+ history", history),
            ("+ hash", hash),
            ("+ iterative deepening", iterative),
        ]
    };
}
