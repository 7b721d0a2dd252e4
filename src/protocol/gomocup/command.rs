//! Lines to commands: single lines, and the blocks of stones that end with `DONE`.

use crate::rules::shown;
use std::fmt;

/// Two numbers as they were written; which is the column depends on the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Point {
    pub first: i64,
    pub second: i64,
}

/// A line of `BOARD`: a point and whose stone it is (1 own, 2 the opponent's, 3 by turns).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stone {
    pub point: Point,
    pub field: i64,
}

/// What a manager or a GUI can ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// `START n`, `START w h`, `RECTSTART w,h`
    Start {
        columns: i64,
        rows: i64,
    },
    Restart,
    Begin,
    Turn(Point),
    Board(Vec<Stone>),
    TakeBack(Point),
    Play(Point),
    Swap2Board(Vec<Point>),
    /// `INFO key value`, the key in lower case
    Info {
        key: String,
        value: String,
    },
    About,
    /// `STOP`, `YXSTOP`
    Stop,
    End,
    /// `YXBOARD`: a position, no answer
    SetBoard(Vec<Stone>),
    ShowInfo,
    ShowForbidden,
    /// `YXNBEST n`: the best lines, then a move
    BestLines(i64),
    /// `YXSEARCHDEFEND`: every move's line, then a move
    SearchDefence,
    /// `YXBALANCEONE b`, `YXBALANCETWO b`: moves after which the position is worth about b
    Balance {
        moves: u8,
        bias: i64,
    },
    /// `YXBLOCK`: these are not to be played
    Block(Vec<Point>),
    Unblock(Vec<Point>),
    UnblockAll,
    HashClear,
    HashUsage,
    Swap2Open,
    Swap2Three,
    Swap2Five,
    /// Something that another engine would do, and whose silence harms nobody
    Ignored,
    /// An extension that is not known
    UnknownExtension(String),
}

/// Why lines are no command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// The word is not known.
    Unknown(String),
    /// The command is known, what follows is not what it needs.
    Malformed(String, &'static str),
    /// A block was not ended.
    CutOff(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Unknown(word) => write!(f, "UNKNOWN command '{word}'"),
            Fault::Malformed(text, expected) => write!(f, "ERROR '{text}': expected {expected}"),
            Fault::CutOff(name) => write!(f, "ERROR {name} was not ended with DONE"),
        }
    }
}

const POINT: &str = "two numbers with a comma, such as 7,7";
const STONE: &str = "a point and its owner, such as 7,7,1";
const NUMBER: &str = "a number";

/// Commands that are followed by lines up to `DONE`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Block {
    Board,
    SetBoard,
    Swap2Board,
    Barred,
    Unbarred,
    /// Lines that are passed over.
    Ignored,
}

/// Puts lines together into commands.
#[derive(Default)]
pub(super) struct Assembler {
    open: Option<(Block, String, Vec<String>)>,
    /// An extension came last that is passed over: so are the lines that belong to it, stones or a file name.
    stray: bool,
}

