//! The searcher of games that can be solved: the solver first, then the ordinary search with slices of the solver in between.
//!
//! Most positions are solved before a search would have begun. In the others the search has something to say and to play
//! while the solver works on. On one thread they take turns. How long a turn is follows from the nodes that were searched, so that
//! without a limit of time the outcome does not depend on how busy the machine is.

use crate::memory::OutOfMemory;
use crate::rules::{Game, Key, Move, Position};
use crate::search::{
    Bound, Budget, Control, Event, Finding, Limits, NodeSearch, Report, Search, Settings, Table, Work,
};
use crate::solver::{Floor, Solver, Valued};
use crate::units::{Depth, Ply, Score};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How the solver's nodes compare with those of the search.
#[derive(Clone, Copy)]
struct Share {
    /// Nodes of the solver before the search begins.
    glance: u64,
    /// Nodes of its first turn once the search has begun, and the least of a later one.
    turn: u64,
    /// So many more of the solver's nodes ...
    solver: u64,
    /// ... are due for so many of the search's.
    search: u64,
    /// After so many there is less hope: from here on it gets an eighth of that.
    hopeful: u64,
}

impl Share {
    /// Under gravity the solver is the faster of the two, elsewhere it does much more at a node.
    fn of(position: &Position) -> Share {
        let gravity = position.game().gravity();
        match gravity && position.board().empties() <= WITHIN_REACH {
            true => Share { glance: 2_000, turn: 1_000_000, solver: 60, search: 1, hopeful: u64::MAX },
            false if gravity => Share { glance: 2_000, turn: 100_000, solver: 6, search: 1, hopeful: u64::MAX },
            false => Share { glance: 5_000, turn: 5_000, solver: 1, search: 2, hopeful: 200_000 },
        }
    }

    /// How many nodes of the solver are due beside so many of the search.
    fn due(self, search_nodes: u64) -> u64 {
        if search_nodes < FIRST_NODES {
            return self.glance;
        }
        let more = search_nodes.saturating_mul(self.solver) / self.search;
        self.glance + self.turn + more.min(self.hopeful) + more.saturating_sub(self.hopeful) / 8
    }
}

/// The search gets so many nodes before the solver's first long turn, so as to have a move in any case.
const FIRST_NODES: u64 = 500;
/// With at most so many empty cells, most positions with gravity are solved in a fraction of a second.
const WITHIN_REACH: usize = 34;
/// No longer silence than this, as in the search.
const SIGN_OF_LIFE: Duration = Duration::from_millis(500);
/// The part of the hash that the solver gets, in quarters.
const SOLVER_QUARTERS: usize = 3;

/// A solver and a search that share the time.
pub struct Aided<E> {
    search: Search<E>,
    solver: Solver,
    /// The position after the last answer, and what that answer was proven to keep.
    kept: Option<(Key, Floor)>,
}

/// What has been proven.
struct Proof {
    /// A line for each move that was wanted, the best first.
    lines: Vec<(Score, Vec<Move>)>,
    /// The values are those of the position, not only of some of its moves.
    whole: bool,
}

impl<E: NodeSearch> Aided<E> {
    /// A searcher with so many MiB for its tables; `None` if there is no solver for the game.
    ///
    /// # Errors
    /// The system refuses the memory.
    pub fn new(megabytes: usize, game: &Game) -> Result<Option<Aided<E>>, OutOfMemory> {
        let quarter = megabytes.saturating_mul(1 << 18);
        let solver = Solver::new(game, quarter.saturating_mul(SOLVER_QUARTERS))?;
        let Some(solver) = solver else { return Ok(None) };
        let mut search = Search::new(Arc::new(Table::with_bytes(quarter)?));
        search.prepare(game);
        Ok(Some(Aided { search, solver, kept: None }))
    }

    /// The solver.
    pub fn solver(&self) -> &Solver {
        &self.solver
    }

    /// Whether early positions are answered from the opening table.
    pub fn use_book(&mut self, on: bool) {
        self.solver.use_book(on);
    }

    /// Opens the opening table, if there is one, so that no search has to.
    pub fn open_book(&self) {
        self.solver.open_book();
    }

    /// The bytes of memory in use.
    pub fn occupied_bytes(&self) -> u64 {
        self.search.table().occupied_bytes() + self.solver.occupied_bytes()
    }

    /// Forgets everything.
    pub fn clear(&mut self, threads: usize) {
        self.search.clear(threads);
        self.solver.clear();
        self.kept = None;
    }

