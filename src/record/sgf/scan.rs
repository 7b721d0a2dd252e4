//! The bytes of an SGF file to tokens.

use crate::record::fault::{Fault, Found};

/// A piece of an SGF file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// `(`
    Open,
    /// `)`
    Close,
    /// `;`
    Node,
    /// Capital letters, such as `AB`.
    Name(&'a str),
    /// What stands in brackets, as it is written.
    Value(&'a [u8]),
    /// The end of the file.
    End,
}

const SGF: &str = "SGF: '(;' at the beginning, then ';', names in capitals, values in '[]', '(' and ')'";

pub(super) struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Scanner<'a> {
    pub fn new(bytes: &'a [u8]) -> Scanner<'a> {
        let byte_order_mark = bytes.starts_with(b"\xef\xbb\xbf");
        Scanner { bytes, at: if byte_order_mark { 3 } else { 0 } }
    }

    /// The next token and the byte where it begins.
    pub fn next(&mut self) -> Found<(usize, Token<'a>)> {
        self.skip(u8::is_ascii_whitespace);
        let at = self.at;
        let Some(&byte) = self.bytes.get(at) else { return Ok((at, Token::End)) };
        self.at += 1;
        let token = match byte {
            b'(' => Token::Open,
            b')' => Token::Close,
            b';' => Token::Node,
            b'[' => Token::Value(self.value(at)?),
            b'A'..=b'Z' => {
                self.skip(u8::is_ascii_uppercase);
                Token::Name(std::str::from_utf8(self.text(at)).unwrap_or_default())
            }
            _ => return Err(Fault::unexpected(&[byte], SGF).at(at)),
        };
        Ok((at, token))
    }

    fn skip(&mut self, passes: impl Fn(&u8) -> bool) {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        self.at += rest.iter().take_while(|byte| passes(byte)).count();
    }

    /// From a byte to the present one.
    fn text(&self, from: usize) -> &'a [u8] {
        self.bytes.get(from..self.at).unwrap_or_default()
    }

    /// Up to the closing bracket; a backslash takes the meaning from the byte after it.
    fn value(&mut self, at: usize) -> Found<&'a [u8]> {
        let from = self.at;
        while let Some(&byte) = self.bytes.get(self.at) {
            if byte == b']' {
                let value = self.text(from);
                self.at += 1;
                return Ok(value);
            }
            self.at += if byte == b'\\' { 2 } else { 1 };
        }
        Err(Fault::Ends("']' after this '['").at(at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Token::*;

    #[test]
    fn a_file_falls_into_its_tokens() {
        let mut scanner = Scanner::new(b"\xef\xbb\xbf(;\n AB [a\\]b][]) ");
        let mut tokens = Vec::new();
        while tokens.last() != Some(&End) {
            tokens.push(scanner.next().unwrap().1);
        }
        assert_eq!(tokens, [Open, Node, Name("AB"), Value(b"a\\]b"), Value(b""), Close, End]);
        for text in ["[a", "[a\\]", "[a\\", "x", "\0", "\u{e9}"] {
            assert!(Scanner::new(text.as_bytes()).next().is_err(), "{text}");
        }
    }
}
