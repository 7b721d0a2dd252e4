//! The search: iterative deepening over principal variation search, with a shared table and one thread or many.
//!
//! [`Search::run`] is a function of position, limits, settings and table, told from outside only to stop. It reports
//! [`Event`]s to a sink and never prints. Reading order: `root` (iterations), `negamax` (a node), `order`, `table`.

mod candidates;
mod continuation;
mod features;
mod five;
mod history;
mod limits;
mod negamax;
mod node;
mod order;
mod proof;
mod report;
mod root;
mod skill;
mod table;
mod time;
mod worker;

pub use candidates::Candidates;
pub use features::Features;
pub use five::{Situation, situation};
pub use limits::{Clock, Control, Limits};
pub use node::{NodeSearch, Window};
pub use report::{Chances, Event, Finding, Report, Work, chances};
pub use skill::Skill;
pub use table::{Bound, Entry, Table};
pub use time::Budget;

use crate::rules::{Game, Move, Position};
use crate::units::{Depth, Ply, Score};
use history::History;
use root::Iterations;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI16, AtomicU64, Ordering};
use std::time::Duration;
use worker::{Gate, Prepared, Shared, Sink, Worker};

/// Room on the stack for the longest line of play.
const STACK: usize = 8 << 20;

/// How a search is to be done, apart from its limits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// How many threads search.
    pub threads: usize,
    /// How many best lines are wanted, at least 1.
    pub lines: usize,
    /// What a move loses on its way to the clock.
    pub overhead: Duration,
    /// Play below full strength.
    pub skill: Option<Skill>,
    /// The ideas at work.
    pub features: Features,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { threads: 1, lines: 1, overhead: Duration::ZERO, skill: None, features: Features::FULL }
    }
}

/// A searcher with its memory: the shared table and what each thread has learnt about moves.
pub struct Search<E> {
    table: Arc<Table>,
    histories: Vec<History>,
    prepared: Option<Prepared<E>>,
}

impl<E: NodeSearch> Search<E> {
    /// A searcher that has learnt nothing yet.
    pub fn new(table: Arc<Table>) -> Search<E> {
        Search { table, histories: Vec::new(), prepared: None }
    }

    /// The table.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The table alone.
    pub fn into_table(self) -> Arc<Table> {
        self.table
    }

    /// Builds what searches of a game need, so that none of them has to.
    pub fn prepare(&mut self, game: &Game) {
        if self.prepared.as_ref().is_none_or(|prepared| prepared.game != *game) {
            self.prepared = Some(Prepared::new(*game));
            // What was learnt on another board means nothing on this one.
            self.histories.clear();
        }
    }

    /// Forgets everything but the size of the table.
    pub fn clear(&mut self, threads: usize) {
        self.histories.clear();
        self.table.clear(threads);
    }

    /// Searches a position until a limit is reached, the value is proven, or `control` says stop.
    ///
    /// `sink` is called from this thread. The finding has a legal move whenever the position has one.
    pub fn run(
        &mut self,
        position: &Position,
        limits: &Limits,
        settings: &Settings,
        control: &Control,
        sink: &mut (dyn FnMut(Event) + Send),
    ) -> Finding {
        if position.is_over() {
            return Finding { score: over(position), ..Finding::default() };
        }
        self.prepare(position.game());
        let Some(prepared) = &self.prepared else { return Finding::default() };
        let threads = settings.threads.max(1);
        self.table.new_search();
        self.histories.truncate(threads);
        self.histories.iter_mut().for_each(History::fade);
        let mut histories = std::mem::take(&mut self.histories);
        histories.resize_with(threads, || History::new(position.game()));

        let shared = Shared {
            table: &self.table,
            control,
            done: AtomicBool::new(false),
            gate: Gate::default(),
            nodes: (0..threads).map(|_| AtomicU64::new(0)).collect(),
            depth: AtomicI16::new(0),
        };
        let plan = Plan { prepared, position, limits, settings };
        let (ended, histories) = std::thread::scope(|scope| {
            let mut histories = histories.into_iter().enumerate();
            let main = histories.next().map(|(_, history)| history).unwrap_or_else(|| History::new(position.game()));
            let helpers: Vec<_> = histories
                .filter_map(|(index, history)| {
                    let (shared, plan) = (&shared, &plan);
                    let work = move || plan.work(shared, index, history, None);
                    std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).ok()
                })
                .collect();
            // However the main thread ends, the others must not wait for it, nor go on without it.
            let release = Release(&shared);
            let ended = plan.work(&shared, 0, main, Some(&mut *sink));
            drop(release);
            let mut all = vec![ended];
            all.extend(helpers.into_iter().filter_map(|helper| helper.join().ok()));
            all.into_iter().unzip::<_, _, Vec<_>, Vec<_>>()
        });
        self.histories = histories;
        let mut finding = plan.vote(ended, &shared, sink);
        finding.nodes = shared.total_nodes();
        finding
    }
}

