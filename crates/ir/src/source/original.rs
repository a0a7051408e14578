//! From preprocessed lines back to the lines that the user wrote.
//!
//! The preprocessor keeps lines but not columns: it expands macros, drops comments and shrinks white space. What
//! a line of the user's file became is compared with that line, token by token (longest common subsequence). A
//! token that is in both has the column of the original; what only the preprocessed text holds comes from a macro,
//! and stands for the first token of the original that went missing there, which is the macro's name.
//!
//! Cost: the product of the numbers of tokens, with a cap beyond which only common ends are matched.

use std::sync::Arc;

/// A file as the user wrote it.
#[derive(Clone, Debug)]
pub(super) struct Original {
    text: Arc<str>,
    line_starts: Vec<u32>,
}

impl Original {
    pub(super) fn new(text: Arc<str>) -> Self {
        let line_starts = super::line_starts(&text);
        Original { text, line_starts }
    }

    /// All of it.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Line `number`, from 1, without its line end.
    pub(super) fn line(&self, number: u32) -> Option<&str> {
        let index = (number as usize).checked_sub(1)?;
        let lo = *self.line_starts.get(index)? as usize;
        let hi = self.line_starts.get(index + 1).map_or(self.text.len(), |&next| next as usize - 1);
        self.text.get(lo..hi).map(|line| line.trim_end_matches('\r'))
    }
}

/// A token: its first byte and the one after its last.
pub(super) type Token = (usize, usize);

/// Largest table of a comparison.
const MAX_CELLS: usize = 1 << 18;

/// The tokens of a line: words, literals and single characters; comments are left out.
pub(super) fn tokens(line: &str) -> Vec<Token> {
    let bytes = line.as_bytes();
    let at = |i: usize| bytes.get(i).copied().unwrap_or(0);
    let is_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'$' || b >= 0x80;
    let mut found = Vec::new();
    let mut i = 0;
    while i < bytes.len() {
        let start = i;
        match at(i) {
            b if b.is_ascii_whitespace() => {
                i += 1;
                continue;
            }
            b'/' if at(i + 1) == b'/' => break,
            b'/' if at(i + 1) == b'*' => {
                let rest = line.get(i + 2..).unwrap_or("");
                i += rest.find("*/").map_or(rest.len(), |n| n + 2) + 2;
                continue;
            }
            quote @ (b'"' | b'\'') => {
                i += 1;
                while i < bytes.len() && at(i) != quote {
                    i += if at(i) == b'\\' { 2 } else { 1 };
                }
                i = (i + 1).min(bytes.len());
            }
            b if is_word(b) => {
                while i < bytes.len() && is_word(at(i)) {
                    i += 1;
                }
            }
            _ => i += 1,
        }
        found.push((start, i));
    }
    found
}

/// For each token of the preprocessed text the index of the original token that it is, or that it comes from;
/// `true` says that it is the same.
pub(super) fn align(processed: &[&str], original: &[&str]) -> Vec<(Option<usize>, bool)> {
    let head = processed.iter().zip(original).take_while(|(a, b)| a == b).count();
    let (p, o) = (processed.get(head..).unwrap_or(&[]), original.get(head..).unwrap_or(&[]));
    let tail = p.iter().rev().zip(o.iter().rev()).take_while(|(a, b)| a == b).count();
    let (p, o) = (p.get(..p.len() - tail).unwrap_or(&[]), o.get(..o.len() - tail).unwrap_or(&[]));
    let mut same: Vec<Option<usize>> = (0..head).map(Some).collect();
    same.extend(common(p, o).into_iter().map(|m| m.map(|i| head + i)));
    same.extend((original.len() - tail..original.len()).map(Some));
    let calls = macro_calls(original, &same);
    // What comes from a macro stands where the first token between its neighbours went missing.
    let mut result = Vec::with_capacity(same.len());
    let mut next_original = 0;
    for (i, matched) in same.iter().enumerate() {
        match matched {
            Some(index) => {
                next_original = index + 1;
                // The punctuation of a macro call is gone; what looks like it belongs to the macro's text.
                let mark = original.get(*index).is_some_and(|t| {
                    t.starts_with(|c: char| c.is_ascii_punctuation() && !"_\"'".contains(c))
                });
                match calls.get(*index).copied().flatten().filter(|_| mark) {
                    Some(name) => result.push((Some(name), false)),
                    None => result.push((Some(*index), true)),
                }
            }
            None => {
                let end = same.get(i..).unwrap_or(&[]).iter().flatten().next().copied();
                let missing = next_original < end.unwrap_or(original.len());
                let index = if missing { Some(next_original) } else { next_original.checked_sub(1) };
                let index = index.filter(|&i| i < original.len());
                result.push((index.map(|i| calls.get(i).copied().flatten().unwrap_or(i)), false));
            }
        }
    }
    result
}

