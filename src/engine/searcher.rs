//! The searcher for the game in force: by shapes where five in a row is played, by line counts everywhere else.

use crate::eval::{Evaluator, LineCounts, Shapes};
use crate::rules::{Game, Position};
use crate::search::{Control, Event, Finding, Limits, Search, Settings, Table};
use crate::units::Score;
use std::sync::Arc;

/// A searcher for any game.
pub enum Searcher {
    /// For every game.
    General(Box<Search<LineCounts>>),
    /// For five in a row.
    Five(Box<Search<Shapes>>),
}

impl Searcher {
    /// A searcher for a game, with what its rules need built.
    pub fn new(table: Arc<Table>, game: &Game) -> Searcher {
        let mut searcher = match Shapes::serve(game) {
            true => Searcher::Five(Box::new(Search::new(table))),
            false => Searcher::General(Box::new(Search::new(table))),
        };
        searcher.prepare(game);
        searcher
    }

    /// The same table for another game. Nothing else is kept.
    pub fn for_game(self, game: &Game) -> Searcher {
        match (self, Shapes::serve(game)) {
            (Searcher::General(search), true) => Searcher::new(search.into_table(), game),
            (Searcher::Five(search), false) => Searcher::new(search.into_table(), game),
            (mut same, _) => {
                same.prepare(game);
                same
            }
        }
    }

    fn prepare(&mut self, game: &Game) {
        match self {
            Searcher::General(search) => search.prepare(game),
            Searcher::Five(search) => search.prepare(game),
        }
    }

    /// The table.
    pub fn table(&self) -> &Table {
        match self {
            Searcher::General(search) => search.table(),
            Searcher::Five(search) => search.table(),
        }
    }

    /// Forgets everything but the size of the table.
    pub fn clear(&mut self, threads: usize) {
        match self {
            Searcher::General(search) => search.clear(threads),
            Searcher::Five(search) => search.clear(threads),
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
