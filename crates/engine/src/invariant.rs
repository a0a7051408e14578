//! Loop invariants over program variables, as far as C can say them: bounds of integers, pointers that are null or not.
//!
//! They are read off the states recorded at loop heads, over all disjuncts and all calls: a fact is given if it holds in
//! each of them. What the states know of the heap is not expressible over variables and is left out.

use crate::report::Report;
use heapwise_heap::{Root, State, Val};
use heapwise_ir::{BlockId, Body, Cfg, FuncId, LocalId, Program, Span, Type, Wto};

/// A fact that holds whenever control is at a loop head.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopInvariant {
    /// The function.
    pub function: FuncId,
    /// The first thing the loop head evaluates.
    pub span: Span,
    /// The facts, as C expressions to be conjoined.
    pub facts: Vec<String>,
}

/// The invariants of all loops that the analysis reached; the report must hold states.
pub fn loop_invariants(program: &Program, report: &Report) -> Vec<LoopInvariant> {
    let mut found = Vec::new();
    for function in program.functions.indices() {
        let Some(body) = program.body(function) else { continue };
        let wto = Wto::new(&Cfg::new(body));
        for block in body.blocks.indices().filter(|b| wto.is_head(*b)) {
            let point = crate::report::Point { function, block, index: 0 };
            let Some(states) = report.states.get(&point) else { continue };
            let facts = facts(program, body, states);
            if !facts.is_empty() {
                found.push(LoopInvariant { function, span: head_span(body, block), facts });
            }
        }
    }
    found
}

fn head_span(body: &Body, block: BlockId) -> Span {
    let Some(block) = body.blocks.get(block) else { return Span::default() };
    block.statements.first().map_or(block.terminator.span, |s| s.span)
}

fn facts(program: &Program, body: &Body, states: &[State]) -> Vec<String> {
    let mut facts = Vec::new();
    for (id, local) in body.locals.iter_enumerated() {
        let Some(name) = local.name.as_deref() else { continue };
        // Of two variables with one name only one is meant, and which one depends on the scope.
        let same = body.locals.iter().filter(|l| l.name.as_deref() == Some(name)).count();
        if same > 1 {
            continue;
        }
        let values: Option<Vec<(&State, Val)>> =
            states.iter().map(|s| s.root(Root::Local(id)).map(|v| (s, v))).collect();
        let Some(values) = values.filter(|v| !v.is_empty() && v.iter().all(|(_, v)| !v.is_undef())) else {
            continue;
        };
        facts.extend(fact(program, body, id, name, &values));
    }
    facts
}

fn fact(program: &Program, body: &Body, id: LocalId, name: &str, values: &[(&State, Val)]) -> Option<String> {
    let ty = body.locals.get(id)?.ty;
    if let Type::Pointer(_) = program.types.get(ty) {
        if values.iter().all(|(_, v)| *v == Val::ZERO) {
            return Some(format!("{name} == 0"));
        }
        let never_null = values.iter().all(|(s, v)| s.compare(*v, Val::ZERO, None) == Some(false));
        return never_null.then(|| format!("{name} != 0"));
    }
    let int = program.types.as_int(ty)?;
    let ranges = || values.iter().map(|(s, v)| s.range(*v));
    let low = ranges().map(|r| r.lo).try_fold(i128::MAX, |a, b| Some(a.min(b?)))?;
    let high = ranges().map(|r| r.hi).try_fold(i128::MIN, |a, b| Some(a.max(b?)))?;
    let (below, above) = (low > int.min(), high < int.max());
    match (below, above) {
        (false, false) => None,
        _ if low == high => Some(format!("{name} == {low}")),
        (true, true) => Some(format!("{name} >= {low} && {name} <= {high}")),
        (true, false) => Some(format!("{name} >= {low}")),
        (false, true) => Some(format!("{name} <= {high}")),
    }
}