/// For each token inside the parentheses of a macro call the macro's name: a word that went missing.
fn macro_calls(original: &[&str], same: &[Option<usize>]) -> Vec<Option<usize>> {
    let mut kept = vec![false; original.len()];
    for &index in same.iter().flatten() {
        kept[index] = true;
    }
    let mut calls = vec![None; original.len()];
    for (name, word) in original.iter().enumerate() {
        let is_call = word.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && original.get(name + 1) == Some(&"(")
            && !kept[name]
            && calls[name].is_none();
        let mut depth = 0;
        for (inside, word) in original.iter().enumerate().skip(name + 1).take_while(|_| is_call) {
            calls[inside] = Some(name);
            depth += i32::from(*word == "(") - i32::from(*word == ")");
            if depth == 0 {
                break;
            }
        }
    }
    calls
}

/// A longest common subsequence: for each token of `p` its partner in `o`.
fn common(p: &[&str], o: &[&str]) -> Vec<Option<usize>> {
    let mut partner = vec![None; p.len()];
    let width = o.len() + 1;
    if p.is_empty() || o.is_empty() || (p.len() + 1).saturating_mul(width) > MAX_CELLS {
        return partner;
    }
    // `longest[i * width + j]`: of what is left from `p[i]` and `o[j]` on.
    let mut longest = vec![0u16; (p.len() + 1) * width];
    for (i, a) in p.iter().enumerate().rev() {
        for (j, b) in o.iter().enumerate().rev() {
            let at = i * width + j;
            longest[at] = if a == b {
                longest[at + width + 1].saturating_add(1)
            } else {
                longest[at + width].max(longest[at + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    while let (Some(a), Some(b)) = (p.get(i), o.get(j)) {
        let at = i * width + j;
        if a == b {
            partner[i] = Some(j);
            i += 1;
            j += 1;
        } else if longest[at + width] > longest[at + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    partner
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<&str> {
        tokens(line).into_iter().map(|(lo, hi)| &line[lo..hi]).collect()
    }

    #[test]
    fn comments_are_no_tokens_and_literals_are_one() {
        assert_eq!(
            words(r#"f/* a "b */(x_1, "a\"/*", 'c'); // "#),
            ["f", "(", "x_1", ",", r#""a\"/*""#, ",", "'c'", ")", ";"]
        );
        assert_eq!(words("\"open"), ["\"open"]);
        assert_eq!(words("/* open"), Vec::<&str>::new());
    }

    #[test]
    fn tokens_of_macros_stand_at_the_macro() {
        let (p, o) = (words("p = ((void *)0); q->n = 1;"), words("p = NULL; q->n = ONE;"));
        let aligned = align(&p, &o);
        let shown: Vec<(&str, &str, bool)> =
            p.iter().zip(&aligned).map(|(t, (i, same))| (*t, i.map_or("-", |i| o[i]), *same)).collect();
        assert_eq!(shown[2], ("(", "NULL", false));
        assert_eq!(shown[7], ("0", "NULL", false));
        assert_eq!(shown[10], ("q", "q", true));
        assert_eq!(shown[15], ("1", "ONE", false));
    }

    #[test]
    fn nothing_in_common() {
        assert_eq!(align(&["a"], &[]), [(None, false)]);
        assert_eq!(align(&["a"], &["F"]), [(Some(0), false)]);
        assert_eq!(align(&["f", "(", ")"], &["f", "(", "EMPTY", ")"]).last(), Some(&(Some(3), true)));
    }
}
