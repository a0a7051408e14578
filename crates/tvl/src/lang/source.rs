//! A preprocessor on tokens: `#include`, `#define` (with and without parameters, `##`), `#undef`, `#ifdef`, `#ifndef`,
//! `#if` with expressions (see [`super::condition`]), `#elif`, `#else`, `#endif`, `#error`.
//!
//! **Invariant:** the token list ends with one [`Kind::End`], so a parser can always look at a token.

pub use super::lex::{Kind, Token};
use super::{Includer, LangError, condition, lex::lex};
use rustc_hash::FxHashMap;
use std::rc::Rc;

#[derive(Clone)]
struct Macro {
    params: Option<Vec<String>>,
    body: Vec<Token>,
}

/// Nesting of includes and of macro expansions beyond which the input is refused.
const MAX_DEPTH: usize = 64;
/// Tokens after preprocessing beyond which the input is refused.
const MAX_TOKENS: usize = 4_000_000;

struct Preprocessor<'a, 'b> {
    macros: FxHashMap<String, Macro>,
    include: &'a mut Includer<'b>,
    output: Vec<Token>,
    /// Macros whose bodies are being expanded: inside of these they stand for themselves.
    expanding: Vec<String>,
}

/// The preprocessed tokens of a file.
pub fn tokens(file: &str, text: &str, include: &mut Includer<'_>) -> Result<Vec<Token>, LangError> {
    let mut p =
        Preprocessor { macros: FxHashMap::default(), include, output: Vec::new(), expanding: Vec::new() };
    let end = p.file(&Rc::from(file), text, 0)?;
    p.output.push(end);
    Ok(spelled_apart(p.output))
}

/// Joins what TVLA reads as one token also with a blank inside: `- >`, `< - >` and `1 / 2`.
fn spelled_apart(tokens: Vec<Token>) -> Vec<Token> {
    const JOINED: [(&[&str], &str); 4] =
        [(&["<", "-", ">"], "<->"), (&["<", "->"], "<->"), (&["-", ">"], "->"), (&["1", "/", "2"], "1/2")];
    let reads = |t: &Token, s: &str| match &t.kind {
        Kind::Symbol(symbol) => *symbol == s,
        Kind::Number(n) => n == s,
        _ => false,
    };
    let (mut out, mut rest) = (Vec::with_capacity(tokens.len()), &tokens[..]);
    while let Some(first) = rest.first() {
        let found = JOINED.iter().find(|(parts, _)| {
            rest.len() >= parts.len() && parts.iter().zip(rest).all(|(part, token)| reads(token, part))
        });
        let mut token = first.clone();
        if let Some((_, whole)) = found {
            token.kind = if *whole == "1/2" { Kind::Number(whole.to_string()) } else { Kind::Symbol(whole) };
        }
        out.push(token);
        rest = &rest[found.map_or(1, |(parts, _)| parts.len())..];
    }
    out
}

/// An open conditional.
struct Open {
    /// Whether the current branch is read.
    taken: bool,
    /// Whether some branch was read already.
    done: bool,
    /// Whether what is around it is read.
    outside: bool,
    /// Where it opened.
    at: Token,
}

impl Preprocessor<'_, '_> {
    fn file(&mut self, name: &Rc<str>, text: &str, depth: usize) -> Result<Token, LangError> {
        let tokens = lex(name, text)?;
        let mut i = 0;
        let mut open: Vec<Open> = Vec::new();
        let mut run: Vec<Token> = Vec::new();
        loop {
            let Some(token) = tokens.get(i).cloned() else {
                return Err(LangError {
                    file: name.to_string(),
                    line: 1,
                    column: 1,
                    message: "empty token list".into(),
                });
            };
            let active = open.last().is_none_or(|o| o.taken && o.outside);
            if token.kind == Kind::End {
                self.expand(&std::mem::take(&mut run), 0)?;
                if let Some(o) = open.last() {
                    return Err(o.at.error("this conditional has no `#endif`"));
                }
                return Ok(token);
            }
            if !(token.first && token.kind == Kind::Symbol("#")) {
                if active {
                    run.push(token);
                }
                i += 1;
                continue;
            }
            self.expand(&std::mem::take(&mut run), 0)?;
            let mut end = i + 1;
            while tokens.get(end).is_some_and(|t| !t.first && t.kind != Kind::End) {
                end += 1;
            }
            let line = &tokens[i + 1..end];
            i = end;
            self.directive(name, &token, line, active, &mut open, depth)?;
        }
    }

