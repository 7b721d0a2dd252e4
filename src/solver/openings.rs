//! The positions of an opening table in the making: their scores, and best play from each.

use super::book::{BookError, Contents, Lines, Size};
use super::core::{Ends, Stones};
use super::floor::Floor;
use super::{Solver, bit, stones};
use crate::rules::{Color, Position, Square};
use std::fmt;

/// The positions of an opening table, to be solved one by one. Neighbours have much in common.
pub struct Openings<'a> {
    solver: &'a Solver,
    positions: Vec<Stones>,
    plies: u32,
}

/// The score that a table has for the position of this rank is not its score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FalseScore(pub usize);

impl fmt::Display for FalseScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the score of position {} is false", self.0)
    }
}

impl std::error::Error for FalseScore {}

impl<'a> Openings<'a> {
    /// Those with so many stones on the board.
    pub(super) fn new(solver: &'a Solver, plies: u32) -> Openings<'a> {
        Openings { solver, positions: solver.core.openings(plies), plies }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.positions.len()
    }

    /// The score of one, by its rank: how many stones the winner has left when it wins, the winning one among them; negative
    /// if that is not the side to move.
    pub fn score(&self, rank: usize, ends: Ends<'_>) -> Option<i8> {
        let score = self.solver.core.score(*self.positions.get(rank)?, ends).result?;
        i8::try_from(score).ok()
    }

    /// Best play from one, by its rank and score: so many columns, from 0. Once the outcome can be seen the rest are the number of
    /// columns, as if there were one more. `None` if the work was ended before. To be asked of a solver without a table.
    ///
    /// # Errors
    /// No move is worth the score, or what it comes to is something else. A score that is too low may go unnoticed.
    pub fn line(&self, rank: usize, score: i8, plies: u8, ends: Ends<'_>) -> Result<Option<Vec<u8>>, FalseScore> {
        let mut line = Vec::new();
        let (Some(mut position), mut floor) = (self.position(rank), i32::from(score)) else {
            return Err(FalseScore(rank));
        };
        while line.len() < usize::from(plies) {
            if let Some(seen) = self.solver.core.score_at_sight(stones(position.board())) {
                if seen != floor {
                    return Err(FalseScore(rank));
                }
                break;
            }
            let Some(found) = self.solver.safe_move(&position, Floor(floor), ends).proven else { return Ok(None) };
            let Some(mv) = found.filter(|&mv| position.play(mv).is_ok()) else { return Err(FalseScore(rank)) };
            line.push(mv.square().column());
            floor = -floor;
        }
        line.resize(plies.into(), self.solver.game.columns());
        Ok(Some(line))
    }

    fn position(&self, rank: usize) -> Option<Position> {
        let Stones { own, other } = *self.positions.get(rank)?;
        // Both sides have put as many stones, or the first one more.
        let side = if (own | other).count_ones() % 2 == 0 { Color::First } else { Color::Second };
        let owner = |cells: u128| match (own & cells, other & cells) {
            (0, 0) => None,
            (0, _) => Some(!side),
            _ => Some(side),
        };
        let game = self.solver.game;
        let stone = |square: Square| Some((square, owner(bit(&game, square.column(), square.row()))?));
        let stones: Vec<_> = game.squares().filter_map(stone).collect();
        Position::with_stones(game, &stones, side).ok()
    }

    /// The scores of a table of these positions, and how many plies its lines have.
    ///
    /// # Errors
    /// The bytes are not such a table.
    pub fn read(&self, bytes: &[u8]) -> Result<(Vec<i8>, u8), BookError> {
        let Contents { plies, scores, lines, .. } = Contents::from_bytes(bytes, Size::of(&self.solver.game))?;
        match (plies == self.plies, scores.len() == self.count()) {
            (false, _) => Err(BookError::Ply(plies)),
            (true, false) => Err(BookError::Damaged),
            (true, true) => Ok((scores, lines.plies)),
        }
    }

    /// The bytes of the table, for [`Solver::read_book`]: all scores in order, and a line of so many plies for each.
    pub fn write(&self, scores: &[i8], plies: u8, lines: &[Vec<u8>]) -> Vec<u8> {
        let lines = Lines { plies, columns: lines.concat() };
        Contents { size: Size::of(&self.solver.game), plies: self.plies, scores: scores.to_vec(), lines }.to_bytes()
    }
}
