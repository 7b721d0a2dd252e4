//! SGF to a game, in two goes: the first node says which game it is, then everything is played through.

use super::main_line::{Event, MainLine};
use super::{GAME_NUMBER, GAME_PROPERTY};
use crate::record::Record;
use crate::record::fault::{Fault, Found, Located};
use crate::record::note::Note;
use crate::record::replay::{Replay, square_from_top};
use crate::record::settings::{SettingsError, parse_settings};
use crate::rules::{Color, Game, Position, Square, SquareSet, Variant, shown};

/// Reads the main line of a file.
pub(in crate::record) fn read(bytes: &[u8]) -> Found<Record> {
    let game = read_game(bytes)?;
    let mut reader = Reader::new(game);
    let mut line = MainLine::new(bytes);
    while let Some(event) = line.next()? {
        match event {
            Event::Node => reader.end_node(),
            Event::Value(name, at, value) => reader.take(name, at, value)?,
        }
    }
    reader.end_node();
    let side = reader.side_by_count();
    Ok(reader.started(side)?.finish())
}

/// A value and its byte.
type Value<'a> = (usize, &'a [u8]);

/// What the first node says of the game.
#[derive(Default)]
struct Head<'a> {
    number: Option<Value<'a>>,
    size: Option<Value<'a>>,
    rule: Option<Value<'a>>,
    settings: Option<Value<'a>>,
}

fn read_game(bytes: &[u8]) -> Found<Game> {
    let mut line = MainLine::new(bytes);
    line.next()?;
    let mut head = Head::default();
    while let Some(Event::Value(name, at, value)) = line.next()? {
        let (name, place) = match name {
            "GM" => ("GM", &mut head.number),
            "SZ" => ("SZ", &mut head.size),
            "RU" => ("RU", &mut head.rule),
            GAME_PROPERTY => (GAME_PROPERTY, &mut head.settings),
            _ => continue,
        };
        if place.replace((at, value)).is_some() {
            return Err(Fault::Repeated(name).at(at));
        }
    }
    head.game()
}

impl Head<'_> {
    fn game(&self) -> Found<Game> {
        match self.number {
            Some((_, number)) if number.trim_ascii() == GAME_NUMBER.as_bytes() => {}
            Some((at, number)) => return Err(Fault::Foreign(text(number)).at(at)),
            None => return Err(Fault::Go.at(0)),
        }
        match self.settings {
            Some(settings) => self.game_of_settings(settings),
            None => self.game_of_rule(),
        }
    }

    /// The game that the private property holds; `SZ` must not contradict it.
    fn game_of_settings(&self, (at, settings): Value) -> Found<Game> {
        let settings = std::str::from_utf8(settings).unwrap_or_default();
        let game = parse_settings(settings).map_err(|error| Fault::Settings(error).at(at))?;
        let sizes = (game.columns(), game.rows());
        match self.size {
            Some(size) if read_size(size)? != sizes => Err(Fault::Size(text(size.1), sizes.0, sizes.1).at(size.0)),
            _ => Ok(game),
        }
    }

    /// The game that other programs mean: a variant and a size, or what goes without saying.
    fn game_of_rule(&self) -> Found<Game> {
        let variant = match self.rule {
            None => Variant::GomokuFreestyle,
            Some((at, rule)) => {
                let name = text(rule);
                let variant = Variant::from_name(name.trim());
                variant.ok_or_else(|| Fault::Settings(SettingsError::Value("variant", name)).at(at))?
            }
        };
        let game = Game::new(variant);
        let Some(size) = self.size else { return Ok(game) };
        let (columns, rows) = read_size(size)?;
        game.with_columns(columns).and_then(|game| game.with_rows(rows)).map_err(|_| bad_size(size))
    }
}

fn bad_size((at, size): Value) -> Located {
    Fault::unexpected(size, "SZ[15] or SZ[7:6], columns and rows from 1 to 26").at(at)
}

fn read_size(size: Value) -> Found<(u8, u8)> {
    let number = |text: &str| text.trim().parse().ok();
    let sides = std::str::from_utf8(size.1).ok().and_then(|text| match text.split_once(':') {
        Some((columns, rows)) => Some((number(columns)?, number(rows)?)),
        None => number(text).map(|side| (side, side)),
    });
    sides.ok_or_else(|| bad_size(size))
}

fn text(value: &[u8]) -> String {
    shown(&String::from_utf8_lossy(value.get(..170).unwrap_or(value)))
}

const POINT: &str = "a point, two small letters";

