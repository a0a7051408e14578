//! TVS: structures given by their individuals and predicate values.
//!
//! What a structure does not mention is 0, instrumentation predicates too, as TVLA has it; or these are evaluated by
//! their definitions, if the caller asks for it ([`Unmentioned`]). Besides plain structures the output format of TVLA is
//! read: `%location name = { … }`, `%message "…"` before a structure, `%d = {"…"}`, commas between structures.

use super::LangError;
use super::build::Spec;
use super::names::joined;
use super::parse::Parser;
use super::source::{Kind, Token};
use crate::eval::Evaluator;
use crate::formula::MAX_VARS;
use crate::kleene::Kleene;
use crate::structure::Structure;
use crate::vocabulary::{Meaning, PredId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write as _;

/// What an instrumentation predicate is that a structure does not mention.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Unmentioned {
    /// 0, as a core predicate.
    #[default]
    Zero,
    /// What its definition says.
    Evaluate,
}

/// Reads all structures of a token list.
pub fn structures(
    spec: &Spec,
    tokens: &[Token],
    unmentioned: Unmentioned,
) -> Result<Vec<Structure>, LangError> {
    let mut result = Vec::new();
    let Some(mut p) = Parser::new(tokens) else { return Ok(result) };
    while !p.at_kind(&Kind::End) {
        if p.accept_directive("location") {
            p.location()?;
            p.expect("=")?;
            p.expect("{")?;
            while !p.accept("}") {
                result.push(structure(spec, &mut p, unmentioned)?);
                p.accept(",");
            }
        } else {
            result.push(structure(spec, &mut p, unmentioned)?);
            p.accept(",");
        }
    }
    Ok(result)
}

/// What may stand before the individuals of a structure: messages and a description.
fn preamble(p: &mut Parser<'_>) -> Result<(), LangError> {
    loop {
        let at = p.token();
        if p.accept_directive("message") {
            p.text()?;
        } else if p.accept_directive("d") {
            p.expect("=")?;
            p.expect("{")?;
            p.text()?;
            p.expect("}")?;
        } else if p.accept_directive("t") {
            p.expect("=")?;
            p.expect("{")?;
            if !p.accept("}") {
                return Err(at.error("programs with threads are not run"));
            }
        } else {
            return Ok(());
        }
    }
}

/// The name of an individual: `u`, `u.0`, `[u,v]`.
fn individual(p: &mut Parser<'_>) -> Result<String, LangError> {
    let mut name = if p.accept("[") {
        let mut parts = Vec::new();
        while !p.accept("]") {
            parts.push(individual(p)?);
            p.accept(",");
        }
        format!("[{}]", parts.join(","))
    } else {
        joined(&p.name("an individual or `}`")?)
    };
    while p.accept(".") {
        name.push('.');
        name.push_str(&p.ident("0 or 1")?);
    }
    Ok(name)
}

fn value(p: &mut Parser<'_>) -> Result<Kleene, LangError> {
    let Kind::Number(n) = &p.token().kind else { return p.expected("0, 1 or 1/2") };
    let value = match n.as_str() {
        "0" => Kleene::False,
        "1" => Kleene::True,
        "1/2" => Kleene::Unknown,
        _ => return p.expected("0, 1 or 1/2"),
    };
    p.advance();
    Ok(value)
}

fn structure(spec: &Spec, p: &mut Parser<'_>, unmentioned: Unmentioned) -> Result<Structure, LangError> {
    let voc = &spec.vocabulary;
    preamble(p)?;
    let start = p.token();
    if !p.accept_directive("n") {
        return p.expected("`%n`");
    }
    p.expect("=")?;
    p.expect("{")?;
    let mut nodes: FxHashMap<String, usize> = FxHashMap::default();
    let mut size = 0;
    while !p.accept("}") {
        // A name that is listed twice means the later individual.
        nodes.insert(individual(p)?, size);
        size += 1;
        p.accept(",");
    }
    let Some(mut s) = Structure::with_size(voc, size) else {
        return Err(start.error("a structure may have at most 64 individuals"));
    };
    let mut mentioned: FxHashSet<PredId> = FxHashSet::default();
    if p.accept_directive("p") {
        p.expect("=")?;
        p.expect("{")?;
        while !p.accept("}") {
            entry(spec, p, &nodes, &mut s, &mut mentioned)?;
            p.accept(",");
        }
    }
    if unmentioned == Unmentioned::Evaluate {
        derive(spec, &mut s, &mentioned);
    }
    Ok(s)
}

