//! Families whose elements are of several kinds, told apart by a number in them (the module `pred::tagged`).

use super::{Class, Common, Family, Frame, common_slots, define, function_at, read};
use crate::object::{Object, ObjectKind};
use crate::pred::{Definition, PredId, PredTable};
use crate::pred::{MAX_KINDS, MAX_STEPS};
use crate::state::State;
use crate::value::{Sym, Val};
use heapwise_ir::FuncId;
use std::collections::{BTreeMap, BTreeSet};

/// What follows the last number of a structure.
const LAST: i128 = 1 << 64;

/// Size and record of a block.
type BlockKey = (Option<u64>, Option<u32>);

/// Predicates that say which numbers follow which along the chains of a family. The number is the first one that all
/// elements hold and that is not the same in all of them, or else the first.
pub(super) fn propose_steps(
    state: &State,
    family: &Family,
    frame: &Frame<'_>,
    preds: &mut PredTable,
    stem: &str,
) -> Vec<PredId> {
    let mut found = Vec::new();
    let links: Vec<u64> =
        frame.links.iter().filter(|(_, c)| matches!(c, Class::Link(_))).map(|(off, _)| *off).collect();
    let [link] = links.as_slice() else { return found };
    let number = |o: &Object, off: u64, width: u64| read(o, off, width).and_then(Val::as_int);
    let mut numbers: Vec<(u64, u64, usize)> = Vec::new();
    for (off, width) in common_slots(&frame.members, &[]) {
        let all: Option<BTreeSet<i128>> = frame.members.iter().map(|(_, o)| number(o, off, width)).collect();
        let few = all.map(|a| a.len()).filter(|n| *n <= MAX_KINDS);
        if let Some(n) = few.filter(|_| !frame.links.contains_key(&off) && width < frame.pointer.max(8)) {
            numbers.push((off, width, n));
        }
    }
    let varied = numbers.iter().find(|(_, _, n)| *n > 1).or(numbers.first());
    let Some((tag, width, _)) = varied.copied() else { return found };
    let Some(Common { def, .. }) = define(state, family, frame, &frame.members, preds) else { return found };
    // The chains that hang together by the link, with the numbers along them.
    let at = |s: Sym| frame.members.iter().find(|(m, _)| *m == s).map(|(_, o)| *o);
    let next = |o: &Object| read(o, *link, frame.pointer);
    let mut starts: Vec<Sym> = frame.members.iter().map(|(s, _)| *s).collect();
    starts.retain(|s| !frame.members.iter().any(|(_, o)| next(o).and_then(Val::as_sym) == Some(*s)));
    for start in starts {
        let mut steps: BTreeSet<(i128, i128)> = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut here = at(start);
        while let Some(o) = here {
            let (Some(n), Some(v)) = (number(o, tag, width), next(o)) else { break };
            let follower = v.as_sym().filter(|s| seen.insert(*s)).and_then(at);
            if let Some(m) = follower.and_then(|f| number(f, tag, width)) {
                steps.insert((n, m));
            } else if v == Val::ZERO {
                steps.insert((n, LAST));
            } else if let Some(m) = state.summaries.iter().find_map(|s| {
                let step = preds.get(s.pred).step.filter(|k| *k == usize::from(def.params))?;
                s.args.get(step - 1)?.as_int().filter(|_| s.root == v.plus(-frame.inner))
            }) {
                steps.insert((n, m));
            }
            here = follower;
        }
        let cases = steps.iter().map(|(n, m)| def.with_step(tag, *n, *m, LAST)).collect::<Option<Vec<_>>>();
        let Some(cases) = cases.filter(|c| !c.is_empty() && c.len() <= MAX_STEPS) else { continue };
        let ids = preds.with_kinds(&cases, &[(tag, width)], false, stem).unwrap_or_default();
        preds.mark_steps(usize::from(def.params));
        found.extend(ids);
    }
    found
}

