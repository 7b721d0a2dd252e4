//! One search thread: its board with all that is kept up to date on it, its memory, and how it learns that it must end.

use super::candidates::Candidates;
use super::features::Features;
use super::history::{History, Killers};
use super::limits::Control;
use super::order::Picker;
use super::report::{Event, Work};
use super::root::RootMove;
use super::table::Table;
use super::time::Budget;
use crate::eval::Evaluator;
use crate::rules::{Board, Game, Move, Variant};
use crate::units::{Depth, Ply, Score};
use parking_lot::{Condvar, Mutex};
use std::sync::atomic::{AtomicBool, AtomicI16, AtomicU64, Ordering};
use std::time::Duration;

/// Nodes between two looks at clock and flags.
const POLL_NODES: u64 = 256;
/// No longer silence than this: well below the second that is promised, for the machine may be busy.
const SIGN_OF_LIFE: Duration = Duration::from_millis(500);

/// From this time on it is told which move is being searched.
const TRYING_AFTER: Duration = Duration::from_secs(3);

/// What a game needs for its searches, built once when it is chosen.
pub struct Prepared<E> {
    pub game: Game,
    pub eval: E,
    pub candidates: Candidates,
}

impl<E: Evaluator> Prepared<E> {
    pub fn new(game: Game) -> Prepared<E> {
        let board = Board::new(game);
        Prepared { game, eval: E::new(&board), candidates: Candidates::new(&board) }
    }
}

/// What the threads of one search share.
pub struct Shared<'a> {
    pub table: &'a Table,
    pub control: &'a Control,
    /// The search has ended for one thread, and so it must for the others.
    pub done: AtomicBool,
    /// Opened once the main thread has a first result, for which it should have the machine to itself.
    pub gate: Gate,
    /// Nodes by thread, as of its last look at the clock.
    pub nodes: Vec<AtomicU64>,
    /// The depth of the main thread's iteration.
    pub depth: AtomicI16,
}

/// Something that threads wait for.
#[derive(Default)]
pub struct Gate {
    is_open: Mutex<bool>,
    opened: Condvar,
}

impl Gate {
    pub fn open(&self) {
        *self.is_open.lock() = true;
        self.opened.notify_all();
    }

    pub fn pass(&self) {
        let mut is_open = self.is_open.lock();
        while !*is_open {
            self.opened.wait(&mut is_open);
        }
    }
}

impl Shared<'_> {
    pub fn total_nodes(&self) -> u64 {
        self.nodes.iter().map(|nodes| nodes.load(Ordering::Relaxed)).sum()
    }

    pub fn work(&self) -> Work {
        Work { nodes: self.total_nodes(), time: self.control.elapsed(), permille_full: self.table.permille_full() }
    }
}

/// A value that a node hands up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    pub score: Score,
    /// The score bounds the true value of the game, from the side that the search window implies.
    pub proven: bool,
}

impl Value {
    pub fn proven(score: Score) -> Value {
        Value { score, proven: true }
    }

    pub fn estimate(score: Score) -> Value {
        Value { score, proven: false }
    }
}

impl std::ops::Neg for Value {
    type Output = Value;
    fn neg(self) -> Value {
        Value { score: -self.score, ..self }
    }
}

/// What is noted of the node at a ply for the nodes below.
#[derive(Clone, Copy, Debug, Default)]
pub struct Frame {
    /// What the position looks like by its shapes, or what the one before did where a five must be stopped.
    pub estimate: Option<Score>,
    /// A move that is left out for now, to see what the others are worth.
    pub excluded: Option<Move>,
    /// By how much the line to here was extended by more than a ply at a time.
    pub extended: f32,
}

/// Where the events of the main thread go.
pub type Sink<'a> = Option<&'a mut (dyn FnMut(Event) + Send)>;

/// A search thread.
pub struct Worker<'a, E> {
    pub shared: &'a Shared<'a>,
    pub sink: Sink<'a>,
    pub index: usize,
    pub board: Board,
    pub eval: E,
    pub candidates: Candidates,
    pub picker: Picker,
    pub history: History,
    pub killers: Killers,
    /// Per ply the best line found below it.
    pub lines: Vec<Vec<Move>>,
    pub root_moves: Vec<RootMove>,
    /// Per ply what the search of five in a row notes there.
    pub frames: Vec<Frame>,
    /// The width of the root's window, in hundredths.
    pub root_width: i32,
    /// The first move being searched: in which iteration, and the so-manieth.
    pub trying: Option<(Depth, Move, usize)>,
    /// The first moves were chosen among all legal ones.
    pub all_moves_known: bool,
    /// Nothing else than the one first move can be played, or everything else loses at once.
    pub no_choice: bool,
    pub features: Features,
    /// Nothing may be left out or cut short: the search is after a proof.
    pub exhaustive: bool,
    /// In this game the square that completes a line is the only one that stops it.
    pub one_block: bool,
    pub nodes: u64,
    pub selective_depth: Ply,
    pub aborted: bool,
    pub budget: Option<Budget>,
    /// This thread's own end in nodes, and the total that ends the search.
    pub own_node_limit: u64,
    pub node_limit: Option<u64>,
    /// The first iteration is done: there is a move that has been looked at, and the search may end.
    pub has_result: bool,
    next_poll: u64,
    last_event: Duration,
}

