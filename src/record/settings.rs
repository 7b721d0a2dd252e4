//! A game in words, the same in every format: `variant=cfour columns=7 rows=6 line=4 gravity=true overline=wins`.
//!
//! `overline` says `renju`, `caro` or `caro-wins` where the variant gives it a meaning of its own.

use crate::rules::{Game, Overline, Variant, shown};
use std::fmt;

/// Why words do not describe a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingsError {
    /// A word that says nothing.
    Word(String),
    /// A setting is missing.
    Missing(&'static str),
    /// A value that a setting cannot have.
    Value(&'static str, String),
}

const KEYS: [&str; 6] = ["variant", "columns", "rows", "line", "gravity", "overline"];

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SettingsError::Word(word) => write!(f, "'{word}'; expected {}=...", KEYS.join("=..., ")),
            SettingsError::Missing(key) => write!(f, "there is no {key}=...; expected {}=...", KEYS.join("=..., ")),
            SettingsError::Value(key, value) => {
                let names = || Variant::ALL.map(Variant::name).join(", ");
                let expected = match *key {
                    "variant" => format!("one of: {}", names()),
                    "line" => format!("a number from {} to {}", Game::LINES.start(), Game::LINES.end()),
                    "gravity" => "true or false".into(),
                    "overline" => "wins, nothing, or what the variant has: renju, caro, caro-wins".into(),
                    _ => "a number from 1 to 26".into(),
                };
                write!(f, "{key} '{value}'; expected {expected}")
            }
        }
    }
}

impl std::error::Error for SettingsError {}

/// Writes a game.
pub fn format_settings(game: &Game) -> String {
    format!(
        "variant={} columns={} rows={} line={} gravity={} overline={}",
        game.variant().name(),
        game.columns(),
        game.rows(),
        game.line(),
        game.gravity(),
        overline_name(game)
    )
}

fn overline_name(game: &Game) -> &'static str {
    match (game.variant(), game.overline()) {
        (Variant::Renju, Overline::Nothing) => "renju",
        (Variant::Caro, Overline::Nothing) => "caro",
        (Variant::Caro, Overline::Wins) => "caro-wins",
        (_, overline) => overline.name(),
    }
}

/// Reads a game. Every setting must be there.
///
/// # Errors
/// The words do not describe a game.
pub fn parse_settings(text: &str) -> Result<Game, SettingsError> {
    let mut values = [None; KEYS.len()];
    for word in text.split_ascii_whitespace() {
        let found = word.split_once('=').and_then(|(key, value)| Some((KEYS.iter().position(|k| *k == key)?, value)));
        let place = found.and_then(|(at, value)| Some((values.get_mut(at)?, value)));
        let Some((place @ None, value)) = place else { return Err(SettingsError::Word(shown(word))) };
        *place = Some(value);
    }
    let value = |key: &'static str| {
        let at = KEYS.iter().position(|known| *known == key);
        let value = at.and_then(|at| values.get(at).copied().flatten());
        value.ok_or(SettingsError::Missing(key))
    };
    let bad = |key| move |value: &str| SettingsError::Value(key, shown(value));
    let number = |key| value(key).and_then(|text| text.parse::<u8>().map_err(|_| bad(key)(text)));
    let name = value("variant")?;
    let variant = Variant::from_name(name).ok_or_else(|| bad("variant")(name))?;
    let (columns, rows, line) = (number("columns")?, number("rows")?, number("line")?);
    let gravity = value("gravity")?;
    let gravity = gravity.parse().map_err(|_| bad("gravity")(gravity))?;
    let game = Game::new(variant).with_gravity(gravity);
    let game = game.with_columns(columns).map_err(|_| bad("columns")(&columns.to_string()))?;
    let game = game.with_rows(rows).map_err(|_| bad("rows")(&rows.to_string()))?;
    let game = game.with_line(line).map_err(|_| bad("line")(&line.to_string()))?;
    let overline = value("overline")?;
    let mut games = Overline::ALL.into_iter().map(|overline| game.with_overline(overline));
    let named = games.find(|game| overline_name(game) == overline);
    // The plain names are understood of every variant.
    let plain = || Overline::from_name(overline).map(|overline| game.with_overline(overline));
    named.or_else(plain).ok_or_else(|| bad("overline")(overline))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_is_read_as_it_is_written() {
        for variant in Variant::ALL {
            for overline in Overline::ALL {
                let game = Game::new(variant).with_overline(overline).with_columns(9).unwrap().with_gravity(true);
                assert_eq!(parse_settings(&format_settings(&game)), Ok(game));
            }
        }
        let caro = Game::new(Variant::Caro);
        assert_eq!(format_settings(&caro), "variant=caro columns=15 rows=15 line=5 gravity=false overline=caro");
        assert_eq!(parse_settings("overline=nothing gravity=false line=5 rows=15 columns=15 variant=CARO"), Ok(caro));
    }

    #[test]
    fn what_describes_no_game_is_refused_with_the_reason() {
        use SettingsError::*;
        let read = |variant: &str, columns: &str, rest: &str| {
            parse_settings(&format!("variant={variant} columns={columns} rows=6 line=4 {rest}"))
        };
        assert_eq!(read("chess", "7", "gravity=true overline=wins"), Err(Value("variant", "chess".into())));
        assert_eq!(read("cfour", "27", "gravity=true overline=wins"), Err(Value("columns", "27".into())));
        assert_eq!(read("cfour", "999", "gravity=true overline=wins"), Err(Value("columns", "999".into())));
        assert_eq!(read("cfour", "7", "gravity=yes overline=wins"), Err(Value("gravity", "yes".into())));
        assert_eq!(read("cfour", "7", "gravity=true overline=caro"), Err(Value("overline", "caro".into())));
        assert_eq!(read("cfour", "7", "gravity=true"), Err(Missing("overline")));
        assert_eq!(read("cfour", "7", "gravity=true overline=wins rows=6"), Err(Word("rows=6".into())));
        assert_eq!(read("cfour", "7", "x"), Err(Word("x".into())));
    }
}
