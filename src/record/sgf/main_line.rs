//! The main line of an SGF file: at each fork the first way, to the first end. The rest is only looked through.

use super::scan::{Scanner, Token};
use crate::record::fault::{Fault, Found};

/// What comes next in the main line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event<'a> {
    /// A node begins.
    Node,
    /// A value of a property of the node, at this byte.
    Value(&'a str, usize, &'a [u8]),
}

/// Walks through a file from its beginning to its end, and sees that it is whole. Nesting is only counted.
pub(super) struct MainLine<'a> {
    scanner: Scanner<'a>,
    last: Token<'a>,
    depth: usize,
    name: &'a str,
    ended: bool,
}

impl<'a> MainLine<'a> {
    pub fn new(bytes: &'a [u8]) -> MainLine<'a> {
        MainLine { scanner: Scanner::new(bytes), last: Token::End, depth: 0, name: "", ended: false }
    }

    /// The next event; `None` at the end of a whole file.
    pub fn next(&mut self) -> Found<Option<Event<'a>>> {
        loop {
            let token = self.token()?;
            match token {
                (_, Token::End) => return Ok(None),
                (_, Token::Close) => self.ended = true,
                (_, Token::Name(name)) => self.name = name,
                _ if self.ended => {}
                (_, Token::Node) => return Ok(Some(Event::Node)),
                (at, Token::Value(value)) => return Ok(Some(Event::Value(self.name, at, value))),
                (_, Token::Open) => {}
            }
        }
    }

    /// The next token, if it may follow the last one.
    fn token(&mut self) -> Found<(usize, Token<'a>)> {
        use Token::*;
        let (at, token) = self.scanner.next()?;
        let (fits, expected) = match self.last {
            End => (token == Open, "an SGF game, which begins '(;'"),
            Open => (token == Node, "';' after '('"),
            Node => (matches!(token, Name(_) | Node | Open | Close), "a property, ';', '(' or ')'"),
            Name(_) => (matches!(token, Value(_)), "'[' after the property's name"),
            Value(_) => (matches!(token, Value(_) | Name(_) | Node | Open | Close), "a property, ';', '(' or ')'"),
            Close if self.depth == 0 => (token == End, "nothing after the first game"),
            Close => (matches!(token, Open | Close), "'(' or ')'"),
        };
        if !fits {
            let fault = match token {
                Open => Fault::unexpected(b"(", expected),
                Close => Fault::unexpected(b")", expected),
                Node => Fault::unexpected(b";", expected),
                Name(name) => Fault::unexpected(name.as_bytes(), expected),
                Value(_) => Fault::unexpected(b"[", expected),
                End => Fault::Ends(expected),
            };
            return Err(fault.at(at));
        }
        match token {
            Open => self.depth += 1,
            Close => self.depth -= 1,
            _ => {}
        }
        self.last = token;
        Ok((at, token))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(text: &str) -> Found<String> {
        let mut line = MainLine::new(text.as_bytes());
        let mut seen = String::new();
        while let Some(event) = line.next()? {
            match event {
                Event::Node => seen.push(';'),
                Event::Value(name, _, value) => seen += &format!("{name}[{}]", String::from_utf8_lossy(value)),
            }
        }
        Ok(seen)
    }

    #[test]
    fn the_first_way_is_gone_to_the_first_end() {
        assert_eq!(events("(;A[1][2];B[3](;C[4](;D[5])(;E[6];F[7]))(;G[8]))\n"), Ok(";A[1]A[2];B[3];C[4];D[5]".into()));
        assert_eq!(events("(;)"), Ok(";".into()));
    }

    #[test]
    fn what_is_not_whole_is_refused() {
        let bad = [
            "",
            "x",
            "()",
            "(;",
            "(;A[1]",
            "(;A)",
            "(;A[1);",
            "((;))",
            "(;A[1]))",
            "(;)(;)",
            "(;[1])",
            "(A[1])",
            ";",
            "(;(;);)",
            "(;(;)A[1])",
            "(;A[1]) x",
            "(;A[1](;B[2])",
            "(;A[1](;B[2](;C)",
        ];
        for text in bad {
            assert!(events(text).is_err(), "{text}");
        }
    }

    #[test]
    fn nesting_costs_nothing() {
        let deep = "(;".repeat(1_000_000);
        assert!(events(&deep).is_err());
        assert_eq!(events(&(deep + &")".repeat(1_000_000))).map(|seen| seen.len()), Ok(1_000_000));
    }
}