    fn directive(
        &mut self,
        file: &Rc<str>,
        hash: &Token,
        line: &[Token],
        active: bool,
        open: &mut Vec<Open>,
        depth: usize,
    ) -> Result<(), LangError> {
        let word = |k: usize| match line.get(k).map(|t| &t.kind) {
            Some(Kind::Ident(s)) => Some(s.as_str()),
            _ => None,
        };
        let name = |k: usize| word(k).map(str::to_string).ok_or_else(|| hash.error("expected a name here"));
        match word(0) {
            Some(kind @ ("ifdef" | "ifndef" | "if")) => {
                // What is not read need not make sense.
                let taken = active
                    && match kind {
                        "if" => self.condition(hash, &line[1..])?,
                        _ => self.macros.contains_key(&name(1)?) == (kind == "ifdef"),
                    };
                open.push(Open { taken, done: taken, outside: active, at: hash.clone() });
            }
            Some(kind @ ("elif" | "else")) => {
                let Some(o) = open.last() else { return Err(hash.error(format!("`#{kind}` without `#if`"))) };
                let wanted = o.outside && !o.done;
                let taken = wanted && (kind == "else" || self.condition(hash, &line[1..])?);
                if let Some(o) = open.last_mut() {
                    (o.taken, o.done) = (taken, o.done || taken);
                }
            }
            Some("endif") => {
                open.pop().ok_or_else(|| hash.error("`#endif` without `#if`"))?;
            }
            _ if !active => {}
            Some("define") => {
                let macro_name = name(1)?;
                let mut body = 2;
                let mut params = None;
                if line.get(2).is_some_and(|t| t.kind == Kind::Symbol("(") && !t.spaced) {
                    let mut names = Vec::new();
                    body = 3;
                    while let Some(t) = line.get(body) {
                        body += 1;
                        match &t.kind {
                            Kind::Ident(s) => names.push(s.clone()),
                            Kind::Symbol(",") => {}
                            Kind::Symbol(")") => break,
                            _ => return Err(t.error("expected a parameter name, `,` or `)`")),
                        }
                    }
                    params = Some(names);
                }
                self.macros.insert(macro_name, Macro { params, body: line[body.min(line.len())..].to_vec() });
            }
            Some("undef") => {
                self.macros.remove(&name(1)?);
            }
            Some("include") => {
                let wanted = match line.get(1).map(|t| &t.kind) {
                    Some(Kind::Str(s)) => s.clone(),
                    Some(Kind::Symbol("<")) => {
                        let name = line[2..].iter().take_while(|t| t.kind != Kind::Symbol(">"));
                        name.map(|t| t.describe().replace('`', "")).collect()
                    }
                    _ => return Err(hash.error("expected a file name in quotes after `#include`")),
                };
                if depth >= MAX_DEPTH {
                    return Err(hash.error("includes are nested too deeply"));
                }
                // Both kinds of slashes are in use.
                let (path, text) = (self.include)(&wanted.replace('\\', "/"), file)
                    .map_err(|e| hash.error(format!("cannot include \"{wanted}\": {e}")))?;
                self.file(&Rc::from(path.as_str()), &text, depth + 1)?;
            }
            Some("line" | "pragma" | "warning") => {}
            Some("error") => {
                let words: Vec<String> = line[1..].iter().map(|t| t.describe().replace('`', "")).collect();
                return Err(hash.error(format!("#error {}", words.join(" "))));
            }
            Some(other) => return Err(hash.error(format!("unknown directive `#{other}`"))),
            // `# 12 "file"` as printed by a C preprocessor.
            None => {}
        }
        Ok(())
    }

    /// The value of an `#if` line: macros are expanded, except after `defined`.
    fn condition(&mut self, hash: &Token, line: &[Token]) -> Result<bool, LangError> {
        let (mut tokens, mut i) = (Vec::new(), 0);
        let is = |t: Option<&Token>, s: &str| t.is_some_and(|t| t.describe() == format!("`{s}`"));
        while let Some(token) = line.get(i) {
            i += 1;
            if is(Some(token), "defined") {
                let open = is(line.get(i), "(");
                let Some(Kind::Ident(name)) = line.get(i + usize::from(open)).map(|t| &t.kind) else {
                    return Err(hash.error("expected a name after `defined`"));
                };
                i += if open { 3 } else { 1 };
                let value = u8::from(self.macros.contains_key(name)).to_string();
                tokens.push(Token { kind: Kind::Number(value), ..token.clone() });
                continue;
            }
            let start = self.output.len();
            // A macro with parameters takes the rest of the line to find them.
            if matches!(&token.kind, Kind::Ident(s) if self.macros.get(s).is_some_and(|m| m.params.is_some()))
            {
                self.expand(&line[i - 1..], 0)?;
                i = line.len();
            } else {
                self.expand(std::slice::from_ref(token), 0)?;
            }
            tokens.extend(self.output.drain(start..));
        }
        condition::value(hash, &tokens).map(|v| v != 0)
    }