    /// Searches a position of the game: see [`Search::run`].
    pub fn run(
        &mut self,
        position: &Position,
        limits: &Limits,
        settings: &Settings,
        control: &Control,
        sink: &mut (dyn FnMut(Event) + Send),
    ) -> Finding {
        // Who is to play weakly must not know too much. Whether there is a mate in so many is a question of truth.
        let weak = settings.skill.is_some() && limits.mate.is_none();
        if position.is_over() || weak {
            return self.search.run(position, limits, settings, control, sink);
        }
        self.solver.use_threads(settings.threads);
        let mut turns = Turns {
            solver: &self.solver,
            share: Share::of(position),
            position,
            limits,
            lines: settings.lines.max(1),
            control,
            budget: Budget::new(limits, settings.overhead, position.board().empties()),
            floor: self.floor(position),
            safe: None,
            likely: None,
            spent: 0,
            allowance: limits.nodes.map_or(u64::MAX, |nodes| nodes / 2),
            proof: None,
        };
        turns.take(turns.share.glance, sink);
        // The other half is the search's, whatever the solver needs.
        let limits = Limits { nodes: limits.nodes.map(|nodes| nodes - nodes / 2), ..limits.clone() };
        let mut finding = Finding::default();
        if turns.proof.is_none() {
            let bounded = limits.depth.is_some() || limits.nodes.is_some();
            finding = self.search.run(position, &limits, settings, control, &mut |mut event| {
                let (nodes, is_due) = match &mut event {
                    Event::Line(report) => (turns.add_to(&mut report.work), true),
                    // These come by time: what happens at one must not change what comes out of a limited search.
                    Event::Work(work) => (turns.add_to(work), !bounded),
                    Event::Trying(..) => (0, false),
                };
                sink(event);
                if is_due {
                    turns.follow(nodes, sink);
                }
            });
            finding.nodes += turns.spent;
        }
        let finding = match &turns.proof {
            Some(proof) => turns.conclude(proof, &finding, sink),
            None => turns.keep_the_floor(finding, sink),
        };
        let kept = turns.kept(&finding);
        self.kept = kept;
        finding
    }

    /// What the side to move has for sure, by the opening table or by what was proven when it moved last.
    fn floor(&self, position: &Position) -> Option<Floor> {
        let mut before = position.clone();
        let own = self.kept.filter(|(key, _)| before.undo() && before.board().key() == *key).map(|(_, floor)| floor);
        own.max(self.solver.promised(position))
    }
}

/// The solver's turns in one search.
struct Turns<'a> {
    solver: &'a Solver,
    share: Share,
    position: &'a Position,
    limits: &'a Limits,
    /// How many lines are wanted.
    lines: usize,
    control: &'a Control,
    budget: Option<Budget>,
    /// What the side to move has for sure, and a move that keeps it.
    floor: Option<Floor>,
    safe: Option<Move>,
    /// A move that may keep it.
    likely: Option<Move>,
    /// Nodes of the solver so far, and the most there may be.
    spent: u64,
    allowance: u64,
    proof: Option<Proof>,
}

