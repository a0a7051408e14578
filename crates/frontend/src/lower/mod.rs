//! The typed tree to control-flow graphs.
//!
//! Each [`HirFunction`] becomes one [`Body`]. What the result promises:
//!
//! * **Order.** Left to right as the typed tree documents it, and the other orders that C allows where they can make a
//!   difference ([`order`]). A statement reads a variable directly
//!   (`Operand::Local`) only if nothing evaluated between the operand's place in the text and the statement can
//!   change it ([`effects`]); otherwise the value is copied into a temporary first.
//! * **One access per statement.** `p->a->b` is two loads through a temporary whose span is `p->a`.
//!   A load that is the whole right side of an assignment, and a store of an operation's result, share one
//!   statement. Statements that only compute or load carry the span of that expression, stores to memory the
//!   span of the assignment.
//! * **Conditions are control flow.** `&&`, `||`, `!` and `?:` in a condition become branches; no 0 or 1 is
//!   stored for them. Literal conditions are decided here, nothing else is.
//! * **Scopes are explicit** ([`scope`]). `StorageLive` stands at a declaration (at the start of the block for
//!   compound literals, and for variables whose declaration follows a label of the block: a jump back to it does not
//!   end them, and passing the declaration again only leaves them without a value), `StorageDead` on every way out of the scope; a jump into a scope makes the variables
//!   live whose declaration it skips. Parameters are live from the start and never end before the return.
//!   **Temporaries** — unnamed and not `address_taken` — hold values only, are live for the whole
//!   function and have no storage statements. A temporary whose address is taken lives to the end of the
//!   full expression.
//! * **Every block is reachable** from the entry (or its address is a constant in a reachable block), and blocks
//!   are numbered in reverse postorder ([`finish`]). A value function that ends without `return` returns an
//!   indeterminate value, `main` returns 0.
//!
//! The walks recurse over the tree, whose height the parser bounds; `compile` provides the stack for it.
//!
//! The cost is linear in the size of the tree, except that each `goto` costs one step per variable in scope at
//! either end.

mod build;
mod condition;
mod effects;
mod expression;
mod finish;
mod order;
mod place;
mod prepare;
mod scope;
mod statement;
#[cfg(test)]
mod tests;

use crate::hir::{HirFunction, LabelId};
use build::{DEAD, Draft};
use heapwise_ir::{
    BlockId, Body, Const, Diagnostic, FuncId, FunctionBody, IndexVec, Local, LocalId, Operand, Program,
    Severity, Span, Statement, Ty, Type,
};
use order::PlacedGroup;
use rustc_hash::{FxHashMap, FxHashSet};
use scope::{Scope, Scopes};

/// Lowers one function after the other.
#[derive(Default)]
pub struct Lowerer {
    /// What could not be lowered.
    pub diagnostics: Vec<Diagnostic>,
    /// Room for the statements of a function, kept from one to the next.
    statements: Vec<Statement>,
    /// Operands whose order may make a difference, until all functions are known.
    unsequenced: FxHashMap<FuncId, Vec<PlacedGroup>>,
}

impl Lowerer {
    /// Lowers a checked function and puts the code into the program. A function that cannot be lowered becomes
    /// `NotAnalysed` and gets a diagnostic.
    pub fn lower_into(&mut self, program: &mut Program, id: FuncId, function: HirFunction) {
        let body = match lower_function(program, id, function, &mut self.statements) {
            Ok((body, groups)) => {
                self.unsequenced.insert(id, groups);
                FunctionBody::Defined(Box::new(body))
            }
            Err(Misplaced { message, span }) => {
                self.diagnostics.push(Diagnostic {
                    severity: Severity::Warning,
                    code: "misplaced-jump",
                    message: message.into(),
                    span,
                });
                FunctionBody::NotAnalysed { reason: message.into(), span }
            }
        };
        if let Some(function) = program.functions.get_mut(id) {
            function.body = body;
        }
    }

    /// When all functions are lowered: gives them the orders of evaluation that make a difference.
    pub fn settle_orders(&mut self, program: &mut Program) {
        order::settle(program, std::mem::take(&mut self.unsequenced), &mut self.diagnostics);
    }
}

/// A jump that has no target.
struct Misplaced {
    message: &'static str,
    span: Span,
}

/// Where `break` and `continue` go, and what is live there.
struct LoopTargets {
    break_to: BlockId,
    continue_to: Option<BlockId>,
    scope: Scope,
}

