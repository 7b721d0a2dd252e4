//! Files of games: what was played, what the search said of each position, and who won.
//!
//! ```text
//! header   "INAROW" and the format's number, 1; variant, columns, rows      10 bytes
//! game     moves of the opening, moves in all, result, unused               4 bytes
//! move     square 16 bit, score of the position before it 16 bit            4 bytes each, little-endian
//! ```
//!
//! The result is 0, 1 or 2: a draw, or the number of the player who won. Scores are those of [`Score::to_bits`], for the
//! side to move; of opening moves, which nobody thought about, they are 0.

use crate::rules::{Game, Move, Square, Variant};
use crate::units::Score;
use anyhow::{Context, ensure};
use std::io::{Read, Write};

const MAGIC: [u8; 7] = *b"INAROW\x01";

/// A game that was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// How many moves were given.
    pub opening: usize,
    /// The moves, each with the score that the side which made it saw.
    pub moves: Vec<(Move, Score)>,
    /// 0 for a draw, else the player who won, 1 or 2.
    pub result: u8,
}

/// Writes the beginning of a file.
///
/// # Errors
/// It cannot be written.
pub fn write_header(game: &Game, file: &mut impl Write) -> std::io::Result<()> {
    let variant = Variant::ALL.iter().position(|&variant| variant == game.variant()).unwrap_or_default();
    file.write_all(&MAGIC)?;
    file.write_all(&[variant as u8, game.columns(), game.rows()])
}

impl Record {
    /// Writes a game.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self, file: &mut impl Write) -> std::io::Result<()> {
        let mut bytes = vec![self.opening as u8];
        bytes.extend((self.moves.len() as u16).to_le_bytes());
        bytes.push(self.result);
        for (mv, score) in &self.moves {
            bytes.extend(mv.square().to_bits().to_le_bytes());
            bytes.extend(score.to_bits().to_le_bytes());
        }
        file.write_all(&bytes)
    }
}

/// Reads a whole file: the game that was played, and all records. A last record that was cut off is left out.
///
/// # Errors
/// It cannot be read, or is no such file.
pub fn read(file: &mut impl Read) -> anyhow::Result<(Game, Vec<Record>)> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).context("cannot read the games")?;
    let (header, mut rest) = bytes.split_at_checked(MAGIC.len() + 3).context("no file of games: it is too short")?;
    ensure!(header.starts_with(&MAGIC), "no file of games: it does not begin with INAROW and the number 1");
    let [.., variant, columns, rows] = *header else { anyhow::bail!("no file of games") };
    let variant = *Variant::ALL.get(usize::from(variant)).context("the file names a variant that is not known")?;
    let game = Game::new(variant).with_columns(columns)?.with_rows(rows)?;
    let mut records = Vec::new();
    while let Some((record, after)) = take(rest, &game) {
        records.push(record);
        rest = after;
    }
    ensure!(rest.len() < 4 + 4 * game.cells(), "the file is damaged after {} games", records.len());
    Ok((game, records))
}

fn take<'a>(bytes: &'a [u8], game: &Game) -> Option<(Record, &'a [u8])> {
    let (head, rest) = bytes.split_first_chunk::<4>()?;
    let [opening, low, high, result] = *head;
    let count = usize::from(u16::from_le_bytes([low, high]));
    let (body, rest) = rest.split_at_checked(4 * count)?;
    let mut moves = Vec::with_capacity(count);
    for &[a, b, c, d] in body.as_chunks::<4>().0 {
        let square = Square::from_bits(u16::from_le_bytes([a, b])).filter(|&square| game.contains(square))?;
        moves.push((Move::to(square), Score::from_bits(u16::from_le_bytes([c, d]))));
    }
    (result <= 2).then_some((Record { opening: usize::from(opening), moves, result }, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_come_back_as_they_were_written() {
        let game = Game::new(Variant::Renju);
        let mv = |column, row| Move::to(Square::new(column, row).unwrap());
        let records = [
            Record { opening: 1, moves: vec![(mv(7, 7), Score::DRAW), (mv(8, 8), Score::eval(-31))], result: 2 },
            Record { opening: 0, moves: vec![], result: 0 },
        ];
        let mut file = Vec::new();
        write_header(&game, &mut file).unwrap();
        records.iter().for_each(|record| record.write(&mut file).unwrap());
        assert_eq!(read(&mut file.as_slice()).unwrap(), (game, records.to_vec()));
        file.truncate(file.len() - 3);
        assert_eq!(read(&mut file.as_slice()).unwrap().1, records[..1]);
        assert!(read(&mut &b"INAROW"[..]).is_err());
        assert!(read(&mut &b"Windows Registry"[..]).is_err());
    }
}
