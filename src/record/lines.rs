//! The lines of a file, with the byte at which each begins.

use std::borrow::Cow;

/// No line of a record is longer; what is beyond is not looked at.
const MAX_LINE: usize = 2048;

/// A line without blanks at its ends.
pub(super) struct Line<'a> {
    pub at: usize,
    /// Names in old encodings do no harm: bytes that are no UTF-8 become replacement characters.
    pub text: Cow<'a, str>,
}

/// The lines that are not empty.
pub(super) fn lines(bytes: &[u8]) -> impl Iterator<Item = Line<'_>> {
    let mut next = 0;
    bytes
        .split(|&byte| byte == b'\n')
        .map(move |line| {
            let at = next;
            next += line.len() + 1;
            let text = line.get(..MAX_LINE).unwrap_or(line);
            Line { at, text: String::from_utf8_lossy(text.trim_ascii()) }
        })
        .filter(|line| !line.text.is_empty())
}