/// A point as column and row from the top.
fn read_point(value: &[u8]) -> Option<(usize, usize)> {
    match value {
        [column @ b'a'..=b'z', row @ b'a'..=b'z'] => Some((usize::from(column - b'a'), usize::from(row - b'a'))),
        _ => None,
    }
}

/// A game in the making.
struct Reader {
    game: Game,
    stones: Vec<(Square, Color)>,
    taken: SquareSet,
    /// The byte of the last stones.
    placed_at: usize,
    side: Option<Color>,
    /// There is one from the first move on.
    replay: Option<Replay>,
    /// What the present node says of its move.
    note: Option<Note>,
}

impl Reader {
    fn new(game: Game) -> Reader {
        Reader { game, stones: Vec::new(), taken: SquareSet::EMPTY, placed_at: 0, side: None, replay: None, note: None }
    }

    fn take(&mut self, name: &str, at: usize, value: &[u8]) -> Found<()> {
        match name {
            "B" => self.play(Color::First, at, value),
            "W" => self.play(Color::Second, at, value),
            "AB" => self.place(Some(Color::First), at, value),
            "AW" => self.place(Some(Color::Second), at, value),
            "AE" => self.place(None, at, value),
            "PL" => self.set_side(at, value),
            "C" => {
                self.note = std::str::from_utf8(value).ok().map(Note::parse);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn end_node(&mut self) {
        if let (Some(note), Some(replay)) = (self.note.take(), &mut self.replay) {
            replay.note(note);
        }
    }

    fn play(&mut self, color: Color, at: usize, value: &[u8]) -> Found<()> {
        let side = if self.stones.is_empty() { Color::First } else { color };
        let replay = self.started(side)?;
        let replay = self.replay.insert(replay);
        if value.is_empty() {
            return Err(Fault::Pass(replay.number()).at(at));
        }
        let point = read_point(value).ok_or_else(|| Fault::unexpected(value, POINT).at(at))?;
        replay.play_from_top(at, color, &text(value), point)
    }

    /// The game at its first move, or the one in progress. `side` begins, unless the file says who.
    fn started(&mut self, side: Color) -> Found<Replay> {
        if let Some(replay) = self.replay.take() {
            return Ok(replay);
        }
        let side = self.side.unwrap_or(side);
        let start = Position::with_stones(self.game, &self.stones, side);
        start.map(Replay::new).map_err(|error| Fault::Setup(error).at(self.placed_at))
    }

    /// Who is to move where nothing says so.
    fn side_by_count(&self) -> Color {
        let first = self.stones.iter().filter(|(_, color)| *color == Color::First).count();
        if first * 2 > self.stones.len() { Color::Second } else { Color::First }
    }

    fn check_not_begun(&self, at: usize, value: &[u8]) -> Found<()> {
        match self.replay {
            Some(_) => Err(Fault::unexpected(value, "AB, AW and PL only before the first move").at(at)),
            None => Ok(()),
        }
    }

    /// Sets up stones: a point, or the rectangle between two, `aa:cc`.
    fn place(&mut self, color: Option<Color>, at: usize, value: &[u8]) -> Found<()> {
        self.check_not_begun(at, value)?;
        self.placed_at = at;
        let color =
            color.ok_or_else(|| Fault::unexpected(b"AE", "only stones that are set up, by AB and AW").at(at))?;
        let bad = |expected| Fault::unexpected(value, expected).at(at);
        let mut corners = value.split(|&byte| byte == b':').map(read_point);
        let first = corners.next().flatten().ok_or_else(|| bad(POINT))?;
        let last = corners.next().unwrap_or(Some(first)).ok_or_else(|| bad(POINT))?;
        if corners.next().is_some() {
            return Err(bad(POINT));
        }
        let (columns, rows) = (usize::from(self.game.columns()), usize::from(self.game.rows()));
        for (column, row) in (first.0..=last.0).flat_map(|column| (first.1..=last.1).map(move |row| (column, row))) {
            let square = square_from_top(columns, rows, column, row).ok_or_else(|| bad("points on the board"))?;
            if self.taken.contains(square) {
                return Err(bad("one stone on a point"));
            }
            self.taken.insert(square);
            self.stones.push((square, color));
        }
        Ok(())
    }

    fn set_side(&mut self, at: usize, value: &[u8]) -> Found<()> {
        self.check_not_begun(at, value)?;
        self.side = match value {
            b"B" | b"b" => Some(Color::First),
            b"W" | b"w" => Some(Color::Second),
            _ => return Err(Fault::unexpected(value, "PL[B] or PL[W]").at(at)),
        };
        Ok(())
    }
}
