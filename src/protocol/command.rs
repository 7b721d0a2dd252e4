//! A line of text to a [`Command`].
//!
//! The words are dispatched here, exactly, by a list of what is known. `vampirc-uci` reads the game-neutral ones, a whole
//! trimmed line at a time; `position` and `go` are ours, since its grammar knows only chess squares and narrow numbers.

use super::go::{Go, read_go};
use crate::rules::shown;
use std::fmt;
use vampirc_uci::{UciMessage, parse_strict};

/// Longer lines are refused; a game of 676 moves with the longest FEN needs a tenth of it.
pub const MAX_LINE: usize = 64 * 1024;

/// What a client can ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `uci`
    Uci,
    /// `ugi`
    Ugi,
    /// `debug on|off`
    Debug(bool),
    /// `isready`
    IsReady,
    /// `register ...`: nothing needs registering here.
    Register,
    /// `setoption name N [value V]`
    SetOption {
        /// The name as written.
        name: String,
        /// The value as written.
        value: Option<String>,
    },
    /// `ucinewgame`, `uginewgame`
    NewGame,
    /// `position startpos|fen F [moves ...]`
    Position {
        /// The FEN, `None` for `startpos`.
        fen: Option<String>,
        /// The moves, separated by blanks.
        moves: String,
    },
    /// `go ...`
    Go(Box<Go>),
    /// `go perft N`, `perft N`
    Perft(u32),
    /// `stop`
    Stop,
    /// `ponderhit`
    PonderHit,
    /// `query ...`
    Query(Query),
    /// `d`
    Display,
    /// `eval`
    Eval,
    /// `moves`
    Moves,
    /// `forbidden`
    Forbidden,
    /// `threats`
    Threats,
    /// `undo [n]`
    Undo(usize),
    /// `save FILE`
    Save(String),
    /// `load FILE`
    Load(String),
    /// `bench`
    Bench,
    /// `solve`
    Solve,
    /// `help`
    Help,
    /// `quit`
    Quit,
}

/// The questions of UGI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    /// Is the game over?
    GameOver,
    /// Is it the first player's turn?
    FirstToMove,
    /// How did it end?
    Result,
}

/// Why a line is no command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandError {
    /// The first word is not known.
    Unknown(String),
    /// The line has so many bytes.
    TooLong(usize),
    /// A word that was not expected, and what was.
    Unexpected(String, &'static str),
    /// Something is missing: what was expected.
    Missing(&'static str),
    /// Not a number, for this keyword.
    Number(&'static str, String),
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CommandError::Unknown(word) => write!(f, "unknown command '{word}'; 'help' lists the commands"),
            CommandError::TooLong(bytes) => write!(f, "a line of {bytes} bytes; expected at most {MAX_LINE}"),
            CommandError::Unexpected(word, expected) => write!(f, "unexpected '{word}'; expected {expected}"),
            CommandError::Missing(expected) => write!(f, "the line is incomplete; expected {expected}"),
            CommandError::Number(keyword, word) => write!(f, "'{word}' after '{keyword}'; expected a number"),
        }
    }
}

impl std::error::Error for CommandError {}

const POSITION: &str = "'position startpos [moves ...]' or 'position fen F [moves ...]'";
const SET_OPTION: &str = "'setoption name N' or 'setoption name N value V'";
const DEBUG: &str = "'debug on' or 'debug off'";
const QUERY: &str = "'query gameover', 'query p1turn' or 'query result'";
const FILE: &str = "the name of a file, in UTF-8, that ends with .sgf, .psq or .txt";
const NOTHING: &str = "nothing after the command";