/// The marks found so far in the body of a `switch`.
#[derive(Default)]
struct SwitchMarks {
    cases: Vec<(i128, i128, BlockId, Scope)>,
    default: Option<(BlockId, Scope)>,
}

/// A `goto` whose label may still be ahead: its block has no terminator yet.
struct PendingGoto {
    from: BlockId,
    scope: Scope,
    label: LabelId,
    span: Span,
}

/// A computed `goto`: its block has no terminator yet.
struct PendingComputed {
    from: BlockId,
    scope: Scope,
    address: Operand,
    span: Span,
}

/// The state of lowering one function.
struct Lowering<'a> {
    program: &'a Program,
    ret: Ty,
    returns_value: bool,
    falls_off_with: Operand,
    locals: IndexVec<LocalId, Local>,
    /// Locals from here on are temporaries made by lowering: written once, before they are read.
    first_temporary: LocalId,
    blocks: IndexVec<BlockId, Draft>,
    /// The statements of all blocks, in the order in which they were made.
    statements: &'a mut Vec<Statement>,
    /// Where statements go; after a jump the dead block.
    current: BlockId,
    scopes: Scopes,
    /// What is live at the current point.
    scope: Scope,
    /// Variables that live from the start of their block on, as a jump may go back over their declaration.
    reached_again: FxHashSet<LocalId>,
    loops: Vec<LoopTargets>,
    switches: Vec<SwitchMarks>,
    label_targets: IndexVec<LabelId, Option<(BlockId, Scope)>>,
    /// The blocks that addresses of labels stand for.
    label_entries: FxHashMap<LabelId, BlockId>,
    gotos: Vec<PendingGoto>,
    computed_gotos: Vec<PendingComputed>,
    /// Temporaries of the tree that need no local of their own, with what they stand for.
    aliases: FxHashMap<LocalId, Operand>,
    /// Operands whose order may make a difference, inner ones first.
    groups: Vec<order::Group>,
    problem: Option<Misplaced>,
}

fn lower_function(
    program: &Program,
    id: FuncId,
    mut function: HirFunction,
    statements: &mut Vec<Statement>,
) -> Result<(Body, Vec<PlacedGroup>), Misplaced> {
    statements.clear();
    prepare::prepare(&mut function);
    let returns_value = !matches!(program.types.get(function.ret), Type::Void);
    let is_main = program.functions.get(id).is_some_and(|f| &*f.name == "main");
    let falls_off_with = if is_main && program.types.as_int(function.ret).is_some() {
        Operand::Const(Const::Int { value: 0, ty: function.ret })
    } else {
        Operand::Const(Const::Undefined(function.ret))
    };
    let HirFunction { params, varargs, locals, labels, ret, body, end } = function;
    let first_temporary = locals.next_index();
    let mut lowering = Lowering {
        program,
        ret,
        returns_value,
        falls_off_with,
        locals,
        first_temporary,
        blocks: IndexVec::new(),
        statements,
        current: Body::ENTRY,
        scopes: Scopes::default(),
        scope: Scope::ROOT,
        reached_again: FxHashSet::default(),
        loops: Vec::new(),
        switches: Vec::new(),
        label_targets: IndexVec::from_elem(None, labels.len()),
        label_entries: FxHashMap::default(),
        gotos: Vec::new(),
        computed_gotos: Vec::new(),
        aliases: FxHashMap::default(),
        groups: Vec::new(),
        problem: None,
    };
    lowering.current = lowering.new_block();
    let dead = lowering.new_block();
    debug_assert_eq!((lowering.current, dead), (Body::ENTRY, DEAD));
    lowering.block(&body);
    lowering.fall_off(end);
    lowering.resolve_gotos();
    lowering.resolve_computed_gotos();
    if let Some(problem) = lowering.problem {
        return Err(problem);
    }
    let labels = !lowering.label_entries.is_empty();
    let marks: Vec<u32> = lowering.groups.iter().flat_map(|g| g.marks.iter().copied()).collect();
    let (blocks, places) = finish::finish(lowering.blocks, lowering.statements, labels, &marks);
    let place = |group: &order::Group| {
        let marks = group.marks.iter().map(|mark| places.get(mark).copied()).collect::<Option<Vec<_>>>()?;
        Some(PlacedGroup { marks, span: group.span })
    };
    let groups = lowering.groups.iter().filter_map(place).collect();
    lowering.locals.shrink_to_fit();
    Ok((Body { params, varargs, locals: lowering.locals, blocks, end }, groups))
}