/// Ends all threads of a search when it goes, even in a panic.
struct Release<'a>(&'a Shared<'a>);

impl Drop for Release<'_> {
    fn drop(&mut self) {
        self.0.done.store(true, Ordering::Relaxed);
        self.0.gate.open();
    }
}

/// What all threads of a search are told.
struct Plan<'a, E> {
    prepared: &'a Prepared<E>,
    position: &'a Position,
    limits: &'a Limits,
    settings: &'a Settings,
}

impl<E: NodeSearch> Plan<'_, E> {
    /// The work of one thread.
    fn work<'s>(&self, shared: &'s Shared<'s>, index: usize, history: History, sink: Sink<'s>) -> (Finding, History) {
        let Plan { prepared, position, limits, settings } = *self;
        // Whether there is a mate in so many is a question of truth, not of skill.
        let skill = settings.skill.filter(|_| limits.mate.is_none());
        let lines = if skill.is_some() { settings.lines.max(Skill::LINES) } else { settings.lines };
        let node_limit = match (limits.nodes, skill) {
            (Some(nodes), Some(skill)) => Some(nodes.min(skill.nodes)),
            (nodes, skill) => nodes.or(skill.map(|skill| skill.nodes)),
        };
        let mate_plies = limits.mate.map(|moves| Ply(moves.saturating_mul(2).saturating_sub(1).min(700)));
        let depth = limits.depth.unwrap_or(Depth::MAX);
        let iterations = Iterations {
            depth: mate_plies.map_or(depth, |plies| depth.min(Depth(plies.0 as i16))),
            lines: if index == 0 { lines.max(1) } else { 1 },
            told: settings.lines.max(1),
            mate_plies,
            hurry: limits.clock.is_some(),
        };
        let board = position.board().clone();
        let mut worker: Worker<'s, E> = Worker::new(shared, index, prepared, board, history, settings.features);
        worker.sink = sink;
        worker.node_limit = node_limit;
        worker.budget = Budget::new(limits, settings.overhead, position.board().empties());
        worker.list_root_moves(&limits.search_moves, iterations.lines);
        if worker.root_moves.is_empty() {
            return (Finding::default(), worker.history);
        }
        let depth = worker.iterate(&iterations);
        let chosen = match skill {
            Some(skill) => skill.choose(&worker.root_moves),
            None => 0,
        };
        let first = &worker.root_moves[chosen];
        let score = first.value.score;
        let finding = Finding {
            best: Some(first.mv),
            ponder: first.line.get(1).copied().or_else(|| reply(shared.table, position, first.mv)),
            // An aborted first iteration leaves no value.
            score: if score == -Score::INFINITE { Score::DRAW } else { score },
            // Of the other moves nothing is known if only some were wanted.
            proven_draw: first.value.proven && score == Score::DRAW && limits.search_moves.is_empty(),
            line: first.line.clone(),
            nodes: worker.nodes,
            depth,
        };
        (finding, worker.history)
    }

    /// The finding to go by: the main thread's, unless another one has proven a win, which is then told.
    fn vote(&self, findings: Vec<Finding>, shared: &Shared<'_>, sink: &mut (dyn FnMut(Event) + Send)) -> Finding {
        let mut findings = findings.into_iter();
        let main = findings.next().unwrap_or_default();
        if self.settings.skill.is_some() || self.settings.lines > 1 || main.score.is_decided() || main.proven_draw {
            return main;
        }
        let Some(winner) = findings.filter(|other| other.score.is_win()).max_by_key(|other| other.score) else {
            return main;
        };
        sink(Event::Line(Report {
            depth: winner.depth.max(main.depth),
            selective_depth: Ply(winner.line.len() as u16),
            rank: 1,
            score: winner.score,
            bound: Bound::Exact,
            proven: true,
            line: winner.line.clone(),
            work: shared.work(),
        }));
        winner
    }
}

/// The reply that the table expects to a move.
fn reply(table: &Table, position: &Position, mv: Move) -> Option<Move> {
    let mut after = position.clone();
    after.play(mv).ok()?;
    let reply = table.probe(after.board().key(), Ply(1))?.best?;
    after.check(reply).is_ok().then_some(reply)
}

/// The score of a finished game for the side whose turn it would be.
fn over(position: &Position) -> Score {
    match position.outcome() {
        crate::rules::Outcome::Win(_) => Score::loss_in(Ply(0)),
        _ => Score::DRAW,
    }
}
