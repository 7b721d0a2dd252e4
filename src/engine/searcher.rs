//! The searcher for the game in force: by shapes where five in a row is played, with a solver where stones fall, by line counts
//! everywhere else.

use super::gravity::Gravity;
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
    Gravity(Box<Gravity>),
}

impl Searcher {
    /// A searcher for a game, with so many MiB for its tables and with what its rules need built.
    ///
    /// # Errors
    /// The system refuses the memory.
    pub fn new(megabytes: usize, game: &Game) -> Result<Searcher, OutOfMemory> {
        Ok(match Gravity::new(megabytes, game)? {
            Some(gravity) => Searcher::Gravity(Box::new(gravity)),
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
            (Searcher::Gravity(_), ..) | (_, _, true) => Searcher::new(megabytes, game),
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
            Searcher::Gravity(_) => {} // made for one game
        }
    }

    /// The solver, if there is one for the game.
    pub fn solver(&self) -> Option<&Solver> {
        match self {
            Searcher::Gravity(gravity) => Some(gravity.solver()),
            _ => None,
        }
    }

    /// Whether early positions are answered from an opening table, if there is one for the game.
    pub fn use_book(&mut self, on: bool) {
        if let Searcher::Gravity(gravity) = self {
            gravity.use_book(on);
        }
    }

    /// An estimate of the memory that has been touched, in bytes.
    pub fn occupied_bytes(&self) -> u64 {
        match self {
            Searcher::General(search) => search.table().occupied_bytes(),
            Searcher::Five(search) => search.table().occupied_bytes(),
            Searcher::Gravity(gravity) => gravity.occupied_bytes(),
        }
    }

    /// Forgets everything but the size of the table.
    pub fn clear(&mut self, threads: usize) {
        match self {
            Searcher::General(search) => search.clear(threads),
            Searcher::Five(search) => search.clear(threads),
            Searcher::Gravity(gravity) => gravity.clear(threads),
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
            Searcher::Gravity(gravity) => gravity.run(position, limits, settings, control, sink),
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
