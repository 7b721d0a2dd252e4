//! Records of games: what is refused and where, and that damage never gets through as a game that nobody played.

use inarow::record::{Format, Record};
use inarow::rules::{Color, Game, Outcome, Position, Variant, format_fen};

const FORMATS: [Format; 3] = [Format::Sgf, Format::Psq, Format::Text];

fn freestyle() -> Game {
    Game::new(Variant::GomokuFreestyle)
}

fn read(format: Format, text: &str) -> Result<Record, String> {
    format.read(text.as_bytes(), &freestyle()).map_err(|error| error.to_string())
}

fn refused(format: Format, text: &str) -> String {
    read(format, text).err().unwrap_or_else(|| panic!("{text} was read"))
}

fn moves(record: &Record) -> String {
    record.moves().map(|(_, mv, _)| mv.square().to_string()).collect::<Vec<_>>().join(" ")
}

/// A random game of a variant, in every format that holds it.
fn written(random: &mut fastrand::Rng, variant: Variant) -> Vec<(Format, String)> {
    let mut position = Position::new(Game::new(variant));
    for _ in 0..random.usize(1..40) {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        position.play(moves[random.usize(..moves.len())]).unwrap();
    }
    let record = Record { position, notes: Vec::new() };
    FORMATS.into_iter().filter_map(|format| Some((format, format.write(&record).ok()?))).collect()
}

fn damaged(random: &mut fastrand::Rng, text: &str) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..random.usize(1..4) {
        let at = random.usize(..bytes.len());
        let end = (at + random.usize(1..30)).min(bytes.len());
        match random.usize(..6) {
            0 => bytes[at] = random.u8(..),
            1 => drop(bytes.drain(at..end)),
            2 => bytes.insert(at, *random.choice(b"()[];,:\\x\n1a=B").unwrap()),
            3 => bytes.splice(at..at, bytes[at..end].to_vec()).for_each(drop),
            4 => bytes.truncate(at + 1),
            _ => bytes.swap(at, end - 1),
        }
        if bytes.is_empty() {
            break;
        }
    }
    bytes
}

#[test]
fn a_damaged_file_is_refused_or_is_another_legal_game() {
    let mut random = fastrand::Rng::with_seed(20);
    let (mut tried, mut refused) = (0, 0);
    for variant in Variant::ALL.into_iter().cycle().take(200) {
        for (format, text) in written(&mut random, variant) {
            for _ in 0..10 {
                tried += 1;
                match format.read(&damaged(&mut random, &text), &freestyle()) {
                    Err(error) => {
                        refused += 1;
                        assert!(error.to_string().len() < 400, "{error}");
                    }
                    Ok(record) => {
                        let again = Format::Sgf.read(Format::Sgf.write(&record).unwrap().as_bytes(), &freestyle());
                        assert_eq!(moves(&again.unwrap()), moves(&record));
                    }
                }
            }
        }
    }
    assert!(refused * 10 > tried * 5, "{refused} of {tried}");
}

#[test]
fn a_file_that_is_cut_off_anywhere_is_refused() {
    let mut random = fastrand::Rng::with_seed(21);
    for variant in Variant::ALL {
        for (format, text) in written(&mut random, variant) {
            for end in 0..text.trim_end().len() {
                assert!(format.read(&text.as_bytes()[..end], &freestyle()).is_err(), "{format:?} {}", &text[..end]);
            }
        }
    }
}