/// Reads one line without its end. `None` is an empty line.
///
/// # Errors
/// The line is no command, or an incomplete one.
pub fn parse_line(line: &str) -> Result<Option<Command>, CommandError> {
    let line = line.trim_start_matches('\u{feff}').trim_matches(|c: char| c.is_ascii_whitespace());
    let Some(first) = line.split_ascii_whitespace().next() else { return Ok(None) };
    let rest = line[first.len()..].trim_ascii_start();
    let bare = |command| match rest.split_ascii_whitespace().next() {
        None => Ok(command),
        Some(word) => Err(CommandError::Unexpected(shown(word), NOTHING)),
    };
    let command = match first.to_ascii_lowercase().as_str() {
        "uci" | "isready" | "ucinewgame" | "stop" | "ponderhit" | "quit" => neutral(line, NOTHING)?,
        "debug" => neutral(line, DEBUG)?,
        "setoption" => neutral(&normalised_option(rest), SET_OPTION)?,
        "register" => Command::Register,
        "position" => read_position(rest)?,
        "go" => read_go(rest)?,
        "ugi" => bare(Command::Ugi)?,
        "uginewgame" => bare(Command::NewGame)?,
        "query" => read_query(rest)?,
        "d" => bare(Command::Display)?,
        "eval" => bare(Command::Eval)?,
        "moves" => bare(Command::Moves)?,
        "forbidden" => bare(Command::Forbidden)?,
        "threats" => bare(Command::Threats)?,
        "bench" => bare(Command::Bench)?,
        "solve" => bare(Command::Solve)?,
        "help" => bare(Command::Help)?,
        "save" => Command::Save(read_file_name(rest)?),
        "load" => Command::Load(read_file_name(rest)?),
        "undo" => Command::Undo(read_count("undo", rest)?.unwrap_or(1)),
        "perft" => {
            let plies = read_count("perft", rest)?.ok_or(CommandError::Missing("'perft N'"))?;
            Command::Perft(u32::try_from(plies).unwrap_or(u32::MAX))
        }
        _ => return Err(CommandError::Unknown(shown(first))),
    };
    Ok(Some(command))
}

/// Lets `vampirc-uci` read a line that has nothing to do with any one game.
fn neutral(line: &str, expected: &'static str) -> Result<Command, CommandError> {
    let word = || shown(line.split_ascii_whitespace().nth(1).unwrap_or(""));
    let messages = parse_strict(line).map_err(|_| match word() {
        word if word.is_empty() => CommandError::Missing(expected),
        word => CommandError::Unexpected(word, expected),
    })?;
    // It takes a lone carriage return for the end of a line, so there could be several.
    let [message] = <[UciMessage; 1]>::try_from(messages.into_iter().collect::<Vec<_>>())
        .map_err(|_| CommandError::Unexpected(word(), expected))?;
    match message {
        UciMessage::Uci => Ok(Command::Uci),
        UciMessage::Debug(on) => Ok(Command::Debug(on)),
        UciMessage::IsReady => Ok(Command::IsReady),
        UciMessage::UciNewGame => Ok(Command::NewGame),
        UciMessage::Stop => Ok(Command::Stop),
        UciMessage::PonderHit => Ok(Command::PonderHit),
        UciMessage::Quit => Ok(Command::Quit),
        UciMessage::SetOption { name, value } => Ok(Command::SetOption { name, value }),
        _ => Err(CommandError::Unexpected(word(), expected)),
    }
}

/// A `setoption` with single blanks; one whose value is missing or empty loses the word `value`, which the grammar would
/// refuse, so that the option can say what it expects.
fn normalised_option(rest: &str) -> String {
    let words: Vec<&str> = rest.split_ascii_whitespace().collect();
    let words = match words.as_slice() {
        [head @ .., last] if last.eq_ignore_ascii_case("value") => head,
        all => all,
    };
    // Runs of blanks inside a value are part of it (a file name may have them).
    let value = rest.to_ascii_lowercase().find(" value ").map(|at| rest[at + 7..].trim_ascii());
    match value {
        Some(value) if !value.is_empty() => {
            let name = words.iter().take_while(|word| !word.eq_ignore_ascii_case("value")).copied();
            format!("setoption {} value {value}", name.collect::<Vec<_>>().join(" "))
        }
        _ => format!("setoption {}", words.join(" ")),
    }
}

fn read_position(rest: &str) -> Result<Command, CommandError> {
    let mut words = rest.split_ascii_whitespace();
    let kind = words.next().ok_or(CommandError::Missing(POSITION))?;
    let is = |word: &str, keyword: &str| word.eq_ignore_ascii_case(keyword);
    let start: Vec<&str> = words.by_ref().take_while(|word| !is(word, "moves")).collect();
    let fen = match (is(kind, "startpos"), is(kind, "fen"), start.first()) {
        (true, _, None) => None,
        (true, _, Some(word)) => return Err(CommandError::Unexpected(shown(word), POSITION)),
        (_, true, Some(_)) => Some(start.join(" ")),
        (_, true, None) => return Err(CommandError::Missing(POSITION)),
        _ => return Err(CommandError::Unexpected(shown(kind), POSITION)),
    };
    let moves = words.fold(String::with_capacity(rest.len()), |mut moves, word| {
        moves.push_str(word);
        moves.push(' ');
        moves
    });
    Ok(Command::Position { fen, moves })
}

fn read_query(rest: &str) -> Result<Command, CommandError> {
    match rest.to_ascii_lowercase().as_str() {
        "gameover" => Ok(Command::Query(Query::GameOver)),
        "p1turn" => Ok(Command::Query(Query::FirstToMove)),
        "result" => Ok(Command::Query(Query::Result)),
        "" => Err(CommandError::Missing(QUERY)),
        other => Err(CommandError::Unexpected(shown(other), QUERY)),
    }
}