    fn expand(&mut self, tokens: &[Token], depth: usize) -> Result<(), LangError> {
        let mut i = 0;
        while let Some(token) = tokens.get(i) {
            i += 1;
            let found = match &token.kind {
                Kind::Ident(s) if !self.expanding.contains(s) => self.macros.get(s).cloned(),
                _ => None,
            };
            let Some(m) = found else {
                if let Kind::Bad(why) = &token.kind {
                    return Err(token.error(why.clone()));
                }
                if self.output.len() >= MAX_TOKENS {
                    return Err(token.error("the input is too large after macro expansion"));
                }
                self.output.push(token.clone());
                continue;
            };
            if depth >= MAX_DEPTH {
                return Err(token.error(format!("macro {} expands without end", token.describe())));
            }
            let mut body = m.body.clone();
            if let Some(params) = &m.params {
                if tokens.get(i).map(|t| &t.kind) != Some(&Kind::Symbol("(")) {
                    self.output.push(token.clone());
                    continue;
                }
                let (args, next) = arguments(token, tokens, i + 1)?;
                i = next;
                if args.len() != params.len() && !(params.is_empty() && args.iter().all(Vec::is_empty)) {
                    return Err(token.error(format!(
                        "macro {} takes {} arguments, {} given",
                        token.describe(),
                        params.len(),
                        args.len()
                    )));
                }
                body = self.filled_in(&body, params, &args, depth)?;
            }
            paste(&mut body);
            // Positions of an expansion are those of its use: that is where a reader looks.
            for t in &mut body {
                (t.file, t.line, t.column) = (Rc::clone(&token.file), token.line, token.column);
            }
            if let Kind::Ident(name) = &token.kind {
                self.expanding.push(name.clone());
            }
            self.expand(&body, depth + 1)?;
            self.expanding.pop();
        }
        Ok(())
    }

    /// The body of a macro with its arguments, which are expanded first unless `##` joins them to something.
    fn filled_in(
        &mut self,
        body: &[Token],
        params: &[String],
        args: &[Vec<Token>],
        depth: usize,
    ) -> Result<Vec<Token>, LangError> {
        let joins =
            |at: Option<usize>| at.and_then(|at| body.get(at)).is_some_and(|t| t.kind == Kind::Symbol("##"));
        let mut filled = Vec::new();
        for (at, token) in body.iter().enumerate() {
            let param = match &token.kind {
                Kind::Ident(s) => params.iter().position(|p| p == s),
                _ => None,
            };
            match param.and_then(|k| args.get(k)) {
                None => filled.push(token.clone()),
                Some(arg) if joins(at.checked_sub(1)) || joins(Some(at + 1)) => {
                    filled.extend(arg.iter().cloned())
                }
                Some(arg) => {
                    let start = self.output.len();
                    self.expand(arg, depth + 1)?;
                    filled.extend(self.output.drain(start..));
                }
            }
        }
        Ok(filled)
    }
}

/// Joins the neighbours of `##` to one name.
fn paste(body: &mut Vec<Token>) {
    while let Some(at) = body.iter().position(|t| t.kind == Kind::Symbol("##")) {
        let text = |t: Option<&Token>| match t.map(|t| &t.kind) {
            Some(Kind::Ident(s) | Kind::Number(s)) => s.clone(),
            _ => String::new(),
        };
        let joined = text(at.checked_sub(1).and_then(|i| body.get(i))) + &text(body.get(at + 1));
        let end = (at + 2).min(body.len());
        let token = Token { kind: Kind::Ident(joined), ..body[at].clone() };
        body.splice(at.saturating_sub(1)..end, [token]);
    }
}

