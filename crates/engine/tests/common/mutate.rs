//! Programs with one statement or condition changed.

/// Lines of a preprocessed text that come from the file itself.
fn own_lines(text: &str, name: &str) -> Vec<usize> {
    let mut own = false;
    let mut found = Vec::new();
    for (i, line) in text.lines().enumerate() {
        if let Some(marker) = line.strip_prefix("# ") {
            own = marker.split('"').nth(1) == Some(name);
        } else if own {
            found.push(i);
        }
    }
    found
}

fn is_statement(line: &str) -> bool {
    let t = line.trim();
    t.ends_with(';')
        && t.len() > 1
        && !["return", "extern", "typedef", "}", "for"].iter().any(|k| t.starts_with(k))
}

/// Start and end of the condition of the first `if` in a line.
fn condition(line: &str) -> Option<(usize, usize)> {
    let start = line.find("if (")? + 4;
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

/// All mutants of a text: what was done, and the new text.
pub fn mutants(text: &str, name: &str) -> Vec<(String, String)> {
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
    for (k, &i) in own.iter().enumerate() {
        let line = lines[i];
        if is_statement(line) {
            found.push((format!("drop `{}`", line.trim()), with(i, ";", None)));
            if let Some(&j) = own.get(k + 1)
                && is_statement(lines[j])
            {
                let what = format!("swap `{}` and `{}`", line.trim(), lines[j].trim());
                found.push((what, with(i, lines[j], Some((j, line)))));
            }
        }
        if let Some((from, to)) = condition(line) {
            let (before, cond, after) = (&line[..from], &line[from..to], &line[to..]);
            for new in [format!("!({cond})"), "1".to_owned(), "0".to_owned()] {
                let what = format!("`{}` with condition {new}", line.trim());
                found.push((what, with(i, &format!("{before}{new}{after}"), None)));
            }
        }
    }
    found
}
