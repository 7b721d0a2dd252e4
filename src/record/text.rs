//! Games as lines that people read and write.
//!
//! ```text
//! inarow variant=cfour columns=7 rows=6 line=4 gravity=true overline=wins
//! start 7/7/7/7/3o3/3x3 x          only if the game did not begin on the empty board
//! 1 x d3                           number, player, move
//! 2 o e1  250 ms, score 31         and what is known of it
//! end x to move                    or: end x wins, end draw
//! ```

use super::Record;
use super::fault::{Fault, Found};
use super::lines::{Line, lines};
use super::note::Note;
use super::replay::Replay;
use super::settings::{format_settings, parse_settings};
use crate::rules::{Color, Outcome, Position, format_fen, parse_fen, shown};

const HEAD: &str = "inarow ";
const START: &str = "start ";
const END: &str = "end ";

/// Writes a game.
pub(super) fn write(record: &Record) -> String {
    let start = record.start();
    let mut text = format!("{HEAD}{}\n", format_settings(start.game()));
    if start.board().stones() > 0 || start.board().side() != Color::First {
        text += &format!("{START}{}\n", format_fen(&start));
    }
    for (number, (color, mv, note)) in (1..).zip(record.moves()) {
        text += &format!("{number} {} {}", color.letter(), mv.square());
        text += &if note.is_empty() { "\n".into() } else { format!("  {note}\n") };
    }
    text + &format!("{END}{}\n", standing(&record.position))
}

/// `x to move`, `x wins`, `draw`: how a game stands.
pub fn standing(position: &Position) -> String {
    match position.outcome() {
        Outcome::Ongoing => format!("{} to move", position.board().side().letter()),
        Outcome::Win(winner) => format!("{} wins", winner.letter()),
        Outcome::Draw => "draw".into(),
    }
}

/// Reads a game.
pub(super) fn read(bytes: &[u8]) -> Found<Record> {
    const EXPECTED: &str = "a game of inarow, whose first line is like: inarow variant=cfour columns=7 rows=6 ...";
    let mut lines = lines(bytes);
    let head = lines.next().ok_or_else(|| Fault::Ends(EXPECTED).at(0))?;
    let settings = head.text.trim_start_matches('\u{feff}').strip_prefix(HEAD);
    let settings = settings.ok_or_else(|| Fault::unexpected(head.text.as_bytes(), EXPECTED).at(head.at))?;
    let game = parse_settings(settings).map_err(|error| Fault::Settings(error).at(head.at))?;
    let mut replay = Replay::new(Position::new(game));
    while let Some(line) = lines.next() {
        if let Some(fen) = line.text.strip_prefix(START).filter(|_| replay.number() == 1) {
            let start = parse_fen(fen, game).map_err(|error| Fault::Start(error).at(line.at))?;
            replay = Replay::new(start);
            continue;
        }
        if line.text.starts_with(END) {
            let expected = format!("{END}{}", standing(replay.position()));
            if line.text != expected {
                return Err(Fault::Ending(shown(&line.text), expected).at(line.at));
            }
            return match lines.next() {
                None => Ok(replay.finish()),
                Some(more) => Err(Fault::unexpected(more.text.as_bytes(), "nothing after the line 'end'").at(more.at)),
            };
        }
        read_move(&line, &mut replay)?;
    }
    Err(Fault::Ends("a move, or the line 'end'").at(bytes.len()))
}

/// `2 o e1  250 ms, score 31`
fn read_move(line: &Line, replay: &mut Replay) -> Found<()> {
    let mut words = line.text.split_ascii_whitespace();
    let number = words.next().and_then(|word| word.parse().ok());
    let color = words.next().and_then(|word| Color::ALL.into_iter().find(|color| color.letter().to_string() == word));
    let (Some(number), Some(color), Some(text)) = (number, color, words.next()) else {
        return Err(Fault::unexpected(line.text.as_bytes(), "a number, x or o, and a move: 1 x h8").at(line.at));
    };
    if replay.number() != number {
        return Err(Fault::Number(number, replay.number()).at(line.at));
    }
    replay.play(line.at, color, text)?;
    replay.note(Note::parse(&words.collect::<Vec<_>>().join(" ")));
    Ok(())
}