fn entry(
    spec: &Spec,
    p: &mut Parser<'_>,
    nodes: &FxHashMap<String, usize>,
    s: &mut Structure,
    mentioned: &mut FxHashSet<PredId>,
) -> Result<(), LangError> {
    let name = p.name("a predicate or `}`")?;
    let full = joined(&name);
    let pred = if full == "sm" { None } else { spec.vocabulary.lookup(&full) };
    let built_in =
        matches!(full.as_str(), "sm" | "ac" | "inac" | "ready" | "isthread" | "runnable" | "outside");
    if pred.is_none() && !built_in {
        return Err(name.at.error(format!("there is no predicate `{full}`")));
    }
    mentioned.extend(pred);
    let arity = pred.map_or(1, |id| spec.vocabulary.get(id).arity);
    p.expect("=")?;
    if !p.accept("{") {
        if arity != 0 {
            return p.expected(&format!("`{{`, because `{full}` has arguments"));
        }
        let v = value(p)?;
        if let Some(id) = pred {
            s.set_value(&spec.vocabulary, id, &[], v);
        }
        return Ok(());
    }
    while !p.accept("}") {
        let mut tuple = Vec::new();
        let at = p.token();
        let parenthesised = p.accept("(");
        loop {
            let here = p.token();
            let individual = individual(p)?;
            match nodes.get(&individual) {
                Some(&n) => tuple.push(n),
                None => return Err(here.error(format!("there is no individual `{individual}`"))),
            }
            if !p.accept(if parenthesised { "," } else { "->" }) {
                break;
            }
        }
        if parenthesised {
            p.expect(")")?;
        }
        if tuple.len() != arity {
            return Err(at.error(format!("`{full}` takes {arity} individuals, {} given", tuple.len())));
        }
        let v = if p.accept(":") { value(p)? } else { Kleene::True };
        match pred {
            Some(id) => s.set_value(&spec.vocabulary, id, &tuple, v),
            None if full == "sm" => tuple.iter().for_each(|&n| s.set_summary(n, v.may())),
            None if matches!(full.as_str(), "ac" | "inac") && v != Kleene::True => {
                return Err(at.error("an individual that may not be there is not read"));
            }
            // The program does not speak of this built-in predicate.
            None => {}
        }
        p.accept(",");
    }
    Ok(())
}

fn derive(spec: &Spec, s: &mut Structure, mentioned: &FxHashSet<PredId>) {
    let voc = &spec.vocabulary;
    for id in voc.ids() {
        let Meaning::Instrumentation { params, definition } = &voc.get(id).meaning else { continue };
        if mentioned.contains(&id) {
            continue;
        }
        let slot = voc.get(id).slot;
        let mut env = [0u8; MAX_VARS];
        match params[..] {
            [] => {
                let v = Evaluator::new(voc, s).closed(definition);
                s.set_nullary(slot, v);
            }
            [v] => {
                let lanes = Evaluator::new(voc, s).lanes(definition, &mut env, v);
                s.set_unary(slot, lanes);
            }
            [.., v] => {
                let p = voc.get(id);
                let rows: Vec<_> = (0..s.rows(p))
                    .map(|row| {
                        crate::wide::bind(params, row, s.size(), &mut env);
                        Evaluator::new(voc, s).lanes(definition, &mut env, v)
                    })
                    .collect();
                rows.into_iter().enumerate().for_each(|(row, lanes)| s.set_predicate_row(p, row, lanes));
            }
        }
    }
}

/// Writes a structure as TVS; what this prints, [`structures`] reads.
pub fn print(voc: &crate::vocabulary::Vocabulary, s: &Structure) -> String {
    let nodes: Vec<String> = (0..s.size()).map(|i| format!("u{i}")).collect();
    let mut out = format!("%n = {{{}}}\n%p = {{\n", nodes.join(", "));
    let suffix = |v: Kleene| if v == Kleene::Unknown { ":1/2" } else { "" };
    let summaries: Vec<String> =
        crate::kleene::lanes_of(s.summaries()).map(|i| format!("u{i}:1/2")).collect();
    if !summaries.is_empty() {
        let _ = writeln!(out, "    sm = {{{}}}", summaries.join(", "));
    }
    for id in voc.ids() {
        let p = voc.get(id);
        let mut entries = Vec::new();
        match p.arity {
            0 => {
                let v = s.value(voc, id, &[]);
                if v.may() {
                    let _ = writeln!(out, "    {} = {v}", p.name);
                }
                continue;
            }
            _ => {
                for (tuple, v) in s.tuples(p) {
                    let names: Vec<String> = tuple.iter().map(|u| format!("u{u}")).collect();
                    let tuple = match p.arity {
                        1 | 2 => names.join("->"),
                        _ => format!("({})", names.join(", ")),
                    };
                    entries.push(format!("{tuple}{}", suffix(v)));
                }
            }
        }
        let instrumentation = matches!(p.meaning, Meaning::Instrumentation { .. });
        if !entries.is_empty() || (instrumentation && s.size() > 0) {
            let _ = writeln!(out, "    {} = {{{}}}", p.name, entries.join(", "));
        }
    }
    out.push_str("}\n");
    out
}
