//! Statements.

use super::build::DEAD;
use super::condition::literal_int;
use super::scope::Scope;
use super::{LoopTargets, Lowering, PendingComputed, PendingGoto, SwitchMarks};
use crate::hir::{Block, Expr, Stmt, StmtKind};
use heapwise_ir::{
    BlockId, Const, LocalId, Operand, Place, Rvalue, Span, StatementKind, SwitchCase, TerminatorKind,
};

/// The closing brace of what spans `span`.
fn closing_brace(span: Span) -> Span {
    Span::new(span.hi.saturating_sub(1).max(span.lo), span.hi)
}

/// The variables of a block whose declarations a jump inside of the block can go back over: they follow a label. Their
/// lives begin with the block (C11 §6.2.4p6). Variable-length arrays live from the declaration on and are not among them.
fn declared_after_labels(stmts: &[Stmt]) -> Vec<LocalId> {
    let Some(first) = stmts.iter().position(has_label) else { return Vec::new() };
    let fixed = |stmt: &Stmt| match &stmt.kind {
        StmtKind::Declare { local, vla_size: None, .. } => Some(*local),
        _ => None,
    };
    stmts.iter().skip(first).filter_map(fixed).collect()
}

/// Whether a `goto` from elsewhere in the block can lead into a statement. Nothing leads into statement expressions.
fn has_label(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Label(_) => true,
        StmtKind::Block(block) => block.stmts.iter().any(has_label),
        StmtKind::If { then, otherwise, .. } => {
            has_label(then) || otherwise.as_deref().is_some_and(has_label)
        }
        StmtKind::While { body, .. }
        | StmtKind::DoWhile { body, .. }
        | StmtKind::For { body, .. }
        | StmtKind::Switch { body, .. } => has_label(body),
        StmtKind::Expr(_)
        | StmtKind::Declare { .. }
        | StmtKind::Case { .. }
        | StmtKind::Default
        | StmtKind::Goto(_)
        | StmtKind::GotoAddress(_)
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Return(_) => false,
    }
}

