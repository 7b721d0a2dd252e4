//! The searcher for the game in force: by shapes where five in a row is played, by line counts everywhere else, and with a
//! solver beside it where there is one.

use super::aided::Aided;
use crate::eval::{Evaluator, LineCounts, Shapes};
use crate::memory::OutOfMemory;
use crate::rules::{Game, Position};
use crate::search::{Control, Event, Finding, Limits, Search, Settings, Table};
use crate::solver::Solver;
use crate::units::Score;
use std::sync::Arc;

/// A searcher for any game.
pub enum Searcher {
    /// For every game.
    General(Box<Search<LineCounts>>),
    /// For five in a row.
    Five(Box<Search<Shapes>>),
    /// For games that can be solved.
    Aided(Box<Aided<LineCounts>>),
    /// For five in a row on boards that can be solved.
    AidedFive(Box<Aided<Shapes>>),
}

impl Searcher {
    /// A searcher for a game, with so many MiB for its tables and with what its rules need built.
    ///
    /// # Errors
    /// The system refuses the memory.
    pub fn new(megabytes: usize, game: &Game) -> Result<Searcher, OutOfMemory> {
        let aided = match Shapes::serve(game) {
            true => Aided::new(megabytes, game)?.map(|aided| Searcher::AidedFive(Box::new(aided))),
            false => Aided::new(megabytes, game)?.map(|aided| Searcher::Aided(Box::new(aided))),
        };
        Ok(match aided {
            Some(aided) => aided,
            None => Searcher::unaided(Arc::new(Table::new(megabytes)?), game),
        })
    }

    /// A searcher for a game without a solver, whatever the game.
    pub fn unaided(table: Arc<Table>, game: &Game) -> Searcher {
        let mut searcher = match Shapes::serve(game) {
            true => Searcher::Five(Box::new(Search::new(table))),
            false => Searcher::General(Box::new(Search::new(table))),
        };
        searcher.prepare(game);
        searcher
    }

    /// The same searcher for another game, with nothing kept but its table, or a new one where that does not serve.
    ///
    /// # Errors
    /// The system refuses the memory.
    pub fn for_game(self, megabytes: usize, game: &Game) -> Result<Searcher, OutOfMemory> {
        match (self, Shapes::serve(game), Solver::serves(game)) {
            (Searcher::General(search), true, false) => Ok(Searcher::unaided(search.into_table(), game)),
            (Searcher::Five(search), false, false) => Ok(Searcher::unaided(search.into_table(), game)),
            (Searcher::Aided(_) | Searcher::AidedFive(_), ..) | (_, _, true) => Searcher::new(megabytes, game),
            (mut same, ..) => {
                same.prepare(game);
                Ok(same)
            }
        }
    }

    fn prepare(&mut self, game: &Game) {
        match self {
            Searcher::General(search) => search.prepare(game),
            Searcher::Five(search) => search.prepare(game),
            Searcher::Aided(_) | Searcher::AidedFive(_) => {} // made for one game
        }
    }

    /// The solver, if there is one for the game.
    pub fn solver(&self) -> Option<&Solver> {
        match self {
            Searcher::Aided(aided) => Some(aided.solver()),
            Searcher::AidedFive(aided) => Some(aided.solver()),
            _ => None,
        }
    }

    /// Whether early positions are answered from an opening table, if there is one for the game.
    pub fn use_book(&mut self, on: bool) {
        match self {
            Searcher::Aided(aided) => aided.use_book(on),
            Searcher::AidedFive(aided) => aided.use_book(on),
            Searcher::General(_) | Searcher::Five(_) => {}
        }
    }

    /// Does beforehand what the first search would have to do.
    pub fn get_ready(&self) {
        match self {
            Searcher::Aided(aided) => aided.open_book(),
            Searcher::AidedFive(aided) => aided.open_book(),
            Searcher::General(_) | Searcher::Five(_) => {}
        }
    }

    /// An estimate of the memory that has been touched, in bytes.
    pub fn occupied_bytes(&self) -> u64 {
        match self {
            Searcher::General(search) => search.table().occupied_bytes(),
            Searcher::Five(search) => search.table().occupied_bytes(),
            Searcher::Aided(aided) => aided.occupied_bytes(),
            Searcher::AidedFive(aided) => aided.occupied_bytes(),
        }
    }

    /// Forgets everything but the size of the table.
    pub fn clear(&mut self, threads: usize) {
        match self {
            Searcher::General(search) => search.clear(threads),
            Searcher::Five(search) => search.clear(threads),
            Searcher::Aided(aided) => aided.clear(threads),
            Searcher::AidedFive(aided) => aided.clear(threads),
        }
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
        match self {
            Searcher::General(search) => search.run(position, limits, settings, control, sink),
            Searcher::Five(search) => search.run(position, limits, settings, control, sink),
            Searcher::Aided(aided) => aided.run(position, limits, settings, control, sink),
            Searcher::AidedFive(aided) => aided.run(position, limits, settings, control, sink),
        }
    }
}

/// The static value of a position for the side to move.
pub fn evaluate(position: &Position) -> Score {
    let (board, side) = (position.board(), position.board().side());
    match Shapes::serve(position.game()) {
        true => Shapes::new(board).evaluate(side),
        false => LineCounts::new(board).evaluate(side),
    }
}
