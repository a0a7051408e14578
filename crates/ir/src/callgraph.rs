//! Who may call whom.
//!
//! Direct calls are edges. An indirect call may reach every function whose address is taken: by a constant in
//! code outside callee position, or in the initial contents of a global. A function without code may call those
//! too if it is not modelled, or if it takes a function pointer (`qsort`, `atexit`).
//!
//! The strongly connected components come callees first, which is the order in which contracts are computed.
//! Iterative; O(functions + call sites + groups × address-taken functions).

use crate::bitset::BitSet;
use crate::body::{Callee, Const, FuncId, FunctionBody, Operand, StatementKind};
use crate::index::{Idx, IndexVec};
use crate::program::{GlobalInit, InitValue, Program};
use crate::types::Type;
use crate::visit::{statement_operands, terminator_operand};

/// The calls of a program.
#[derive(Clone, Debug)]
pub struct CallGraph {
    direct: IndexVec<FuncId, Vec<FuncId>>,
    indirect: IndexVec<FuncId, bool>,
    address_taken: Vec<FuncId>,
    components: Vec<Vec<FuncId>>,
    component: IndexVec<FuncId, u32>,
}

impl CallGraph {
    /// The call graph of `program`.
    pub fn new(program: &Program) -> CallGraph {
        let n = program.functions.len();
        let mut direct: IndexVec<FuncId, Vec<FuncId>> = IndexVec::from_elem(Vec::new(), n);
        let mut indirect = IndexVec::from_elem(false, n);
        let mut taken = BitSet::new(n);
        for global in program.globals.iter() {
            if let GlobalInit::Data(pieces) = &global.init {
                for piece in pieces {
                    if let InitValue::FunctionAddr(f) = piece.value {
                        taken.insert(f);
                    }
                }
            }
        }
        for (id, function) in program.functions.iter_enumerated() {
            let FunctionBody::Defined(body) = &function.body else {
                indirect[id] = function.library.is_none() || takes_callback(program, id);
                continue;
            };
            let mut callees = BitSet::new(n);
            let mut note = |operand: &Operand| {
                if let Operand::Const(Const::Function { func, .. }) = operand {
                    taken.insert(*func);
                }
            };
            for block in body.blocks.iter() {
                for statement in &block.statements {
                    if let StatementKind::Call(call) = &statement.kind {
                        match &call.callee {
                            Callee::Direct(f) => {
                                callees.insert(*f);
                            }
                            Callee::Indirect(_) => indirect[id] = true,
                        }
                    }
                    statement_operands(statement, &mut note);
                }
                if let Some(operand) = terminator_operand(&block.terminator) {
                    note(operand);
                }
            }
            direct[id] = callees.iter().collect();
        }
        let address_taken: Vec<FuncId> = taken.iter().collect();
        let (components, component) = components(&direct, &indirect, &address_taken);
        CallGraph { direct, indirect, address_taken, components, component }
    }

    /// The functions that `caller` calls by name, ascending.
    pub fn direct_callees(&self, caller: FuncId) -> &[FuncId] {
        self.direct.get(caller).map_or(&[], |c| c)
    }
    /// Whether `caller` may call functions that it does not name.
    pub fn calls_indirectly(&self, caller: FuncId) -> bool {
        self.indirect.get(caller).copied().unwrap_or(false)
    }
    /// The functions whose address is taken, ascending: what an indirect call may reach.
    pub fn address_taken(&self) -> &[FuncId] {
        &self.address_taken
    }
    /// Everything `caller` may call; a function may appear twice.
    pub fn callees(&self, caller: FuncId) -> impl Iterator<Item = FuncId> + '_ {
        let indirect = if self.calls_indirectly(caller) { self.address_taken() } else { &[] };
        self.direct_callees(caller).iter().chain(indirect).copied()
    }
    /// The groups of mutually recursive functions, callees before callers.
    pub fn components(&self) -> &[Vec<FuncId>] {
        &self.components
    }
    /// Which of the [`components`](Self::components) `function` belongs to.
    pub fn component_of(&self, function: FuncId) -> Option<usize> {
        self.component.get(function).map(|&c| c as usize)
    }
    /// Whether `function` may call itself, directly or through others.
    pub fn is_recursive(&self, function: FuncId) -> bool {
        self.component_of(function).is_some_and(|c| self.components[c].len() > 1)
            || self.callees(function).any(|f| f == function)
    }
    /// The functions that may run when `root` is called, itself included.
    pub fn reachable_from(&self, root: FuncId) -> BitSet<FuncId> {
        let mut seen = BitSet::new(self.direct.len());
        let mut work = vec![root];
        while let Some(f) = work.pop() {
            if seen.insert(f) {
                work.extend(self.callees(f).filter(|&g| !seen.contains(g)));
            }
        }
        seen
    }
}

fn takes_callback(program: &Program, id: FuncId) -> bool {
    let types = &program.types;
    let Type::Function { params, .. } = types.get(program.functions[id].ty) else { return false };
    params.iter().any(|&p| types.pointee(p).is_some_and(|to| matches!(types.get(to), Type::Function { .. })))
}

