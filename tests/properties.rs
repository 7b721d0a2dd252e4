//! What must hold in every game: properties of random play, checked after each move.

use inarow::eval::{Evaluator, LineCounts, Wins};
use inarow::record::{Format, Note, Record};
use inarow::rules::{
    Cell, Color, Game, Move, MoveForm, Overline, Position, Square, Symmetry, Variant, format_fairy_fen, format_fen,
    format_move, parse_fen, parse_move,
};
use inarow::search::Candidates;
use inarow::units::{Ply, Score};
use proptest::prelude::*;
use std::time::Duration;

/// Any game in range, small ones more often.
fn any_game() -> impl Strategy<Value = Game> {
    let side = prop_oneof![1u8..=8, 1u8..=26];
    (0..Variant::ALL.len(), side.clone(), side, 3u8..=8, any::<bool>(), any::<bool>()).prop_map(
        |(variant, columns, rows, line, gravity, overline)| {
            let game = Game::new(Variant::ALL[variant]).with_columns(columns).unwrap().with_rows(rows).unwrap();
            let overline = if overline { Overline::Wins } else { Overline::Nothing };
            game.with_line(line).unwrap().with_gravity(gravity).with_overline(overline)
        },
    )
}

/// A position after some random moves, numbers choosing among the legal ones.
fn play(game: Game, choices: &[u16], each: impl FnMut(&Position, Move)) -> Position {
    play_from(Position::new(game), choices, each)
}

fn play_from(mut position: Position, choices: &[u16], mut each: impl FnMut(&Position, Move)) -> Position {
    for &choice in choices {
        let moves = position.legal_moves();
        let Some(&mv) = moves.get(usize::from(choice) % moves.len().max(1)) else { break };
        each(&position, mv);
        position.play(mv).unwrap();
    }
    position
}

fn choices() -> impl Strategy<Value = Vec<u16>> {
    prop::collection::vec(any::<u16>(), 0..60)
}

/// What may be known of a move.
fn any_note() -> impl Strategy<Value = Note> {
    let mate = (1u16..=300, any::<bool>())
        .prop_map(|(moves, win)| if win { Score::win_in(Ply(2 * moves - 1)) } else { Score::loss_in(Ply(2 * moves)) });
    let score = prop_oneof![mate, (-30_000i32..=30_000).prop_map(Score::eval)];
    let time = (1u64..10_000_000).prop_map(|tenths| Duration::from_micros(tenths * 100));
    (prop::option::of(time), prop::option::of(score)).prop_map(|(time, score)| Note { time, score })
}

/// Everything an evaluator can be asked.
fn opinion(eval: &LineCounts, position: &Position) -> (Vec<i32>, Vec<Wins>, Vec<bool>, Vec<i32>) {
    let board = position.board();
    let squares: Vec<Square> = board.empty().iter().collect();
    (
        Color::ALL.map(|color| eval.evaluate(color).raw()).to_vec(),
        Color::ALL.map(|color| eval.wins(board, color)).to_vec(),
        Color::ALL.map(|color| eval.can_win(color)).to_vec(),
        Color::ALL.iter().flat_map(|&color| squares.iter().map(move |&s| eval.move_score(s, color))).collect(),
    )
}

/// Where a colour would win, by trying every legal square.
fn naive_wins(position: &Position, color: Color) -> Wins {
    let board = position.board();
    let mut wins = Wins::None;
    for square in board.empty().iter().filter(|&s| board.is_playable(s) && board.wins_at(s, color)) {
        wins.add(square);
    }
    wins
}

