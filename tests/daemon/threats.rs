//! What `threats` says of positions that were worked out by hand.

use crate::client::Client;

/// The answer in a variant after some more options.
fn threats(options: &[&str], position: &str) -> [String; 2] {
    let mut client = Client::start();
    for option in options {
        client.send(&format!("setoption name {option}"));
    }
    client.send(&format!("position {position}"));
    client.send("threats");
    client.send("isready");
    let lines = client.until("readyok");
    assert!(client.close().is_empty());
    let answer: Vec<String> = lines.into_iter().filter(|line| !line.starts_with("info string variant ")).collect();
    let [x, o, _ready] = <[String; 3]>::try_from(answer).unwrap();
    [x, o]
}

const RENJU: &str = "UCI_Variant value renju";

#[test]
fn threats_of_each_kind_are_named() {
    assert_eq!(threats(&[], "startpos"), ["threats x", "threats o"]);
    let four = "startpos moves h8 g8 i8 a1 j8 o1 k8 a15";
    assert_eq!(threats(&[], four), ["threats x win l8 four m8", "threats o"]);
    let three = "startpos moves h8 a1 i8 o15 j8 a15";
    assert_eq!(threats(&[], three), ["threats x open-four g8 k8 four f8 l8", "threats o"]);
    let two = "startpos moves a1 h8 o1 i9";
    assert_eq!(threats(&[], two), ["threats x", "threats o open-three f6 g7 j10 k11"]);
}

#[test]
fn threats_two_fours_at_once_are_an_open_four() {
    let corner = "fen 15/15/15/15/15/15/15/15/15/o14/15/x14/x14/x14/1xxx1o9 x";
    assert_eq!(threats(&[], corner), ["threats x open-four a1 four e1 a5", "threats o"]);
    // In renju that is a foul of Black, but not of White.
    assert_eq!(threats(&[RENJU], corner), ["threats x four e1 a5", "threats o"]);
    let swapped = "fen 15/15/15/15/15/15/15/15/15/x14/15/o14/o14/o14/1ooo1x9 x";
    assert_eq!(threats(&[RENJU], swapped), ["threats x", "threats o open-four a1 four e1 a5"]);
}

#[test]
fn threats_go_by_the_rule_of_the_overline() {
    let gap = "fen 15/15/15/15/15/15/15/4xxx1xx5/15/15/15/15/15/15/15 o";
    let [x, _] = threats(&["UCI_Variant value freestyle"], gap);
    assert!(x.starts_with("threats x win h8 "), "{x}");
    for variant in ["UCI_Variant value gomoku", RENJU] {
        assert_eq!(threats(&[variant], gap), ["threats x four c8 d8", "threats o"]);
    }
    // Caro: five between two stones of the other side are nothing.
    let closed = "fen 15/15/15/15/15/15/15/3oxx1xxo5/15/15/15/15/15/15/15 x";
    assert_eq!(threats(&["UCI_Variant value caro"], closed), ["threats x", "threats o"]);
    assert_eq!(threats(&[], closed), ["threats x win g8", "threats o"]);
}

#[test]
fn threats_leave_out_the_forbidden_points_whoever_is_to_move() {
    let crossing = "15/15/15/15/15/8x6/8x6/7x1x5/15/15/15/15/15/15/15";
    for side in ["x", "o"] {
        let [x, o] = threats(&[RENJU], &format!("fen {crossing} {side}"));
        assert_eq!(x, "threats x open-three f6 l6 g7 i7 k7 g8 k8 h10 j10 g11 i11 k11 i12");
        assert_eq!(o, "threats o");
    }
}

#[test]
fn threats_that_look_forbidden_and_are_not_are_named() {
    // On h8 two threes cross, but h11, the only cell to make a straight four of the upright one, is an overline.
    let crossing = "fen 15/15/15/15/4xxx1xx5/7x6o/7x6o/5xx8/15/7o7/15/15/15/15/15 x";
    let [x, _] = threats(&[RENJU], crossing);
    let cells: Vec<&str> = x.split(' ').collect();
    let at = |word: &str| cells.iter().position(|&cell| cell == word);
    assert!(at("h8") > at("open-three"), "{x}");
    assert_eq!(at("h11"), None, "{x}");
    // Alone that upright three is none.
    let alone = "fen 15/15/15/15/4xxx1xx5/7x6o/7x6o/15/15/7o7/15/15/15/15/15 x";
    let [x, _] = threats(&[RENJU], alone);
    assert!(!x.contains(" h8"), "{x}");
}

#[test]
fn threats_know_only_wins_in_other_games() {
    let cfour = "UCI_Variant value cfour";
    assert_eq!(threats(&[cfour], "startpos moves d1 a1 d2 a2 d3"), ["threats x win d4", "threats o"]);
    // The cells beside a row of three above the ground cannot be played yet.
    assert_eq!(threats(&[cfour], "fen 7/7/7/7/1xxx3/1oxo2o o"), ["threats x", "threats o"]);
    assert_eq!(threats(&[cfour], "fen 7/7/7/7/1xxx3/ooxox1o o"), ["threats x win a2 e2", "threats o"]);
    let both = "startpos moves a1 b1 a2 b2";
    assert_eq!(threats(&["UCI_Variant value tictactoe"], both), ["threats x win a3", "threats o win b3"]);
    // Five in a row on 36 cells.
    let six = ["Columns value 6", "Rows value 6"];
    assert_eq!(threats(&six, "fen 6/6/1xxx2/6/6/oooo2 x"), ["threats x", "threats o win e1"]);
}

#[test]
fn threats_reach_the_edges_of_small_and_large_boards() {
    let seven = ["Columns value 7", "Rows value 7"];
    let row = "fen 7/7/7/7/7/7/2xxx2 x";
    assert_eq!(threats(&seven, row), ["threats x open-four b1 f1 four a1 g1", "threats o"]);
    let large = ["Columns value 26", "Rows value 26"];
    let corner = format!("fen 21oxxx1/{}26 o", "26/".repeat(24));
    assert_eq!(threats(&large, &corner), ["threats x", "threats o"]);
    let corner = format!("fen 22xxx1/{}26 o", "26/".repeat(24));
    assert_eq!(threats(&large, &corner), ["threats x open-four v26 four u26 z26", "threats o"]);
}

#[test]
fn threats_end_with_the_game() {
    let over = "startpos moves h8 a1 i8 b1 j8 c1 k8 d1 l8";
    assert_eq!(threats(&[], over), ["threats x", "threats o"]);
}
