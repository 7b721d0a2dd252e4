//! Games of the engine against itself, from openings made up at random, with few nodes a move.

use super::games::Record;
use crate::eval::Shapes;
use crate::memory::OutOfMemory;
use crate::rules::{Color, Game, Move, Outcome, Position, Square};
use crate::search::{Control, Limits, Search, Settings, Table};
use crate::units::Score;
use std::sync::Arc;
use std::time::Instant;

/// Hash memory of each player, in MiB.
const HASH: usize = 16;
/// Openings that look more one-sided than this, in hundredths, are not played.
const BALANCE: i32 = 500;
/// The most stones of an opening.
const LONGEST_OPENING: usize = 9;
/// So often a move is a random one near the others: the engine learns what to do with such gifts, too.
const BLUNDERS: f64 = 0.03;

/// What plays games of one kind.
pub struct Player {
    game: Game,
    nodes: u64,
    random: fastrand::Rng,
    search: Search<Shapes>,
}

impl Player {
    /// A player of five in a row that searches about `nodes` positions a move.
    ///
    /// # Errors
    /// There is no memory for its table.
    pub fn new(game: Game, nodes: u64) -> Result<Player, OutOfMemory> {
        let search = Search::new(Arc::new(Table::new(HASH)?));
        Ok(Player { game, nodes, random: fastrand::Rng::new(), search })
    }

    /// Plays a game to its end. The same `seed` gives the same game.
    pub fn play(&mut self, seed: u64) -> Record {
        self.random.seed(seed);
        self.search.clear(1);
        let mut position = self.opening();
        let opening = position.board().moves().len();
        let mut moves: Vec<(Move, Score)> = position.board().moves().iter().map(|&mv| (mv, Score::DRAW)).collect();
        let result = loop {
            match position.outcome() {
                Outcome::Ongoing => {}
                Outcome::Draw => break 0,
                Outcome::Win(color) => break number(color),
            }
            // A decided game is played on to its end: what a search can see must be learnt to be seen at once.
            let (mv, score) = self.think(&position);
            let mv = match !score.is_decided() && self.random.f64() < BLUNDERS {
                true => self.random_move(&position).unwrap_or(mv),
                false => mv,
            };
            moves.push((mv, score));
            if position.play(mv).is_err() {
                break 0;
            }
        };
        Record { opening, moves, result }
    }

    fn think(&mut self, position: &Position) -> (Move, Score) {
        let nodes = self.random.u64(self.nodes / 2..=self.nodes * 3 / 2);
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let control = Control::new(Instant::now(), false);
        let finding = self.search.run(position, &limits, &Settings::default(), &control, &mut |_| {});
        let any = || position.legal_moves().first().copied();
        match finding.best.or_else(any) {
            Some(mv) => (mv, finding.score),
            None => unreachable!("an ongoing game has a legal move"),
        }
    }

    /// A position that gives both sides a chance.
    fn opening(&mut self) -> Position {
        loop {
            let stones = self.random.usize(1..=LONGEST_OPENING);
            let mut position = Position::new(self.game);
            while position.board().moves().len() < stones && !position.is_over() {
                if let Some(mv) = self.random_move(&position)
                    && position.play(mv).is_err()
                {
                    break;
                }
            }
            if position.is_over() {
                continue;
            }
            let (_, score) = self.think(&position);
            if !score.is_decided() && score.raw().abs() <= BALANCE {
                return position;
            }
        }
    }

    /// A legal move near a stone, or near the centre if there is none.
    fn random_move(&mut self, position: &Position) -> Option<Move> {
        let game = self.game;
        let near = |random: &mut fastrand::Rng, column: u8, row: u8, most: i8| {
            let column = column.checked_add_signed(random.i8(-most..=most))?;
            let row = row.checked_add_signed(random.i8(-most..=most))?;
            Square::new(column, row).filter(|&square| game.contains(square)).map(Move::to)
        };
        let moves = position.board().moves();
        let from = if moves.is_empty() { None } else { moves.get(self.random.usize(..moves.len())) };
        let mv = match from {
            Some(mv) => near(&mut self.random, mv.square().column(), mv.square().row(), 2),
            None => near(&mut self.random, game.columns() / 2, game.rows() / 2, 3),
        };
        mv.filter(|&mv| position.check(mv).is_ok())
    }
}

fn number(color: Color) -> u8 {
    match color {
        Color::First => 1,
        Color::Second => 2,
    }
}