impl Lowering<'_> {
    /// A block with its scope.
    pub(super) fn block(&mut self, block: &Block) {
        let outer = self.open_block(block);
        self.close_block(block, outer);
    }

    /// Begins the scope of a block and lowers its statements; returns what to hand to `close_block`.
    pub(super) fn open_block(&mut self, block: &Block) -> Scope {
        let outer = self.scope;
        for &literal in &block.literals {
            self.declare(literal, false, block.span);
        }
        if !self.label_targets.is_empty() {
            for local in declared_after_labels(&block.stmts) {
                self.declare(local, false, block.span);
                self.reached_again.insert(local);
            }
        }
        for stmt in &block.stmts {
            self.statement(stmt);
        }
        outer
    }

    /// Ends the scope of a block.
    pub(super) fn close_block(&mut self, block: &Block, outer: Scope) {
        self.close_scope(outer, closing_brace(block.span));
    }

    fn statement(&mut self, stmt: &Stmt) {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Expr(expr) => self.effect(expr),
            StmtKind::Block(block) => self.block(block),
            StmtKind::Declare { local, vla_size, init } => {
                if self.reached_again.contains(local) {
                    // It lives already; its value may be left from the last time that control came here.
                    match init {
                        Some(init) => self.init(init, span),
                        None => self.forget_value(*local, span),
                    }
                    return;
                }
                let size = vla_size.as_ref().map(|size| self.operand(size));
                self.declare(*local, size.is_some(), span);
                if let Some(size) = size {
                    self.emit(StatementKind::ScopeAlloc { dest: *local, size }, span);
                }
                if let Some(init) = init {
                    self.init(init, span);
                }
            }
            StmtKind::If { cond, then, otherwise } => {
                self.if_statement(cond, then, otherwise.as_deref(), span)
            }
            StmtKind::While { cond, body } => {
                let head = self.new_block();
                self.enter(head, span);
                self.loop_from(head, Some(cond), head, body, span);
            }
            StmtKind::DoWhile { body, cond } => {
                let (start, test, exit) = (self.new_block(), self.new_block(), self.new_block());
                self.enter(start, span);
                self.loop_body(body, exit, test);
                self.enter(test, span);
                self.branch(cond, start, exit);
                self.current = exit;
            }
            StmtKind::For { init, cond, step, body } => {
                let outer = self.open_block(init);
                let (head, advance) = (self.new_block(), self.new_block());
                self.enter(head, span);
                let exit = self.loop_from(head, cond.as_deref(), advance, body, span);
                self.current = advance;
                if let Some(step) = step {
                    self.effect(step);
                }
                self.terminate(TerminatorKind::Goto(head), span);
                self.current = exit;
                self.close_scope(outer, closing_brace(span));
            }
            StmtKind::Switch { value, body } => self.switch_statement(value, body),
            StmtKind::Case { low, high } => {
                let block = self.new_block();
                self.enter(block, span);
                match self.switches.last_mut() {
                    Some(marks) => marks.cases.push((*low, *high, block, self.scope)),
                    None => self.misplaced("`case` outside a switch", span),
                }
            }
            StmtKind::Default => {
                let block = self.new_block();
                self.enter(block, span);
                match self.switches.last_mut() {
                    Some(marks) => marks.default = Some((block, self.scope)),
                    None => self.misplaced("`default` outside a switch", span),
                }
            }
            StmtKind::Label(label) => {
                let block = self.new_block();
                self.enter(block, span);
                if let Some(target) = self.label_targets.get_mut(*label) {
                    *target = Some((block, self.scope));
                }
            }
            StmtKind::Goto(label) => {
                let from = self.current;
                self.gotos.push(PendingGoto { from, scope: self.scope, label: *label, span });
                self.current = DEAD;
            }
            StmtKind::GotoAddress(address) => {
                let mut address = self.operand(address);
                if let Operand::Local(local) = address
                    && self.scopes.declared_between(Scope::ROOT, self.scope, local)
                {
                    address = self.copy_local(local, span);
                }
                let from = self.current;
                self.computed_gotos.push(PendingComputed { from, scope: self.scope, address, span });
                self.current = DEAD;
            }
            StmtKind::Break => match self.loops.last() {
                Some(targets) => self.jump(targets.break_to, targets.scope, span),
                None => self.misplaced("`break` outside a loop or switch", span),
            },
            StmtKind::Continue => {
                let target = self.loops.iter().rev().find_map(|t| Some((t.continue_to?, t.scope)));
                match target {
                    Some((target, scope)) => self.jump(target, scope, span),
                    None => self.misplaced("`continue` outside a loop", span),
                }
            }
            StmtKind::Return(value) => self.return_statement(value.as_ref(), span),
        }
    }

    /// Control comes to a declaration without initialiser, of a variable that lives already: it has no value now.
    fn forget_value(&mut self, local: LocalId, span: Span) {
        let Some(ty) = self.locals.get(local).map(|l| l.ty) else { return };
        let nothing = Rvalue::Use(Operand::Const(Const::Undefined(ty)));
        self.emit_assign(Place::local(local, ty), nothing, span);
    }

    fn if_statement(&mut self, cond: &Expr, then: &Stmt, otherwise: Option<&Stmt>, span: Span) {
        let (if_true, join) = (self.new_block(), self.new_block());
        let if_false = if otherwise.is_some() { self.new_block() } else { join };
        self.branch(cond, if_true, if_false);
        self.current = if_true;
        self.statement(then);
        self.terminate(TerminatorKind::Goto(join), span);
        if let Some(otherwise) = otherwise {
            self.current = if_false;
            self.statement(otherwise);
            self.terminate(TerminatorKind::Goto(join), span);
        }
        self.current = join;
    }

    /// A loop that tests in the current block `head`, runs `body` and goes on at `next`. Continues at its exit.
    fn loop_from(
        &mut self,
        head: BlockId,
        cond: Option<&Expr>,
        next: BlockId,
        body: &Stmt,
        span: Span,
    ) -> BlockId {
        let (start, exit) = (self.new_block(), self.new_block());
        match cond {
            Some(cond) => self.branch(cond, start, exit),
            None => self.terminate_block(head, TerminatorKind::Goto(start), span),
        }
        self.current = start;
        self.loop_body(body, exit, next);
        self.terminate(TerminatorKind::Goto(next), span);
        self.current = exit;
        exit
    }

    fn loop_body(&mut self, body: &Stmt, break_to: BlockId, continue_to: BlockId) {
        self.loops.push(LoopTargets { break_to, continue_to: Some(continue_to), scope: self.scope });
        self.statement(body);
        self.loops.pop();
    }

    fn switch_statement(&mut self, value: &Expr, body: &Stmt) {
        let operand = self.operand(value);
        let (dispatch, scope) = (self.current, self.scope);
        let exit = self.new_block();
        self.current = DEAD;
        self.switches.push(SwitchMarks::default());
        self.loops.push(LoopTargets { break_to: exit, continue_to: None, scope });
        self.statement(body);
        self.loops.pop();
        let marks = self.switches.pop().unwrap_or_default();
        self.enter(exit, body.span);

        let (default, to) = marks.default.unwrap_or((exit, scope));
        let default = self.edge(scope, default, to, value.span);
        let mut cases = Vec::with_capacity(marks.cases.len());
        for (low, high, target, to) in marks.cases {
            if low <= high {
                cases.push(SwitchCase { low, high, target: self.edge(scope, target, to, value.span) });
            }
        }
        let kind = match literal_int(&operand) {
            Some(value) => {
                let chosen = cases.iter().find(|c| c.low <= value && value <= c.high);
                TerminatorKind::Goto(chosen.map_or(default, |c| c.target))
            }
            None => TerminatorKind::Switch { value: operand, cases, default },
        };
        self.terminate_block(dispatch, kind, value.span);
    }

    fn return_statement(&mut self, value: Option<&Expr>, span: Span) {
        let mut result = match value {
            Some(value) if self.returns_value => Some(self.operand(value)),
            Some(value) => {
                self.effect(value);
                None
            }
            None if self.returns_value => Some(self.falls_off_with.clone()),
            None => None,
        };
        if let Some(Operand::Local(local)) = result
            && self.scopes.declared_between(Scope::ROOT, self.scope, local)
        {
            result = Some(self.copy_local(local, value.map_or(span, |v| v.span)));
        }
        self.emit_transition(self.current, self.scope, Scope::ROOT, span);
        self.terminate(TerminatorKind::Return(result), span);
    }

    /// Ends the function where control reaches its closing brace.
    pub(super) fn fall_off(&mut self, end: Span) {
        let result = self.returns_value.then(|| self.falls_off_with.clone());
        self.terminate(TerminatorKind::Return(result), end);
    }
}