/// The name of a file: all that follows, blanks included.
fn read_file_name(rest: &str) -> Result<String, CommandError> {
    match rest {
        "" => Err(CommandError::Missing(FILE)),
        // The name was no UTF-8: another file would be written or read than the one meant.
        name if name.contains(char::REPLACEMENT_CHARACTER) => Err(CommandError::Unexpected(shown(name), FILE)),
        name => Ok(name.into()),
    }
}

/// An optional number after a command; one too big saturates.
fn read_count(command: &'static str, rest: &str) -> Result<Option<usize>, CommandError> {
    let mut words = rest.split_ascii_whitespace();
    let Some(word) = words.next() else { return Ok(None) };
    if let Some(extra) = words.next() {
        return Err(CommandError::Unexpected(shown(extra), NOTHING));
    }
    let number = word.bytes().all(|byte| byte.is_ascii_digit());
    let number = number.then(|| word.parse().unwrap_or(usize::MAX));
    number.map(Some).ok_or_else(|| CommandError::Number(command, shown(word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Command {
        parse_line(line).unwrap().unwrap()
    }

    #[test]
    fn blanks_tabs_and_case_do_not_matter() {
        for line in ["isready", " isready\t", "ISREADY \r", "\u{feff}isready"] {
            assert_eq!(read(line), Command::IsReady, "{line:?}");
        }
        assert_eq!(parse_line(" \t "), Ok(None));
        let position = Command::Position { fen: None, moves: "h8 i9 ".into() };
        assert_eq!(read("position\tstartpos  moves  h8   i9 "), position);
        assert_eq!(read("POSITION STARTPOS MOVES h8 i9"), position);
        assert_eq!(read("position startpos"), Command::Position { fen: None, moves: String::new() });
        let fen = Command::Position { fen: Some("3/3/3 x".into()), moves: "a1 ".into() };
        assert_eq!(read("position fen 3/3/3  x moves a1"), fen);
    }

    #[test]
    fn option_names_and_values_may_hold_blanks() {
        let set =
            |name: &str, value: Option<&str>| Command::SetOption { name: name.into(), value: value.map(Into::into) };
        assert_eq!(read("setoption name Hash value 32"), set("Hash", Some("32")));
        assert_eq!(read("  setoption   name  Hash   value  16 \r"), set("Hash", Some("16")));
        assert_eq!(read("setoption name CLEAR  HASH"), set("CLEAR HASH", None));
        assert_eq!(
            read("setoption name Debug Log File value a  dir/b.log"),
            set("Debug Log File", Some("a  dir/b.log"))
        );
        for line in ["setoption name Hash value", "setoption name Hash value  ", "setoption name Hash"] {
            assert_eq!(read(line), set("Hash", None));
        }
        assert!(parse_line("setoption").is_err());
        assert!(parse_line("setoption Hash value 3").is_err());
    }

    #[test]
    fn lines_that_are_no_commands_are_refused_with_what_was_expected() {
        use CommandError::*;
        assert_eq!(parse_line("foo bar"), Err(Unknown("foo".into())));
        assert_eq!(parse_line("isreadyfoo"), Err(Unknown("isreadyfoo".into())));
        assert_eq!(parse_line("uci foo"), Err(Unexpected("foo".into(), NOTHING)));
        assert_eq!(parse_line("stop\rquit").map_err(|_| ()), Err(()));
        assert_eq!(parse_line("debug"), Err(Missing(DEBUG)));
        assert_eq!(parse_line("debug maybe"), Err(Unexpected("maybe".into(), DEBUG)));
        assert_eq!(parse_line("position"), Err(Missing(POSITION)));
        assert_eq!(parse_line("position fen"), Err(Missing(POSITION)));
        assert_eq!(parse_line("position startpos h8"), Err(Unexpected("h8".into(), POSITION)));
        assert_eq!(parse_line("position moves h8"), Err(Unexpected("moves".into(), POSITION)));
        assert_eq!(parse_line("undo -1"), Err(Number("undo", "-1".into())));
        assert_eq!(parse_line("undo 1 2"), Err(Unexpected("2".into(), NOTHING)));
        assert_eq!(parse_line("perft"), Err(Missing("'perft N'")));
        assert_eq!(parse_line("query"), Err(Missing(QUERY)));
        assert_eq!(parse_line("quit\0"), Err(Unknown("quit\u{fffd}".into())));
    }
}