impl Assembler {
    /// Takes in a line; returns the command that it completes, before it the fault of a block that it cuts off.
    pub fn take(&mut self, line: &str) -> impl Iterator<Item = Result<Command, Fault>> + use<> {
        let line = line.trim_start_matches('\u{feff}').trim_matches(|c: char| c.is_ascii_whitespace());
        let is_command = line.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic()) && is_known(line);
        let cut_off = if is_command { self.end() } else { None };
        let command = self.complete(line);
        cut_off.map(Err).into_iter().chain(command)
    }

    fn complete(&mut self, line: &str) -> Option<Result<Command, Fault>> {
        if line.is_empty() {
            return None;
        }
        let is_done = line.eq_ignore_ascii_case("done");
        let is_numbers = numbers(line).is_some();
        if let Some((.., lines)) = &mut self.open {
            if !is_done {
                lines.push(line.into());
                return None;
            }
            return self.open.take().map(|(block, name, lines)| close(block, &name, &lines));
        }
        if self.stray && (is_numbers || is_done || !is_known(line)) {
            // Stones, up to their end, or one line of another kind, such as a file name.
            self.stray = is_numbers;
            return None;
        }
        self.stray = false;
        self.single(line)
    }

    /// Nothing more belongs to the block that is open, if one is.
    pub fn end(&mut self) -> Option<Fault> {
        self.open.take().filter(|(block, ..)| *block != Block::Ignored).map(|(_, name, _)| Fault::CutOff(name))
    }

    fn single(&mut self, line: &str) -> Option<Result<Command, Fault>> {
        let name = word(line);
        if let Some(block) = block_of(&name) {
            self.open = Some((block, name.to_ascii_uppercase(), Vec::new()));
            return None;
        }
        let rest = line.get(name.len()..).unwrap_or("").trim();
        let malformed = |expected| Err(Fault::Malformed(shown(line), expected));
        let point = |make: fn(Point) -> Command| match numbers(rest).as_deref() {
            Some(&[first, second]) => Ok(make(Point { first, second })),
            _ => malformed(POINT),
        };
        let number = |make: &dyn Fn(i64) -> Command| match numbers(rest).as_deref() {
            Some(&[number]) => Ok(make(number)),
            _ => malformed(NUMBER),
        };
        let command = match name.as_str() {
            "start" | "rectstart" => match numbers(rest).as_deref() {
                Some(&[size]) if name == "start" => Ok(Command::Start { columns: size, rows: size }),
                Some(&[columns, rows]) => Ok(Command::Start { columns, rows }),
                _ => malformed("a size, such as START 15 or RECTSTART 20,15"),
            },
            "restart" => Ok(Command::Restart),
            "begin" => Ok(Command::Begin),
            "turn" => point(Command::Turn),
            "takeback" => point(Command::TakeBack),
            "play" => point(Command::Play),
            "about" => Ok(Command::About),
            "stop" | "yxstop" => Ok(Command::Stop),
            "end" => Ok(Command::End),
            "info" => {
                let key = word(rest);
                let value = rest.get(key.len()..).unwrap_or("").trim().to_owned();
                Ok(Command::Info { key, value })
            }
            "yxshowinfo" => Ok(Command::ShowInfo),
            "yxshowforbid" => Ok(Command::ShowForbidden),
            "yxnbest" => number(&Command::BestLines),
            "yxsearchdefend" => Ok(Command::SearchDefence),
            "yxbalanceone" => number(&|bias| Command::Balance { moves: 1, bias }),
            "yxbalancetwo" => number(&|bias| Command::Balance { moves: 2, bias }),
            "yxblockreset" => Ok(Command::UnblockAll),
            "yxhashclear" => Ok(Command::HashClear),
            "yxshowhashusage" => Ok(Command::HashUsage),
            "yxswap2step1" => Ok(Command::Swap2Open),
            "yxswap2step2" => Ok(Command::Swap2Three),
            "yxswap2step3" => Ok(Command::Swap2Five),
            "yxblockpathreset" | "yxdraw" | "yxresign" | "yxprintfeature" => Ok(Command::Ignored),
            _ if name.starts_with("yx") => {
                self.stray = true;
                Ok(Command::UnknownExtension(shown(&name)))
            }
            _ => Err(Fault::Unknown(shown(word_as_written(line)))),
        };
        Some(command)
    }
}

/// The first word in lower case.
fn word(line: &str) -> String {
    word_as_written(line).to_ascii_lowercase()
}

fn word_as_written(line: &str) -> &str {
    line.split_ascii_whitespace().next().unwrap_or("")
}

fn block_of(name: &str) -> Option<Block> {
    match name {
        "board" => Some(Block::Board),
        "yxboard" => Some(Block::SetBoard),
        "swap2board" => Some(Block::Swap2Board),
        "yxblock" => Some(Block::Barred),
        "yxblockundo" => Some(Block::Unbarred),
        "yxblockpath"
        | "yxblockpathundo"
        | "yxquerydatabaseall"
        | "yxquerydatabaseallt"
        | "yxquerydatabaseone"
        | "yxquerydatabasetext" => Some(Block::Ignored),
        _ => None,
    }
}

/// Whether a line begins with a word that can begin a command.
fn is_known(line: &str) -> bool {
    let name = word(line);
    let plain = ["start", "rectstart", "restart", "begin", "turn", "takeback", "play", "about", "stop", "end", "info"];
    plain.contains(&name.as_str()) || name.starts_with("yx") || block_of(&name).is_some()
}

/// Whether a session that begins with this line is one of this protocol.
pub(in crate::protocol) fn is_first_line(line: &str) -> bool {
    let name = word(line);
    ["start", "rectstart", "info", "about", "begin"].contains(&name.as_str()) || name.starts_with("yx")
}

/// Numbers separated by commas and blanks; `None` if there is anything else.
fn numbers(text: &str) -> Option<Vec<i64>> {
    let parts = text.split([',', ' ', '\t']).filter(|part| !part.is_empty());
    let numbers: Vec<i64> = parts.map(|part| part.parse().ok()).collect::<Option<_>>()?;
    (!numbers.is_empty()).then_some(numbers)
}

