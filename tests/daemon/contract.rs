//! Every example in `protocol.md` is run: what `>` sends must be answered by what `<` says, and by nothing else.

use crate::client::Client;

/// The examples: the lines of each fenced block that begins with `>`.
fn examples(text: &str) -> Vec<(usize, Vec<&str>)> {
    let mut blocks = Vec::new();
    let mut open: Option<(usize, Vec<&str>)> = None;
    for (number, line) in (1..).zip(text.lines()) {
        match (&mut open, line.starts_with("```")) {
            (None, true) => open = Some((number, Vec::new())),
            (Some(_), true) => blocks.extend(open.take()),
            (Some((_, lines)), false) => lines.push(line),
            (None, false) => {}
        }
    }
    blocks.retain(|(_, lines)| lines.first().is_some_and(|line| line.starts_with('>')));
    blocks
}

/// Whether a line is what `pattern` says, `...` standing for any text.
fn matches(pattern: &str, line: &str) -> bool {
    let mut parts = pattern.split("...");
    let Some(mut rest) = line.strip_prefix(parts.next().unwrap_or("")) else { return false };
    let parts: Vec<&str> = parts.collect();
    for (at, part) in parts.iter().enumerate() {
        if at + 1 == parts.len() {
            return rest.ends_with(part);
        }
        let Some(found) = rest.find(part) else { return false };
        rest = &rest[found + part.len()..];
    }
    rest.is_empty()
}

fn run(number: usize, lines: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let mut client = Client::start_in(folder.path());
    let mut anything = false;
    for expected in lines {
        if let Some(sent) = expected.strip_prefix("> ") {
            client.send(sent);
        } else if *expected == "..." {
            anything = true;
        } else {
            let pattern = expected.strip_prefix("< ").unwrap_or_else(|| panic!("line '{expected}' in an example"));
            loop {
                match client.line() {
                    Some(line) if matches(pattern, &line) => break,
                    Some(_) if anything => {}
                    other => client.fail(&format!("protocol.md:{number}: expected '{pattern}', got {other:?}")),
                }
            }
            anything = false;
        }
    }
    let rest = client.close();
    assert!(anything || rest.is_empty(), "protocol.md:{number}: more than expected: {rest:?}");
}

#[test]
fn every_example_of_the_protocol_is_true() {
    let text = std::fs::read_to_string("protocol.md").unwrap();
    let examples = examples(&text);
    assert!(examples.len() >= 15, "the examples were not found");
    for (number, lines) in examples {
        run(number, &lines);
    }
}

#[test]
fn the_document_names_every_option_and_every_command_of_help() {
    let text = std::fs::read_to_string("protocol.md").unwrap();
    let mut client = Client::start();
    for line in client.ask("uci", "uciok").iter().filter(|line| line.starts_with("option")) {
        assert!(text.contains(line.split(" default").next().unwrap()), "{line}");
    }
    client.send("help");
    for line in client.close() {
        let word = line.split([' ', ',']).next().unwrap();
        assert!(word.is_empty() || text.contains(&format!("`{word}")), "{line}");
    }
}

#[test]
fn patterns_match_what_they_say() {
    assert!(matches("info depth 1 ...", "info depth 1 seldepth 1"));
    assert!(matches("a ... b ... c", "a x b y c"));
    assert!(matches("bestmove h8", "bestmove h8"));
    assert!(!matches("bestmove h8", "bestmove h8 ponder i9"));
    assert!(!matches("... c", "a b"));
}
