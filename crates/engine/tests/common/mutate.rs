//! Programs with one statement or condition changed.

use std::fmt;

/// What a change does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Change {
    /// A test of a pointer against null comes out as if it were not null.
    NullCheck,
    /// A store to memory is dropped.
    Store,
    /// A call of `free` is dropped.
    Free,
    /// Two neighbouring statements are swapped.
    Swap,
    /// An assignment to a variable is dropped.
    Assignment,
    /// Another statement is dropped: a call, a declaration, a jump.
    Statement,
    /// A condition of an `if` is negated or fixed.
    Condition,
}

impl Change {
    /// All of them.
    pub const ALL: [Change; 7] = [
        Change::NullCheck,
        Change::Store,
        Change::Free,
        Change::Swap,
        Change::Assignment,
        Change::Statement,
        Change::Condition,
    ];
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Change::NullCheck => "null check dropped",
            Change::Store => "store dropped",
            Change::Free => "free dropped",
            Change::Swap => "statements swapped",
            Change::Assignment => "assignment dropped",
            Change::Statement => "other statement dropped",
            Change::Condition => "condition changed",
        })
    }
}

/// A changed text.
pub struct Mutant {
    pub change: Change,
    /// The line in the file as written.
    pub line: usize,
    pub what: String,
    pub text: String,
}

/// Lines of a preprocessed text that come from the file itself: their index, and their number there.
fn own_lines(text: &str, name: &str) -> Vec<(usize, usize)> {
    let mut own = false;
    let mut number = 0;
    let mut found = Vec::new();
    for (i, line) in text.lines().enumerate() {
        if let Some(marker) = line.strip_prefix("# ") {
            own = marker.split('"').nth(1) == Some(name);
            number = marker.split(' ').next().and_then(|n| n.parse().ok()).unwrap_or(0);
            continue;
        }
        if own {
            found.push((i, number));
        }
        number += 1;
    }
    found
}

fn is_statement(line: &str) -> bool {
    let t = line.trim();
    t.ends_with(';')
        && t.len() > 1
        && !["return", "extern", "typedef", "}", "for"].iter().any(|k| t.starts_with(k))
}

/// What dropping a statement does.
fn dropping(statement: &str) -> Change {
    if statement.trim_start().starts_with("free(") {
        return Change::Free;
    }
    match statement.split_once(" = ") {
        Some((left, _)) if left.contains("->") || left.contains(['*', '[', '.']) && !declares(left) => {
            Change::Store
        }
        Some(_) => Change::Assignment,
        None => Change::Statement,
    }
}

/// Whether the left side of an assignment declares a variable: `struct node *p`, `int a[3]`.
fn declares(left: &str) -> bool {
    let mut words = left.split_whitespace();
    let first = words.next().unwrap_or("");
    words.next().is_some() && first.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Start and end of the condition after the first `keyword (` in a line.
fn condition(line: &str, keyword: &str) -> Option<(usize, usize)> {
    let start = line.find(&format!("{keyword} ("))? + keyword.len() + 2;
    let mut depth = 1;
    for (i, c) in line.get(start..)?.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some((start, start + i));
        }
    }
    None
}

/// The parts of a condition between `&&` and `||` outside of parentheses, by their place.
fn parts(condition: &str) -> Vec<(usize, usize)> {
    let (mut depth, mut start, mut found) = (0, 0, Vec::new());
    let bytes = condition.as_bytes();
    for (i, c) in bytes.iter().enumerate() {
        match c {
            b'(' => depth += 1,
            b')' => depth -= 1,
            b'&' | b'|' if depth == 0 && bytes.get(i + 1) == Some(c) => found.push((start, i)),
            b'&' | b'|' if depth == 0 && i > 0 && bytes[i - 1] == *c => start = i + 1,
            _ => {}
        }
    }
    found.push((start, bytes.len()));
    found
}

/// The name of what a test of a pointer looks at, and whether the test holds if it is not null.
fn null_test(part: &str) -> Option<(&str, bool)> {
    const NULL: &str = "((void *)0)";
    let part = part.trim();
    let (path, holds) = if let Some(path) = part.strip_prefix('!') {
        (path, false)
    } else if let Some((path, _)) = part.split_once(" == ").filter(|(_, r)| [NULL, "0"].contains(&r.trim())) {
        (path, false)
    } else if let Some((path, _)) = part.split_once(" != ").filter(|(_, r)| [NULL, "0"].contains(&r.trim())) {
        (path, true)
    } else {
        (part, true)
    };
    let plain = |c: char| c.is_alphanumeric() || "_->.".contains(c);
    let name = path.rsplit(['>', '.']).next()?;
    (!name.is_empty() && path.chars().all(plain) && !path.starts_with(|c: char| c.is_ascii_digit()))
        .then_some((name, holds))
}

/// All mutants of a preprocessed text.
pub fn mutants(text: &str, name: &str) -> Vec<Mutant> {
    let lines: Vec<&str> = text.lines().collect();
    let own = own_lines(text, name);
    let mut found = Vec::new();
    let with = |at: usize, new: &str, also: Option<(usize, &str)>| {
        let mut changed = lines.clone();
        changed[at] = new;
        if let Some((at, new)) = also {
            changed[at] = new;
        }
        changed.join("\n")
    };
    // Names that are declared, or used, with a star before them are taken for pointers.
    let pointer = |name: &str| own.iter().any(|(i, _)| lines[*i].contains(&format!("*{name}")));
    for (k, &(i, number)) in own.iter().enumerate() {
        let line = lines[i];
        let mut add = |change, what, text| found.push(Mutant { change, line: number, what, text });
        if is_statement(line) {
            add(dropping(line), format!("drop `{}`", line.trim()), with(i, ";", None));
            if let Some(&(j, _)) = own.get(k + 1)
                && is_statement(lines[j])
            {
                let what = format!("swap `{}` and `{}`", line.trim(), lines[j].trim());
                add(Change::Swap, what, with(i, lines[j], Some((j, line))));
            }
        }
        for keyword in ["if", "while"] {
            let Some((from, to)) = condition(line, keyword) else { continue };
            let (before, cond, after) = (&line[..from], &line[from..to], &line[to..]);
            for (a, b) in parts(cond) {
                let Some((name, holds)) = null_test(&cond[a..b]) else { continue };
                if !pointer(name) {
                    continue;
                }
                let fixed = u8::from(holds);
                let new = format!("{before}{}{fixed}{}{after}", &cond[..a], &cond[b..]);
                let what = format!("`{}` with `{}` taken for {fixed}", line.trim(), cond[a..b].trim());
                add(Change::NullCheck, what, with(i, &new, None));
            }
            if keyword == "while" {
                continue;
            }
            for new in [format!("!({cond})"), "1".to_owned(), "0".to_owned()] {
                let what = format!("`{}` with condition {new}", line.trim());
                add(Change::Condition, what, with(i, &format!("{before}{new}{after}"), None));
            }
        }
    }
    // The same text may come about in two ways.
    let mut seen = std::collections::HashSet::new();
    found.retain(|m| seen.insert(m.text.clone()));
    found
}