fn arguments(name: &Token, tokens: &[Token], mut i: usize) -> Result<(Vec<Vec<Token>>, usize), LangError> {
    let mut args = vec![Vec::new()];
    let mut level = 0usize;
    while let Some(t) = tokens.get(i) {
        i += 1;
        match t.kind {
            Kind::Symbol(")") if level == 0 => return Ok((args, i)),
            Kind::Symbol(",") if level == 0 => {
                args.push(Vec::new());
                continue;
            }
            Kind::Symbol("(" | "{" | "[") => level += 1,
            Kind::Symbol(")" | "}" | "]") => level = level.saturating_sub(1),
            _ => {}
        }
        if let Some(last) = args.last_mut() {
            last.push(t.clone());
        }
    }
    Err(name.error(format!("the arguments of macro {} are never closed", name.describe())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Result<Vec<String>, String> {
        let mut include = |name: &str, _: &str| match name {
            "inc" | "./inc" => Ok(("inc".to_string(), "included".to_string())),
            _ => Err("no such file".to_string()),
        };
        match tokens("t", text, &mut include) {
            Ok(ts) => Ok(ts.iter().take(ts.len() - 1).map(|t| t.describe().replace('`', "")).collect()),
            Err(e) => Err(e.to_string()),
        }
    }

    #[test]
    fn macros_conditionals_and_includes() {
        let text = "#define F(a, b) b a\n#define N 1/2\n#ifdef X\nno\n#else\nF(x(y, z), N)\n#endif\n#include \"inc\"\n";
        assert_eq!(words(text).unwrap().join(" "), "1/2 x ( y , z ) included");
        assert_eq!(words("a ==> b |/{ 1/2 } // c\n%% %p").unwrap().join(" "), "a ==> b | / { 1/2 } %% %p");
        assert_eq!(words("a - > b < - > 1 / 2; c").unwrap().join(" "), "a -> b <-> 1/2 c");
        assert_eq!(words("#define G(a) p_ ## a\nG(x) ##").unwrap().join(" "), "p_x ##");
    }

    #[test]
    fn conditions_are_expressions() {
        let chosen = |condition: &str| {
            let text = format!(
                "#define TWO 2\n#define ADD(a, b) (a + b)\n#if {condition}\nyes\n#else\nno\n#endif\n"
            );
            words(&text).unwrap().join(" ")
        };
        for holds in [
            "1",
            "TWO",
            "defined TWO && !defined(THREE)",
            "TWO == 2 || 1 / 0",
            "ADD(1, TWO) * 2 == 6",
            "-1 < 0 && 3 >= 3 && 3 <= 4 && 1 != 2",
            "UNKNOWN == 0",
            "(1 ? 2 : 3) == 2",
            "0x10 == 16 && 1L",
        ] {
            assert_eq!(chosen(holds), "yes", "{holds}");
        }
        for fails in ["0", "!TWO", "TWO > 2", "defined(THREE) || 1 - 1", "0 && 1 / 0"] {
            assert_eq!(chosen(fails), "no", "{fails}");
        }
        let branches = "#if 0\na\n#elif 1\nb\n#elif 1\nc\n#else\nd\n#endif";
        assert_eq!(words(branches).unwrap().join(" "), "b");
        assert_eq!(words("#if 0\n@ \"open\n#if nonsense(\n#endif\n#endif\nx").unwrap().join(" "), "x");
        assert!(words("#if 1 +\n#endif").unwrap_err().contains("expected a number"));
        assert!(words("#if 1 / 0\n#endif").unwrap_err().contains("division by zero"));
        assert!(words("#error no lists here").unwrap_err().contains("#error no lists here"));
    }

    #[test]
    fn lines_and_files_are_written_as_they_come() {
        assert_eq!(words("#define A x \\  \n y\nA").unwrap().join(" "), "x y");
        assert_eq!(words("#include \".\\inc\"").unwrap().join(" "), "included");
        assert_eq!(words("#include <inc>").unwrap().join(" "), "included");
        assert_eq!(words("a @ ' b").unwrap().join(" "), "a b");
        assert_eq!(words("%pset %px % \n %").unwrap().join(" "), "%pset %p x %%");
        assert_eq!(words("\"a\nb\" c").unwrap().join(" "), "\"a\nb\" c");
    }

    #[test]
    fn a_macro_stands_for_itself_in_its_own_body() {
        assert_eq!(words("#define A A\nA").unwrap().join(" "), "A");
        assert_eq!(words("#define A B\n#define B A\nA B").unwrap().join(" "), "A B");
        assert_eq!(words("#define F(x) (x)\nF(F(F(a)))").unwrap().join(" "), "( ( ( a ) ) )");
        assert_eq!(words("#define N n\n#define F(x) x ## 1 x\nF(N)").unwrap().join(" "), "N1 n");
    }

    #[test]
    fn mistakes_have_positions() {
        assert_eq!(words("a\n  \"b").unwrap_err(), "t:2:3: this string is never closed");
        assert_eq!(words("#include \"zz\"").unwrap_err(), "t:1:1: cannot include \"zz\": no such file");
        assert_eq!(words("\n#ifdef A\nb").unwrap_err(), "t:2:1: this conditional has no `#endif`");
        assert!(words("/* x").unwrap_err().contains("never closed"));
    }
}