/// Tarjan's strongly connected components. All address-taken functions hang below one extra node, so that an
/// indirect call costs one edge.
fn components(
    direct: &IndexVec<FuncId, Vec<FuncId>>,
    indirect: &IndexVec<FuncId, bool>,
    address_taken: &[FuncId],
) -> (Vec<Vec<FuncId>>, IndexVec<FuncId, u32>) {
    let n = direct.len();
    let hub = n;
    let edge = |node: usize, i: usize| -> Option<usize> {
        if node == hub {
            return address_taken.get(i).map(|f| f.index());
        }
        let named = &direct[FuncId::new(node)];
        match named.get(i) {
            Some(f) => Some(f.index()),
            None => (i == named.len() && indirect[FuncId::new(node)]).then_some(hub),
        }
    };
    let (mut number, mut low) = (vec![0u32; n + 1], vec![0u32; n + 1]);
    let mut on_stack = vec![false; n + 1];
    let (mut stack, mut visits) = (Vec::new(), 0);
    let mut groups: Vec<Vec<FuncId>> = Vec::new();
    let mut group_of = IndexVec::from_elem(0, n);
    for root in 0..n {
        if number[root] != 0 {
            continue;
        }
        let mut calls = vec![(root, 0)];
        while let Some((node, next)) = calls.last_mut() {
            let node = *node;
            if *next == 0 {
                visits += 1;
                number[node] = visits;
                low[node] = visits;
                on_stack[node] = true;
                stack.push(node);
            }
            if let Some(target) = edge(node, *next) {
                *next += 1;
                if number[target] == 0 {
                    calls.push((target, 0));
                } else if on_stack[target] {
                    low[node] = low[node].min(number[target]);
                }
                continue;
            }
            calls.pop();
            if let Some(&(caller, _)) = calls.last() {
                low[caller] = low[caller].min(low[node]);
            }
            if low[node] == number[node] {
                let start = stack.iter().rposition(|&v| v == node).unwrap_or(0);
                let members = stack.split_off(start);
                for &v in &members {
                    on_stack[v] = false;
                }
                let mut group: Vec<FuncId> =
                    members.into_iter().filter(|&v| v != hub).map(FuncId::new).collect();
                group.sort_unstable();
                for &f in &group {
                    group_of[f] = groups.len() as u32;
                }
                if !group.is_empty() {
                    groups.push(group);
                }
            }
        }
    }
    (groups, group_of)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::{Call, Function, TerminatorKind};
    use crate::program::DataModel;
    use crate::source::Span;
    use crate::testing::BodyBuilder;

    enum Does {
        Calls(u32),
        CallsPointer,
        TakesAddress(u32),
    }
    use Does::*;

    fn program(functions: &[&[Does]]) -> Program {
        let mut program = Program::new(DataModel::Lp64);
        let void = program.types.intern(Type::Void);
        let ty = program.types.intern(Type::Function { ret: void, params: Box::new([]), variadic: false });
        let pointer = program.types.pointer(ty);
        for (i, actions) in functions.iter().enumerate() {
            let mut b = BodyBuilder::new();
            let p = b.local("p", pointer);
            let call = |callee| StatementKind::Call(Call { dest: None, callee, args: vec![] });
            let statements = actions
                .iter()
                .map(|action| match action {
                    Calls(f) => call(Callee::Direct(FuncId(*f))),
                    CallsPointer => call(Callee::Indirect(Operand::Local(p))),
                    TakesAddress(f) => StatementKind::Assign {
                        dest: crate::Place::local(p, pointer),
                        value: crate::Rvalue::Use(Operand::Const(Const::Function {
                            func: FuncId(*f),
                            ty: pointer,
                        })),
                    },
                })
                .collect();
            b.block(statements, TerminatorKind::Return(None));
            program.functions.push(Function {
                name: format!("f{i}").into(),
                ty,
                internal: false,
                noreturn: false,
                library: None,
                body: FunctionBody::Defined(Box::new(b.finish())),
                span: Span::default(),
            });
        }
        program
    }

    #[test]
    fn components_come_callees_first() {
        let graph = CallGraph::new(&program(&[
            &[Calls(1), Calls(3)],
            &[Calls(2)],
            &[Calls(1)],
            &[Calls(3), Calls(3)],
            &[],
        ]));
        let groups: Vec<Vec<u32>> =
            graph.components().iter().map(|c| c.iter().map(|f| f.0).collect()).collect();
        assert_eq!(groups, [vec![1, 2], vec![3], vec![0], vec![4]]);
        assert!(graph.is_recursive(FuncId(1)) && graph.is_recursive(FuncId(3)));
        assert!(!graph.is_recursive(FuncId(0)));
        assert_eq!(graph.reachable_from(FuncId(0)).len(), 4);
    }

    #[test]
    fn indirect_calls_reach_what_has_its_address_taken() {
        // f0 hands out f2, f1 calls a pointer, f2 calls f1: f1 and f2 are mutually recursive.
        let graph = CallGraph::new(&program(&[&[TakesAddress(2), Calls(1)], &[CallsPointer], &[Calls(1)]]));
        assert_eq!(graph.address_taken(), [FuncId(2)]);
        assert_eq!(graph.callees(FuncId(1)).collect::<Vec<_>>(), [FuncId(2)]);
        assert_eq!(graph.components(), [vec![FuncId(1), FuncId(2)], vec![FuncId(0)]]);
    }

    #[test]
    fn unknown_code_may_call_back() {
        let mut program = program(&[&[TakesAddress(0), Calls(1)], &[]]);
        program.functions[FuncId(1)].body = FunctionBody::Declared;
        let graph = CallGraph::new(&program);
        assert!(graph.is_recursive(FuncId(0)));
        assert_eq!(graph.components(), [vec![FuncId(0), FuncId(1)]]);
    }
}