/// Predicates for a family whose elements are of several kinds, told apart by numbers in them, by which cells lead to the
/// element itself where they lead elsewhere in others, by the sizes of the blocks that cells lead to, or by the functions
/// whose addresses they hold; with those numbers given if the structure is known to have kinds.
pub(super) fn propose_kinds(
    state: &State,
    family: &Family,
    frame: &Frame<'_>,
    known: Option<&[(u64, u64)]>,
    preds: &mut PredTable,
    stem: &str,
) -> Option<Vec<PredId>> {
    let members = &frame.members;
    let number = |o: &Object, off: u64, width: u64| read(o, off, width).and_then(Val::as_int);
    let tags: Vec<(u64, u64)> = match known {
        Some(tags) => tags.to_vec(),
        None => common_slots(members, &[])
            .into_iter()
            .filter(|(off, _)| !frame.links.contains_key(off))
            .filter(|(off, width)| {
                let all: Option<BTreeSet<i128>> =
                    members.iter().map(|(_, o)| number(o, *off, *width)).collect();
                all.is_some_and(|a| (2..=MAX_KINDS).contains(&a.len()))
            })
            .collect(),
    };
    let tag = |o: &Object| -> Option<Vec<i128>> { tags.iter().map(|(off, w)| number(o, *off, *w)).collect() };
    let pointers: Vec<u64> = common_slots(members, &[])
        .into_iter()
        .filter(|(off, width)| *width == frame.pointer && !frame.links.contains_key(off))
        .map(|(off, _)| off)
        .collect();
    let own = |s: Sym, o: &Object| -> Vec<u64> {
        let leads = |off: &u64| read(o, *off, frame.pointer).and_then(Val::as_sym) == Some(s);
        pointers.iter().copied().filter(leads).collect()
    };
    let block_size = |o: &Object, off: u64| {
        let target = read(o, off, frame.pointer)?.as_sym()?;
        let block = state.objects.get(&target).filter(|b| b.kind == ObjectKind::Heap)?;
        block.const_size().filter(|_| members.iter().all(|(m, _)| *m != target))
    };
    let several = |off: &&u64| {
        let sizes: BTreeSet<u64> = members.iter().filter_map(|(_, o)| block_size(o, **off)).collect();
        sizes.len() > 1
    };
    let varied: Vec<u64> = pointers.iter().filter(several).copied().collect();
    let sizes = |o: &Object| -> Vec<Option<u64>> { varied.iter().map(|off| block_size(o, *off)).collect() };
    let called = |off: &&u64| {
        let all: BTreeSet<FuncId> =
            members.iter().filter_map(|(_, o)| function_at(o, **off, frame.pointer)).collect();
        all.len() > 1 || known.is_some() && !all.is_empty()
    };
    let called: Vec<u64> = pointers.iter().filter(called).copied().collect();
    let functions = |o: &Object| -> Vec<Option<FuncId>> {
        called.iter().map(|off| function_at(o, *off, frame.pointer)).collect()
    };
    type Key = (BlockKey, Vec<i128>, Vec<u64>, Vec<Option<u64>>, Vec<Option<FuncId>>);
    type Group<'a> = Vec<(Sym, &'a Object)>;
    let mut groups: BTreeMap<Key, Group<'_>> = BTreeMap::new();
    for (s, o) in members {
        let block = (o.const_size(), o.record.map(|r| r.0));
        groups.entry((block, tag(o)?, own(*s, o), sizes(o), functions(o))).or_default().push((*s, o));
    }
    if groups.len() > MAX_KINDS || known.is_none() && groups.len() < 2 {
        return None;
    }
    let mut kinds: Vec<Common> = Vec::new();
    for ((_, numbers, ..), group) in &groups {
        let mut kind = define(state, family, frame, group, preds)?;
        let numbers: Vec<(u64, i128)> =
            tags.iter().map(|(off, _)| *off).zip(numbers.iter().copied()).collect();
        let numbered = kind.def.with_numbers(&numbers)?;
        kind.def = numbered.with_functions(&kind.functions)?.with_not_null(&kind.not_null);
        kinds.push(kind);
    }
    let alike = |k: &Common| {
        let block = |k: &Common| k.def.cases.iter().find_map(|c| c.block.clone());
        k.class == kinds[0].class
            && k.null_links == kinds[0].null_links
            && k.functions == kinds[0].functions
            && block(k) == block(&kinds[0])
    };
    if known.is_none() && kinds.iter().all(alike) {
        return None;
    }
    let definitions: Vec<Definition> = kinds.into_iter().map(|k| k.def).collect();
    preds.with_kinds(&definitions, &tags, true, stem)
}