#[test]
fn illegal_moves_are_refused_with_their_number_and_place() {
    let sgf = |variant: &str, size: &str, moves: &str| {
        refused(Format::Sgf, &format!("(;FF[4]GM[4]SZ[{size}]RU[{variant}]\n{moves})"))
    };
    for (variant, size, moves, expected) in [
        ("freestyle", "15", ";B[hh];W[hh]", "line 2, column 9: move 2: 'h8' is illegal: h8 is occupied"),
        ("freestyle", "15", ";B[tt]", "line 2, column 3: move 1: 'tt' is off the board of 15x15"),
        ("freestyle", "15", ";B[ap]", "line 2, column 3: move 1: 'ap' is off the board of 15x15"),
        ("freestyle", "15", ";B[AA]", "line 2, column 3: 'AA'; expected a point, two small letters"),
        (
            "freestyle",
            "15",
            ";B[hh]\n;W[]",
            "line 3, column 3: move 2 is a pass; expected a move, these games have no passes",
        ),
        ("freestyle", "15", ";W[hh]", "line 2, column 3: move 1 is of o; expected one of x, whose turn it is"),
        ("freestyle", "15", ";B[hh];B[hg]", "line 2, column 9: move 2 is of x; expected one of o, whose turn it is"),
        (
            "freestyle",
            "15",
            ";B[hh]AB[aa]",
            "line 2, column 9: 'aa'; expected AB, AW and PL only before the first move",
        ),
        (
            "cfour",
            "7:6",
            ";B[de]",
            "line 2, column 3: move 1: 'd2' is illegal: d2 has no support, the stone falls to d1",
        ),
        (
            "tictactoe",
            "3",
            ";B[ac];W[aa];B[bc];W[ba];B[cc];W[ca]",
            "line 2, column 33: move 6: 'c3' is illegal: the game is over",
        ),
    ] {
        assert_eq!(sgf(variant, size, moves), expected);
    }
    let psq = |moves: &str| refused(Format::Psq, &format!("Piskvorky 15x15, 0:0, 0\n{moves}\n-1\n"));
    assert_eq!(psq("8,8,0\n8,8,0"), "line 3, column 1: move 2: 'h8' is illegal: h8 is occupied");
    assert_eq!(psq("8,16,0"), "line 2, column 1: move 1: '8,16,0' is off the board of 15x15");
    assert_eq!(psq("0,1,0"), "line 2, column 1: move 1: '0,1,0' is off the board of 15x15");
    let text = |lines: &str| {
        let head = "inarow variant=gomoku columns=15 rows=15 line=5 gravity=false overline=nothing";
        refused(Format::Text, &format!("{head}\n{lines}\n"))
    };
    assert_eq!(text("1 x h8\n2 x h9"), "line 3, column 1: move 2 is of x; expected one of o, whose turn it is");
    assert_eq!(text("1 x h8\n3 o h9"), "line 3, column 1: a move numbered 3; expected move 2");
    let ending = "line 3, column 1: 'end draw'; expected 'end o to move', for so the game stands after these moves";
    assert_eq!(text("1 x h8\nend draw"), ending);
    assert_eq!(text("1 x h8"), "line 3, column 1: the file ends; expected a move, or the line 'end'");
}

#[test]
fn what_is_no_record_is_refused_with_the_reason() {
    for (text, expected) in [
        ("(;GM[1]SZ[19];B[pd])", "line 1, column 5: GM[1] is no game of this engine"),
        ("(;FF[4]SZ[19];B[pd])", "line 1, column 1: there is no GM, so it is a game of Go"),
        ("(;GM[4]GM[4])", "line 1, column 10: a second GM"),
        ("(;GM[4]SZ[30];B[aa])", "line 1, column 10: '30'; expected SZ[15] or SZ[7:6]"),
        ("(;GM[4]SZ[9:])", "line 1, column 10: '9:'"),
        ("(;GM[4]RU[chess])", "line 1, column 10: variant 'chess'; expected one of: gomokufreestyle, "),
        ("(;GM[4]XG[variant=cfour columns=7])", "line 1, column 10: there is no rows="),
        (
            "(;GM[4]SZ[8]XG[variant=mnk columns=7 rows=6 line=4 gravity=false overline=wins])",
            "line 1, column 10: SZ[8], but a game of 7x6",
        ),
        ("(;GM[4]AB[hh]AW[hh])", "line 1, column 16: 'hh'; expected one stone on a point"),
        ("(;GM[4]AB[zz])", "line 1, column 10: 'zz'; expected points on the board"),
        ("(;GM[4]AE[aa])", "line 1, column 10: 'AE'"),
        ("(;GM[4]PL[X])", "line 1, column 10: 'X'; expected PL[B] or PL[W]"),
        ("(;GM[4]RU[cfour]AB[aa])", "line 1, column 19: the stone on a6 has no support"),
        ("(;GM[4]RU[cfour]AB[af]AW[bf]PL[W])", "line 1, column 25: 1 stones of x and 1 of o do not fit"),
        ("(;GM[4];B[hh]", "line 1, column 14: the file ends; expected "),
        ("(;GM[4];B[hh])(;GM[4])", "line 1, column 15: '('; expected nothing after the first game"),
        ("[Event \"?\"]\n\n1. e4 e5 *\n", "line 1, column 1: '['; expected an SGF game, which begins '(;'"),
        ("\u{7f}ELF", "line 1, column 1: "),
        ("", "line 1, column 1: the file ends; expected an SGF game"),
    ] {
        let error = refused(Format::Sgf, text);
        assert!(error.starts_with(expected), "{text}: {error}");
    }
    for text in [
        "",
        "Piskvorky",
        "Piskvorky 15x15, 0:0\n-1",
        "Piskvorky 0x15, 0:0, 0\n-1",
        "Piskvorky 27x27, 0:0, 0\n-1",
        "Piskvorky 999x15, 0:0, 0\n-1",
        "Piskvorky 15x15, 0:0, 0\n8,8,0\n9,x,0\n9,9,0\n-1",
        "Piskvorky 15x15, 0:0, 0\n8,8,0\nA\n-1",
        "Piskvorky 15x15, 0:0, 0\n8,8,0\nA\nB\nC\n-1",
        "Piskvorky 15x15, 0:0, 0\n8,8,0\nA\nB\nvariant=cfour columns=7 rows=6 line=4 gravity=true overline=wins\n-1",
        "Piskvorky 15x15, 0:0, 0\n8,8,0\n-1\n9,9,0\n",
    ] {
        assert!(refused(Format::Psq, text).starts_with("line "), "{text}");
    }
}