const FORMATS: [Format; 3] = [Format::Sgf, Format::Psq, Format::Text];

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn incremental_state_equals_state_computed_afresh(game in any_game(), choices in choices()) {
        let empty = Position::new(game);
        let mut eval = LineCounts::new(empty.board());
        let mut candidates = Candidates::new(empty.board());
        let list = |candidates: &Candidates, position: &Position| {
            let mut squares = Vec::new();
            candidates.for_each(position.board(), |square| squares.push(square));
            squares
        };
        let mut moves = Vec::new();
        let mut before = Vec::new();
        let mut position = play(game, &choices, |position, mv| {
            moves.push(mv);
            before.push((opinion(&eval, position), list(&candidates, position), position.board().key()));
            eval.place(mv.square(), position.board().side());
            candidates.place(mv.square());
        });
        let board = position.board();
        prop_assert_eq!(board.key(), board.recomputed_key());
        prop_assert_eq!(opinion(&eval, &position), opinion(&LineCounts::new(board), &position));
        prop_assert_eq!(list(&candidates, &position), list(&Candidates::new(board), &position));
        if !position.is_over() {
            for color in Color::ALL {
                prop_assert_eq!(eval.wins(position.board(), color), naive_wins(&position, color));
            }
        }
        // The way back leads through the same states.
        while let (Some(mv), Some((opinions, squares, key))) = (moves.pop(), before.pop()) {
            position.undo();
            eval.remove(mv.square(), position.board().side());
            candidates.remove();
            prop_assert_eq!(position.board().key(), key);
            prop_assert_eq!(opinion(&eval, &position), opinions);
            prop_assert_eq!(list(&candidates, &position), squares);
        }
        prop_assert_eq!(position.board().empties(), game.cells());
    }

    #[test]
    fn positions_and_moves_survive_being_written_and_read(game in any_game(), choices in choices()) {
        let position = play(game, &choices, |_, _| {});
        for text in [format_fen(&position), format_fairy_fen(&position)] {
            let read = parse_fen(&text, game).unwrap();
            prop_assert_eq!(read.board().key(), position.board().key());
            prop_assert_eq!(format_fen(&read), format_fen(&position));
        }
        for mv in position.legal_moves() {
            for form in [MoveForm::Plain, MoveForm::Drop, MoveForm::ColumnLetter, MoveForm::ColumnDigit] {
                prop_assert_eq!(parse_move(&format_move(mv, form, &game), &position).map(|(mv, _)| mv), Ok(mv));
            }
        }
    }

    #[test]
    fn legal_moves_are_exactly_the_moves_that_pass_the_check(game in any_game(), choices in choices()) {
        let position = play(game, &choices, |_, _| {});
        let all = (0..26).flat_map(|row| (0..26).map(move |column| Move::to(Square::new(column, row).unwrap())));
        let legal: Vec<Move> = all.filter(|&mv| position.check(mv).is_ok()).collect();
        prop_assert_eq!(position.legal_moves(), legal);
    }

    #[test]
    fn symmetric_positions_and_swapped_colours_score_alike(game in any_game(), choices in choices()) {
        let position = play(game, &choices, |_, _| {});
        let eval = LineCounts::new(position.board());
        for symmetry in Symmetry::of(&game) {
            let image = mapped(&position, |square| symmetry.apply(square, &game), false);
            let image = LineCounts::new(image.board());
            for color in Color::ALL {
                prop_assert_eq!(image.evaluate(color), eval.evaluate(color));
            }
            for square in position.board().empty().iter() {
                let there = symmetry.apply(square, &game);
                prop_assert_eq!(image.move_score(there, Color::First), eval.move_score(square, Color::First));
            }
        }
        if game.variant() == Variant::Renju {
            return Ok(()); // its colours have rules of their own
        }
        let free = game.with_gravity(false); // swapped colours need not fit the order of play
        let position = mapped_in(free, &position, |square| square, false);
        let swapped = mapped_in(free, &position, |square| square, true);
        let (eval, swapped) = (LineCounts::new(position.board()), LineCounts::new(swapped.board()));
        for color in Color::ALL {
            prop_assert_eq!(swapped.evaluate(!color), eval.evaluate(color));
        }
    }

    #[test]
    fn symmetries_lay_the_board_onto_itself(game in any_game()) {
        for symmetry in Symmetry::of(&game) {
            let mut images: Vec<Square> = game.squares().map(|square| symmetry.apply(square, &game)).collect();
            images.sort();
            prop_assert_eq!(images, game.squares().collect::<Vec<_>>());
        }
        let expected = match (game.gravity(), game.columns() == game.rows()) {
            (true, _) => 2,
            (_, true) => 8,
            _ => 4,
        };
        prop_assert_eq!(Symmetry::of(&game).count(), expected);
    }

    #[test]
    fn no_text_makes_the_readers_panic(text in "\\PC{0,80}", game in any_game()) {
        let _ = parse_fen(&text, game);
        let _ = parse_move(&text, &Position::new(game));
        for format in FORMATS {
            let _ = format.read(text.as_bytes(), &game);
        }
    }

    #[test]
    fn games_survive_being_saved_and_loaded(
        game in any_game(), before in choices(), choices in choices(), note in any_note(), from_fen in any::<bool>()
    ) {
        let mut start = Position::new(game);
        if from_fen {
            start = parse_fen(&format_fen(&play(game, &before, |_, _| {})), game).unwrap();
        }
        let position = play_from(start.clone(), &choices, |_, _| {});
        let record = Record { notes: vec![note; position.board().moves().len()], position };
        // Whatever is being played when the file is loaded must not matter.
        let present = Game::new(Variant::Renju);
        for format in FORMATS {
            let Ok(text) = format.write(&record) else {
                let holds = !game.gravity() && game.line() == 5 && start.board().key() == 0;
                prop_assert!(format == Format::Psq && !holds);
                continue;
            };
            let read = format.read(text.as_bytes(), &present).unwrap();
            prop_assert_eq!(read.position.game(), &game);
            prop_assert_eq!(format_fen(&read.start()), format_fen(&start));
            prop_assert_eq!(read.position.board().moves(), record.position.board().moves());
            prop_assert_eq!(read.position.board().key(), record.position.board().key());
            prop_assert_eq!(read.position.outcome(), record.position.outcome());
            if format != Format::Psq {
                prop_assert_eq!(&read.notes, &record.notes);
            }
            prop_assert_eq!(format.write(&read), Ok(text));
        }
    }
}

fn mapped(position: &Position, place: impl Fn(Square) -> Square, swap: bool) -> Position {
    mapped_in(*position.game(), position, place, swap)
}

/// The position with its stones elsewhere, or with the colours swapped.
fn mapped_in(game: Game, position: &Position, place: impl Fn(Square) -> Square, swap: bool) -> Position {
    let mut cells = vec![Cell::Empty; game.cells()];
    for square in game.squares() {
        let there = place(square);
        let index = usize::from(there.row()) * usize::from(game.columns()) + usize::from(there.column());
        cells[index] = position.board().cell(square);
    }
    let rows: Vec<String> = cells
        .chunks(usize::from(game.columns()))
        .rev()
        .map(|row| {
            let mut text = String::new();
            for run in row.chunk_by(|one, next| *one == Cell::Empty && *next == Cell::Empty) {
                match run[0] {
                    Cell::Stone(color) => text.push(if swap { !color } else { color }.letter()),
                    _ => text.push_str(&run.len().to_string()),
                }
            }
            text
        })
        .collect();
    let side = position.board().side();
    let side = if swap { !side } else { side };
    parse_fen(&format!("{} {}", rows.join("/"), side.letter()), game).unwrap()
}