impl<'a, E: Evaluator> Worker<'a, E> {
    pub fn new(
        shared: &'a Shared<'a>,
        index: usize,
        prepared: &Prepared<E>,
        board: Board,
        history: History,
        features: Features,
    ) -> Self {
        let plies = board.empties() + 2;
        Worker {
            shared,
            sink: None,
            index,
            eval: prepared.eval.on(&board),
            candidates: prepared.candidates.on(&board),
            picker: Picker::new(board.empties()),
            history,
            killers: Killers::new(plies),
            lines: (0..plies).map(|ply| Vec::with_capacity(plies - ply)).collect(),
            root_moves: Vec::new(),
            frames: vec![Frame::default(); plies],
            root_width: 1,
            trying: None,
            all_moves_known: false,
            no_choice: false,
            features,
            exhaustive: false,
            one_block: board.game().variant() != Variant::Caro,
            nodes: 0,
            selective_depth: Ply(0),
            aborted: false,
            budget: None,
            own_node_limit: u64::MAX,
            node_limit: None,
            has_result: false,
            next_poll: 0,
            last_event: Duration::ZERO,
            board,
        }
    }

    #[inline]
    pub fn make(&mut self, mv: Move) {
        self.eval.place(mv.square(), self.board.side());
        self.candidates.place(mv.square());
        self.board.make(mv);
    }

    #[inline]
    pub fn unmake(&mut self, mv: Move) {
        self.board.unmake();
        self.candidates.remove();
        self.eval.remove(mv.square(), self.board.side());
    }

    /// Counts a node, and looks at clock and flags now and then. Sets `aborted` once the search must end.
    #[inline]
    pub fn visit(&mut self, ply: Ply) {
        self.nodes += 1;
        self.selective_depth = self.selective_depth.max(ply);
        self.lines[ply.index()].clear();
        if self.nodes >= self.next_poll {
            self.poll();
        }
    }

    #[cold]
    fn poll(&mut self) {
        self.publish_nodes();
        let (shared, total) = (self.shared, self.shared.total_nodes());
        // The nearer the limit, the more often all threads look.
        let left = self.node_limit.map_or(POLL_NODES, |limit| limit.saturating_sub(total) / shared.nodes.len() as u64);
        self.next_poll = self.own_node_limit.min(self.nodes + left.clamp(1, POLL_NODES));
        let out_of_nodes = self.node_limit.is_some_and(|limit| total >= limit);
        // Every thread looks at the clock: with many of them the main one may not get to it in time.
        let out_of_time = self.budget.is_some_and(|budget| self.time_used() >= Some(budget.hard));
        let ended = shared.control.is_stopped() || shared.done.load(Ordering::Relaxed);
        let may_end = (self.has_result || !self.is_main()) && (ended || out_of_time);
        if may_end || out_of_nodes || self.nodes >= self.own_node_limit {
            self.aborted = true;
            if may_end || out_of_nodes {
                shared.done.store(true, Ordering::Relaxed);
            }
        } else if self.sink.is_some() && shared.control.elapsed() >= self.last_event + SIGN_OF_LIFE {
            self.tell(Event::Work(shared.work()));
            self.tell_trying();
        }
    }

    pub fn publish_nodes(&mut self) {
        self.shared.nodes[self.index].store(self.nodes, Ordering::Relaxed);
    }

    pub fn is_main(&self) -> bool {
        self.index == 0
    }

    /// Whether the search as a whole must end (a thread's own node limit does not end it).
    pub fn must_end(&mut self) -> bool {
        self.next_poll = 0;
        self.aborted = false;
        self.poll();
        self.aborted
    }

    /// Lets this thread search until it has seen so many nodes in all.
    pub fn set_own_node_limit(&mut self, nodes: u64) {
        self.own_node_limit = nodes;
        self.next_poll = 0;
    }

    pub fn time_used(&self) -> Option<Duration> {
        self.shared.control.time_used()
    }

    /// Sends an event, if this thread is the one that does.
    pub fn tell(&mut self, event: Event) {
        if let Some(sink) = &mut self.sink {
            self.last_event = self.shared.control.elapsed();
            sink(event);
        }
    }

    /// Tells which first move is being searched, once the search is a long one.
    pub fn tell_trying(&mut self) {
        let long = self.sink.is_some() && self.shared.control.elapsed() >= TRYING_AFTER;
        if let Some((depth, mv, number)) = self.trying.filter(|_| long) {
            self.tell(Event::Trying(depth, mv, number));
        }
    }

    /// Makes `mv`, followed by the best line one ply further down, the best line at `ply`.
    pub fn extend_line(&mut self, ply: Ply, mv: Move) {
        let (upper, lower) = self.lines.split_at_mut(ply.index() + 1);
        let line = &mut upper[ply.index()];
        line.clear();
        line.push(mv);
        if let Some(rest) = lower.first() {
            line.extend_from_slice(rest);
        }
    }

    /// How much is reduced for a late move (about the logarithms of depth and move number).
    #[inline]
    pub fn reduction(depth: Depth, number: usize) -> i16 {
        let log = |n: u32| (32 - n.leading_zeros()) as i16;
        (log(depth.0.max(1) as u32) * log(number as u32)) / 6
    }
}