#[test]
fn files_of_others_are_read() {
    // A file of Piskvork, with the rule that is in force; what follows the last stone is its business.
    let six = "Piskvorky 20x20, 0:0, 0\r\n2,10,0\r\n5,10,0\r\n6,11,1\r\n7,9,0\r\n6,10,1\r\n8,8,884\r\n6,8,2506\r\n7,7,784\r\n\
               6,7,696\r\n9,10,560\r\n6,12,1379\r\n17,5,2470\r\n6,9,9\r\n-1\r\n";
    for (variant, outcome) in [
        (Variant::GomokuFreestyle, Outcome::Win(Color::First)),
        (Variant::Gomoku, Outcome::Ongoing),
        (Variant::Renju, Outcome::Win(Color::Second)),
        (Variant::ConnectFour, Outcome::Win(Color::First)),
    ] {
        let record = Format::Psq.read(six.as_bytes(), &Game::new(variant)).unwrap();
        assert_eq!((record.position.game().columns(), record.position.outcome()), (20, outcome), "{variant:?}");
    }
    let names = b"Piskvorky 15x15, 11:11, 0\n8,8,0\nJi\xf8\xed 1\nB\n0\n";
    assert_eq!(moves(&Format::Psq.read(names, &freestyle()).unwrap()), "h8");
    // Other spacing, a byte order mark, side lines, comments, stones set up as a rectangle, all moves in one node.
    for (text, expected) in [
        ("\u{feff}( ;GM[4]FF[3] SZ[15]\nC[a \\] b ; (]\n;B[hh] ;W[hg](;B[aa])(;B[bb]))", "h8 h9 a15"),
        ("(;GM[4]SZ[9:13]B[am]W[ia])", "a1 i13"),
        ("(;GM[4]SZ[15]AB[aa:cc];W[hh];B[ii])", "h8 i7"),
        ("(;GM[4]PL[W];W[hh])", "h8"),
        ("(;GM[4]RU[Renju])", ""),
    ] {
        assert_eq!(read(Format::Sgf, text).map(|record| moves(&record)).as_deref(), Ok(expected), "{text}");
    }
    let start = read(Format::Sgf, "(;GM[4]SZ[3]AB[aa:bb]PL[B])").unwrap().position;
    assert_eq!(format_fen(&start), "xx1/xx1/3 x");
}

#[test]
fn a_foul_is_the_last_move_of_a_game_or_none() {
    let game = "(;GM[4]RU[renju];B[hh];W[ao];B[jh];W[am];B[ig];W[ak];B[if];W[ai];B[ih]";
    let record = read(Format::Sgf, &format!("{game})")).unwrap();
    assert_eq!(record.position.outcome(), Outcome::Win(Color::Second));
    for format in FORMATS {
        let again = read(format, &format.write(&record).unwrap()).unwrap();
        assert_eq!((moves(&again), again.position.outcome()), (moves(&record), record.position.outcome()));
    }
    assert!(Format::Sgf.write(&record).unwrap().contains("RE[W+F]"));
    let mut position = record.position;
    assert!(position.undo() && !position.is_over());
    let error = refused(Format::Sgf, &format!("{game};W[aa])"));
    assert_eq!(error, "line 1, column 67: move 9: 'i8' is illegal: i8 is a foul of Black, a double-three");
}

#[test]
fn hostile_files_cost_little_time() {
    let start = std::time::Instant::now();
    let node = ";B[aa]";
    for text in [
        "(".repeat(4 << 20),
        "(;".repeat(2 << 20),
        format!("(;GM[4]{}", node.repeat(600_000)),
        format!("(;GM[4]{}", "(;B[aa]".repeat(500_000)),
        format!("(;GM[4]AB{})", "[aa:zz]".repeat(500_000)),
        format!("(;GM[4]C[{}", "\\".repeat(4 << 20)),
        format!("(;GM[4]XG[{}])", "variant=".repeat(500_000)),
        format!("(;GM[4]RU[{}])", "x".repeat(4 << 20)),
        format!("(;{})", "A".repeat(4 << 20)),
    ] {
        let error = refused(Format::Sgf, &text);
        assert!(error.len() < 300, "{error}");
    }
    let head = "Piskvorky 15x15, 0:0, 0\n";
    for text in [
        format!("{head}{}-1", "8,8,0\n".repeat(600_000)),
        format!("{head}{}", "A\n".repeat(1 << 20)),
        format!("{head}{}", "9".repeat(4 << 20)),
        "\n".repeat(4 << 20),
    ] {
        assert!(refused(Format::Psq, &text).len() < 300);
        assert!(refused(Format::Text, &text).len() < 300);
    }
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}
