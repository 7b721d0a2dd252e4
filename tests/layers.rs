//! The arrows of the house: a room uses only the rooms below it, and only the upper ones print.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// What each room may use.
const ALLOWED: &[(&str, &[&str])] = &[
    ("units", &[]),
    ("memory", &[]),
    ("rules", &["units"]),
    ("record", &["units", "rules"]),
    ("eval", &["units", "rules"]),
    ("search", &["units", "memory", "rules", "eval"]),
    ("solver", &["units", "memory", "rules"]),
    ("tuning", &["units", "memory", "rules", "eval", "search"]),
    ("engine", &["units", "memory", "rules", "eval", "search", "solver"]),
    ("protocol", &["units", "rules", "record", "search", "solver", "engine"]),
    ("cli", &["units", "rules", "eval", "search", "solver", "tuning", "engine", "protocol"]),
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The room of a source file: its first folder below `src`, or its own name.
fn room(path: &Path) -> String {
    let inside = path.strip_prefix("src").unwrap();
    inside.components().next().unwrap().as_os_str().to_str().unwrap().trim_end_matches(".rs").to_owned()
}

/// The rooms that a file names as `crate::room`, be it in a list: `crate::{rules::.., units::..}`.
fn used(text: &str) -> Vec<String> {
    let word = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    text.match_indices("crate::")
        .flat_map(|(at, found)| {
            let rest = &text[at + found.len()..];
            match rest.strip_prefix('{') {
                Some(list) => list.split('}').next().unwrap().split(',').map(|item| word(item.trim())).collect(),
                None => vec![word(rest)],
            }
        })
        .collect()
}

#[test]
fn rooms_use_only_the_rooms_below_them() {
    let allowed: BTreeMap<_, _> = ALLOWED.iter().copied().collect();
    let mut files = Vec::new();
    sources(Path::new("src"), &mut files);
    assert!(files.len() > 30, "the sources were not found");
    for file in files {
        let room = room(&file);
        if room == "lib" || room == "main" {
            continue;
        }
        let rooms = allowed.get(room.as_str()).unwrap_or_else(|| panic!("{}: an unknown room", file.display()));
        for name in used(&fs::read_to_string(&file).unwrap()) {
            assert!(
                name == room || rooms.contains(&name.as_str()),
                "{}: {room} must not use crate::{name}",
                file.display()
            );
        }
    }
}

#[test]
fn the_arrow_finder_sees_single_paths_and_lists() {
    assert_eq!(used("use crate::rules::Board; use crate::{eval::Wins, units::Ply};"), ["rules", "eval", "units"]);
}
