//! Jobs in threads of their own: searches, solving, perft, benchmarks. Whatever happens in one, the engine lives on.

use super::bench;
use super::searcher::Searcher;
use crate::rules::{Move, Position, divide, shown};
use crate::search::{Control, Event, Finding, Limits, Settings};
use crate::solver::{Answer, Solution};
use crossbeam_channel::Sender;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

/// Room on the stack for the longest line of play.
const STACK: usize = 8 << 20;

/// What a job tells.
pub enum EngineEvent {
    /// A search in progress.
    Search(Event),
    /// A first move and the number of sequences that begin with it.
    Perft(Move, u64),
    /// A benchmark position is done.
    Bench(bench::Line),
    /// The job is over; to be handed to [`Engine::job_ended`](super::Engine::job_ended).
    Ended(Box<Ended>),
}

/// The end of a job.
pub struct Ended {
    /// What came out.
    pub outcome: Outcome,
    /// How long it took.
    pub time: Duration,
    pub(super) search: Option<Searcher>,
}

impl Ended {
    /// The answer to a search that cannot be done.
    pub fn without_move() -> Ended {
        Ended { outcome: Outcome::Search(Finding::default(), None), time: Duration::ZERO, search: None }
    }
}

/// What came out of a job.
pub enum Outcome {
    /// A search's finding, and what went wrong in it, if anything did: the finding is then any legal move.
    Search(Finding, Option<String>),
    /// The number of sequences; `None` if it was stopped.
    Perft(Option<u64>),
    /// The benchmark's sum; `None` if it was stopped.
    Bench(Option<bench::Summary>),
    /// The solver's answer, its result `None` if it was stopped.
    Solve(Answer<Solution>),
    /// The job failed.
    Failed(String),
}

/// A job to do.
pub(super) enum Job {
    Search { position: Position, limits: Limits, settings: Settings },
    Perft { position: Position, plies: u32 },
    Solve { position: Position },
    Bench,
}

/// Starts a job in a new thread. Its last event is [`EngineEvent::Ended`], whatever happens.
pub(super) fn spawn(job: Job, search: Option<Searcher>, control: Arc<Control>, events: Sender<EngineEvent>) {
    let fallback = fallback(&job);
    let (sender, spare) = (events.clone(), fallback.clone());
    let work = move || {
        let mut search = search;
        let run = AssertUnwindSafe(|| run(job, &mut search, &control, &sender));
        let result = catch_unwind(run).unwrap_or_else(|panic| Err(message(panic.as_ref())));
        let outcome = result.unwrap_or_else(|why| failed(spare, &why));
        // A search that has panicked leaves no memory to rely on.
        let sound = !matches!(&outcome, Outcome::Search(_, Some(_)) | Outcome::Failed(_));
        let search = search.filter(|_| sound);
        send(&sender, Ended { outcome, time: control.elapsed(), search });
    };
    if let Err(error) = std::thread::Builder::new().name("search".into()).stack_size(STACK).spawn(work) {
        let outcome = failed(fallback, &error.to_string());
        send(&events, Ended { outcome, time: Duration::ZERO, search: None });
    }
}

fn send(events: &Sender<EngineEvent>, ended: Ended) {
    // Nobody listens any more once the program is about to end.
    let _ = events.send(EngineEvent::Ended(Box::new(ended)));
}

fn run(
    job: Job,
    search: &mut Option<Searcher>,
    control: &Control,
    events: &Sender<EngineEvent>,
) -> Result<Outcome, String> {
    Ok(match job {
        Job::Search { position, limits, settings } => {
            let search = search.as_mut().ok_or("there is no memory for a hash table")?;
            let mut sink = |event| {
                let _ = events.send(EngineEvent::Search(event));
            };
            Outcome::Search(search.run(&position, &limits, &settings, control, &mut sink), None)
        }
        Job::Perft { mut position, plies } => {
            let mut report = |mv, count| {
                let _ = events.send(EngineEvent::Perft(mv, count));
            };
            Outcome::Perft(divide(&mut position, plies, &mut || control.is_stopped(), &mut report))
        }
        Job::Solve { position } => {
            let solver = search.as_ref().and_then(Searcher::solver).ok_or("there is no solver for this game")?;
            Outcome::Solve(solver.solve(&position, &mut |_| control.is_stopped()))
        }
        Job::Bench => Outcome::Bench(bench::run(bench::DEPTH_SHARE, control, &mut |line| {
            let _ = events.send(EngineEvent::Bench(line));
        })),
    })
}

/// The move to play if the search breaks down: one that wins, one that stops a win, or any.
fn fallback(job: &Job) -> Option<Finding> {
    let Job::Search { position, limits, .. } = job else { return None };
    let allowed = |mv: &Move| limits.search_moves.is_empty() || limits.search_moves.contains(mv);
    let moves: Vec<Move> = position.legal_moves().into_iter().filter(allowed).collect();
    let (board, side) = (position.board(), position.board().side());
    let find = |color| moves.iter().find(|mv| board.wins_at(mv.square(), color));
    let best = find(side).or_else(|| find(!side)).or_else(|| moves.get(moves.len() / 2)).copied();
    Some(Finding { best, ..Finding::default() })
}

fn failed(fallback: Option<Finding>, why: &str) -> Outcome {
    match fallback {
        Some(finding) => Outcome::Search(finding, Some(why.into())),
        None => Outcome::Failed(why.into()),
    }
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    shown(text.unwrap_or("no reason given"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Game, Variant, parse_move};
    use std::time::Instant;

    fn end_of(settings: Settings, moves: &str) -> Ended {
        let mut position = Position::new(Game::new(Variant::GomokuFreestyle));
        for text in moves.split(' ') {
            let (mv, _) = parse_move(text, &position).unwrap();
            position.play(mv).unwrap();
        }
        let (sender, receiver) = crossbeam_channel::unbounded();
        let search = Searcher::new(1, position.game()).unwrap();
        let limits = Limits { nodes: Some(1000), ..Limits::default() };
        let control = Arc::new(Control::new(Instant::now(), false));
        spawn(Job::Search { position, limits, settings }, Some(search), control, sender);
        let ended = receiver.iter().find_map(|event| match event {
            EngineEvent::Ended(ended) => Some(*ended),
            _ => None,
        });
        ended.unwrap()
    }

    #[test]
    fn a_search_that_panics_is_answered_with_a_move_that_stops_a_win() {
        // More threads than memory can count: the search cannot even begin.
        let impossible = Settings { threads: usize::MAX, ..Settings::default() };
        let ended = end_of(impossible, "h8 a1 h9 a2 h10 a3 h11");
        assert!(ended.search.is_none());
        let Outcome::Search(finding, Some(why)) = ended.outcome else { panic!("the failure is not told") };
        assert!(!why.is_empty());
        assert!(["h7", "h12"].contains(&finding.best.unwrap().square().to_string().as_str()));
    }

    #[test]
    fn a_sound_search_gives_its_memory_back() {
        let ended = end_of(Settings::default(), "h8 i9");
        assert!(ended.search.is_some());
        assert!(matches!(ended.outcome, Outcome::Search(Finding { best: Some(_), .. }, None)));
    }
}
