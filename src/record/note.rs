//! What is known of a move beside the move: how long it took, and what the mover thought of it.
//!
//! ```text
//! 250 ms, score 31            hundredths, for the mover
//! 12.5 ms, score mate 3
//! ```

use super::Record;
use crate::rules::{Game, Key, Move, Position};
use crate::units::{MAX_CELLS, Ply, Score, ScoreKind};
use std::fmt;
use std::time::Duration;

/// What is known of a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Note {
    /// How long it took.
    pub time: Option<Duration>,
    /// Its value for the side that made it.
    pub score: Option<Score>,
}

impl Note {
    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        *self == Note::default()
    }

    /// The note in a comment; an empty one if the comment is something else.
    pub(super) fn parse(text: &str) -> Note {
        let mut note = Note::default();
        for part in text.split(',').map(str::trim) {
            if let Some(millis) = part.strip_suffix(" ms") {
                let seconds = millis.parse::<f64>().ok().map(|millis| millis / 1e3);
                note.time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
            } else if let Some(score) = part.strip_prefix("score ") {
                note.score = parse_score(score);
            }
        }
        note
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(time) = self.time {
            let tenths = time.as_micros() / 100;
            write!(f, "{}", tenths / 10)?;
            if tenths % 10 > 0 {
                write!(f, ".{}", tenths % 10)?;
            }
            write!(f, " ms")?;
        }
        let Some(score) = self.score else { return Ok(()) };
        let separator = if self.time.is_some() { ", " } else { "" };
        match score.kind() {
            ScoreKind::Eval(hundredths) => write!(f, "{separator}score {hundredths}"),
            _ => write!(f, "{separator}score {score}"),
        }
    }
}

fn parse_score(text: &str) -> Option<Score> {
    let Some(moves) = text.strip_prefix("mate ") else { return text.parse().ok().map(Score::eval) };
    let moves = moves.parse::<i16>().ok().filter(|moves| usize::from(moves.unsigned_abs()) <= MAX_CELLS / 2)?;
    let plies = moves.unsigned_abs() * 2;
    Some(if moves > 0 { Score::win_in(Ply(plies - 1)) } else { Score::loss_in(Ply(plies)) })
}

/// Notes of the game that is being played, found again by position and move: at most one for each ply.
#[derive(Clone, Debug, Default)]
pub struct NoteBook {
    game: Option<Game>,
    notes: Vec<Option<(Key, Move, Note)>>,
}

impl NoteBook {
    /// Notes down what is known of a move that was found best in a position.
    pub fn remember(&mut self, position: &Position, best: Move, note: Note) {
        if self.game != Some(*position.game()) {
            *self = NoteBook { game: Some(*position.game()), notes: Vec::new() };
        }
        let ply = position.board().moves().len();
        self.notes.resize(self.notes.len().max(ply + 1), None);
        if let Some(place) = self.notes.get_mut(ply) {
            *place = Some((position.board().key(), best, note));
        }
    }

    /// The game that has come to this position, with a note for each move of which something is known.
    pub fn record(&self, position: &Position) -> Record {
        let mut notes = vec![Note::default(); position.board().moves().len()];
        let mut before = position.clone();
        for (ply, note) in notes.iter_mut().enumerate().rev() {
            let mv = before.board().moves().last().copied();
            before.undo();
            let known = self.notes.get(ply).copied().flatten().filter(|_| self.game == Some(*position.game()));
            if let Some((key, best, known)) = known
                && (key, Some(best)) == (before.board().key(), mv)
            {
                *note = known;
            }
        }
        Record { position: position.clone(), notes }
    }

    /// The notes of a record.
    pub fn of(record: &Record) -> NoteBook {
        let mut book = NoteBook::default();
        let mut position = record.start();
        for (_, mv, note) in record.moves() {
            if !note.is_empty() {
                book.remember(&position, mv, note);
            }
            if position.play(mv).is_err() {
                break; // a foul ends the game
            }
        }
        book
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Variant, parse_move};

    fn note(millis: u64, score: Score) -> Note {
        Note { time: Some(Duration::from_millis(millis)), score: Some(score) }
    }

    #[test]
    fn notes_are_read_as_they_are_written() {
        for (text, known) in [
            ("250 ms, score 31", note(250, Score::eval(31))),
            ("0 ms, score mate 3", note(0, Score::win_in(Ply(5)))),
            ("score mate -2", Note { time: None, score: Some(Score::loss_in(Ply(4))) }),
            ("12.5 ms", Note { time: Some(Duration::from_micros(12_500)), score: None }),
            ("", Note::default()),
        ] {
            assert_eq!((known.to_string().as_str(), Note::parse(text)), (text, known));
        }
        for text in
            ["a good move", "-1 ms", "nan ms", "1e999 ms", "score x", "score mate 400", "score mate -32768", ","]
        {
            assert_eq!(Note::parse(text), Note::default(), "{text}");
        }
    }

    #[test]
    fn a_note_belongs_to_its_position_and_move_only() {
        let play = |moves: &str| {
            let mut position = Position::new(Game::new(Variant::GomokuFreestyle));
            for text in moves.split(' ') {
                let (mv, _) = parse_move(text, &position).unwrap();
                position.play(mv).unwrap();
            }
            position
        };
        let known = note(7, Score::eval(9));
        let mut book = NoteBook::default();
        let before = play("h8 i9");
        book.remember(&before, parse_move("g7", &before).unwrap().0, known);
        let notes = |moves: &str| book.record(&play(moves)).notes;
        assert_eq!(notes("h8 i9 g7 a1"), [Note::default(), Note::default(), known, Note::default()]);
        assert_eq!(notes("h8 i9 g8"), [Note::default(); 3]);
        assert_eq!(notes("h8 i10 g7"), [Note::default(); 3]);
        assert_eq!(NoteBook::of(&book.record(&play("h8 i9 g7"))).record(&play("h8 i9 g7 b2")).notes[2], known);
    }
}