impl Turns<'_> {
    /// Adds the solver's nodes to those of the search, which it returns.
    fn add_to(&self, work: &mut Work) -> u64 {
        let nodes = work.nodes;
        work.nodes += self.spent;
        work.permille_full = work.permille_full.max(self.solver.permille_full());
        nodes
    }

    /// Takes a turn once the search has come far enough for it.
    fn follow(&mut self, search_nodes: u64, sink: &mut (dyn FnMut(Event) + Send)) {
        // Each turn begins anew, helped by the table: not much is done twice.
        let due = self.share.due(search_nodes).saturating_sub(self.spent);
        if self.proof.is_none() && due >= self.share.turn && self.spent < self.allowance {
            self.take(due, sink);
            if self.proof.is_some() {
                self.control.stop();
            }
        }
    }

    /// Works for so many nodes at most; what is known at sight is found with none.
    fn take(&mut self, nodes: u64, sink: &mut (dyn FnMut(Event) + Send)) {
        let most = nodes.min(self.allowance - self.spent);
        let (control, budget, solver, before) = (self.control, self.budget, self.solver, self.spent);
        let mut told = Instant::now();
        let mut ends = |nodes: u64| {
            if told.elapsed() >= SIGN_OF_LIFE {
                told = Instant::now();
                let permille_full = solver.permille_full();
                sink(Event::Work(Work { nodes: before + nodes, time: control.elapsed(), permille_full }));
            }
            let late = budget.zip(control.time_used()).is_some_and(|(budget, used)| used >= budget.soft);
            nodes >= most || late || control.is_stopped()
        };
        let (proof, nodes) = self.prove(&mut ends);
        self.proof = proof;
        self.spent = (self.spent + nodes).min(self.allowance);
    }

    /// Proves the values that are wanted, if there is time for it.
    fn prove(&mut self, ends: &mut dyn FnMut(u64) -> bool) -> (Option<Proof>, u64) {
        let whole = self.limits.search_moves.is_empty();
        let mut nodes = 0;
        let values: Vec<Valued> = if whole && self.lines == 1 {
            if let (Some(floor), None) = (self.floor, self.safe) {
                let safe = self.solver.safe_move(self.position, floor, ends);
                nodes += safe.nodes;
                self.likely = safe.likely.or(self.likely);
                let Some(proven) = safe.proven else { return (None, nodes) };
                self.safe = proven;
            }
            let before = nodes;
            let found = self.solver.best_move(self.position, &mut |nodes| ends(before + nodes));
            nodes += found.nodes;
            let Some((score, best)) = found.result else { return (None, nodes) };
            best.map(|mv| (mv, score)).into_iter().collect()
        } else {
            let wanted = |mv: &Move| whole || self.limits.search_moves.contains(mv);
            let moves: Vec<Move> = self.position.legal_moves().into_iter().filter(wanted).collect();
            let found = self.solver.values(self.position, &moves, ends);
            nodes += found.nodes;
            let Some(values) = found.result else { return (None, nodes) };
            values
        };
        let mut lines = Vec::new();
        // What was known at sight is answered at once: its lines end where a search would begin.
        let at_sight = nodes == 0;
        for (mv, score) in values.into_iter().take(self.lines) {
            let before = nodes;
            let (line, more) = self.solver.line(self.position, mv, &mut |nodes| at_sight || ends(before + nodes));
            nodes += if at_sight { 0 } else { more };
            lines.push((score, line));
        }
        ((!lines.is_empty()).then_some(Proof { lines, whole }), nodes)
    }

    /// What the search has found, or a move that is better known to keep the floor.
    fn keep_the_floor(&self, mut finding: Finding, sink: &mut (dyn FnMut(Event) + Send)) -> Finding {
        let Some(floor) = self.floor.filter(|_| self.lines == 1 && self.limits.search_moves.is_empty()) else {
            return finding;
        };
        let better = self.safe.or(self.likely);
        let Some(best) = better.filter(|&better| finding.best != Some(better)) else { return finding };
        let score = self.solver.floor_score(floor, self.position.board());
        (finding.best, finding.ponder, finding.line, finding.score) = (Some(best), None, vec![best], score);
        if self.safe.is_some() {
            let work =
                Work { nodes: finding.nodes, time: self.control.elapsed(), permille_full: self.solver.permille_full() };
            let (depth, line) = (finding.depth, finding.line.clone());
            let (selective_depth, bound) = (Ply(1), Bound::Lower);
            sink(Event::Line(Report { depth, selective_depth, rank: 1, score, bound, proven: false, line, work }));
        }
        finding
    }

    /// The position after the answer, and what the answer keeps as far as that is proven.
    fn kept(&self, finding: &Finding) -> Option<(Key, Floor)> {
        let best = finding.best?;
        let floor = match &self.proof {
            Some(proof) if proof.whole => Some(self.solver.floor_after(proof.lines.first()?.0, self.position.board())),
            _ => self.floor.filter(|_| self.safe == Some(best)),
        }?;
        let mut after = self.position.clone();
        after.play(best).ok()?;
        Some((after.board().key(), floor))
    }

    /// Tells what was proven, after what the search has found.
    fn conclude(&self, proof: &Proof, search: &Finding, sink: &mut (dyn FnMut(Event) + Send)) -> Finding {
        let nodes = search.nodes.max(self.spent);
        let depth = search.depth.max(Depth(self.position.board().empties() as i16));
        for (rank, (score, line)) in (1..).zip(&proof.lines) {
            let work = Work { nodes, time: self.control.elapsed(), permille_full: self.solver.permille_full() };
            let selective_depth = score.plies_to_end().unwrap_or(Ply(line.len() as u16));
            let (score, line) = (*score, line.clone());
            let bound = Bound::Exact;
            sink(Event::Line(Report { depth, selective_depth, rank, score, bound, proven: true, line, work }));
        }
        let (score, line) = proof.lines.first().cloned().unwrap_or_default();
        Finding {
            best: line.first().copied(),
            ponder: line.get(1).copied(),
            line,
            score,
            proven_draw: score == Score::DRAW && proof.whole,
            nodes,
            depth,
        }
    }
}