fn close(block: Block, name: &str, lines: &[String]) -> Result<Command, Fault> {
    let malformed = |line: &str, expected| Fault::Malformed(format!("{name} {}", shown(line)), expected);
    let stones = || {
        let stone = |line: &String| match numbers(line).as_deref() {
            Some(&[first, second, field]) if (1..=3).contains(&field) => {
                Ok(Stone { point: Point { first, second }, field })
            }
            _ => Err(malformed(line, STONE)),
        };
        lines.iter().map(stone).collect::<Result<Vec<_>, _>>()
    };
    let points = || {
        let point = |line: &String| match numbers(line).as_deref() {
            Some(&[first, second]) => Ok(Point { first, second }),
            _ => Err(malformed(line, POINT)),
        };
        lines.iter().map(point).collect::<Result<Vec<_>, _>>()
    };
    Ok(match block {
        Block::Board => Command::Board(stones()?),
        Block::SetBoard => Command::SetBoard(stones()?),
        Block::Swap2Board => Command::Swap2Board(points()?),
        Block::Barred => Command::Block(points()?),
        Block::Unbarred => Command::Unblock(points()?),
        Block::Ignored => Command::Ignored,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(lines: &[&str]) -> Vec<Result<Command, Fault>> {
        let mut assembler = Assembler::default();
        let mut commands: Vec<_> = lines.iter().flat_map(|line| assembler.take(line)).collect();
        commands.extend(assembler.end().map(Err));
        commands
    }

    fn point(first: i64, second: i64) -> Point {
        Point { first, second }
    }

    #[test]
    fn blocks_are_put_together_whatever_their_case_and_line_ends() {
        let stones = vec![Stone { point: point(7, 7), field: 2 }, Stone { point: point(6, 7), field: 1 }];
        let board = Ok(Command::Board(stones));
        for lines in [["BOARD\r", "7,7,2", " 6, 7 ,1\r", "DONE\r"], ["board", "7,7,2", "6,7,1", "done"]] {
            assert_eq!(read(&lines), std::slice::from_ref(&board));
        }
        assert_eq!(read(&["yxboard", "done"]), [Ok(Command::SetBoard(vec![]))]);
        assert_eq!(read(&["SWAP2BOARD", "1,2", "DONE"]), [Ok(Command::Swap2Board(vec![point(1, 2)]))]);
    }

    #[test]
    fn bad_blocks_are_told_once_and_the_next_command_is_read() {
        let commands = read(&["BOARD", "7,7", "x", "DONE", "ABOUT"]);
        assert!(matches!(&commands[..], [Err(Fault::Malformed(..)), Ok(Command::About)]), "{commands:?}");
        assert_eq!(read(&["BOARD", "7,7,1"]), [Err(Fault::CutOff("BOARD".into()))]);
        assert_eq!(read(&["BOARD", "7,7,1", "ABOUT"]), [Err(Fault::CutOff("BOARD".into())), Ok(Command::About)]);
        let commands = read(&["BOARD", "7,7,1", "yxboard", "done"]);
        assert_eq!(commands, [Err(Fault::CutOff("BOARD".into())), Ok(Command::SetBoard(vec![]))]);
    }

    #[test]
    fn unknown_extensions_take_their_block_with_them() {
        let lines = ["yxedittvddatabase 1 2", "7,7", "8,8", "done", "TURN 1,2", "yxfoo", "TURN 1,2"];
        let kinds: Vec<bool> = read(&lines).iter().map(|c| matches!(c, Ok(Command::Turn(_)))).collect();
        assert_eq!(kinds, [false, true, false, true]);
        let commands = read(&["yxhashdump", "/some where/a file", "ABOUT", "HELLO"]);
        assert!(matches!(&commands[..], [Ok(_), Ok(Command::About), Err(Fault::Unknown(_))]), "{commands:?}");
    }

    #[test]
    fn sizes_numbers_and_unknown_words() {
        assert_eq!(read(&["START 15"]), [Ok(Command::Start { columns: 15, rows: 15 })]);
        assert_eq!(read(&["start 15 15"]), [Ok(Command::Start { columns: 15, rows: 15 })]);
        assert_eq!(read(&["RECTSTART 20,15"]), [Ok(Command::Start { columns: 20, rows: 15 })]);
        assert!(matches!(read(&["START"])[0], Err(Fault::Malformed(..))));
        assert!(matches!(read(&["TURN 7"])[0], Err(Fault::Malformed(..))));
        assert_eq!(read(&["HELLO"]), [Err(Fault::Unknown("HELLO".into()))]);
        let info = Command::Info { key: "timeout_turn".into(), value: "500".into() };
        assert_eq!(read(&["INFO TIMEOUT_TURN 500"]), [Ok(info)]);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn no_lines_make_it_panic(lines in prop::collection::vec("\\PC{0,20}|BOARD|yx[a-z]{0,5}|[0-9,]{0,9}|DONE", 0..12)) {
            let _ = read(&lines.iter().map(String::as_str).collect::<Vec<_>>());
        }
    }
}
