//! Statements, blocks, labels and statement expressions.

use super::convert::{Context, Kind, Typed};
use super::{Checker, R, invalid, unsupported};
use crate::ast::{self, BlockItem};
use crate::ctype::CTy;
use crate::hir::{Block, Expr, ExprKind, Label, LabelId, Stmt, StmtKind};
use crate::symbol::Symbol;
use heapwise_ir::Span;

/// A switch that is open.
#[derive(Debug)]
pub(super) struct SwitchState {
    ty: CTy,
    cases: Vec<(i128, i128, Span)>,
    has_default: bool,
}

/// Whether assembly holds only instructions that change neither registers nor memory: barriers and pauses.
fn only_orders(template: &str) -> bool {
    const HARMLESS: &[&str] =
        &["", "nop", "pause", "rep", "rep nop", "mfence", "lfence", "sfence", "yield", "dmb ish", "isb"];
    template.split([';', '\n']).all(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        HARMLESS.contains(&words.join(" ").as_str())
    })
}

impl Checker<'_> {
    /// A block with a scope of its own.
    fn block(&mut self, block: &ast::Block) -> R<Block> {
        self.open_block();
        let stmts = self.block_contents(block)?;
        Ok(self.close_block(stmts, block.span))
    }

    fn open_block(&mut self) {
        self.scopes.enter();
        self.fun.literals.push(Vec::new());
        self.fun.label_scopes.push(Vec::new());
    }

    fn close_block(&mut self, stmts: Vec<Stmt>, span: Span) -> Block {
        self.scopes.leave();
        self.fun.label_scopes.pop();
        let literals = self.fun.literals.pop().unwrap_or_default();
        Block { literals, stmts, span }
    }

    /// The items of a block in the scope at hand.
    pub(super) fn block_contents(&mut self, block: &ast::Block) -> R<Vec<Stmt>> {
        let mut out = Vec::with_capacity(block.items.len());
        for item in &block.items {
            self.block_item(item, &mut out)?;
        }
        Ok(out)
    }

    fn block_item(&mut self, item: &BlockItem, out: &mut Vec<Stmt>) -> R<()> {
        match item {
            BlockItem::Declaration(d) => self.local_declaration(d, out),
            BlockItem::NestedFunction(span) => {
                unsupported(*span, "unsupported-nested-function", "a function inside a function")
            }
            BlockItem::StaticAssert(a) => self.static_assert(a),
            BlockItem::Stmt(s) => self.stmt(s, out),
        }
    }

    /// One statement as the body of another: a scope of its own.
    fn body(&mut self, s: &ast::Stmt) -> R<Box<Stmt>> {
        let block = match &s.kind {
            ast::StmtKind::Block(b) => self.block(b)?,
            _ => {
                self.open_block();
                let mut stmts = Vec::new();
                self.stmt(s, &mut stmts)?;
                self.close_block(stmts, s.span)
            }
        };
        Ok(Box::new(Stmt { kind: StmtKind::Block(block), span: s.span }))
    }

    fn stmt(&mut self, s: &ast::Stmt, out: &mut Vec<Stmt>) -> R<()> {
        let span = s.span;
        let kind = match &s.kind {
            ast::StmtKind::Empty => return Ok(()),
            ast::StmtKind::Expr(e) => {
                let t = self.expr(e)?;
                self.pending_stmts(0, out);
                StmtKind::Expr(self.discard(t))
            }
            ast::StmtKind::Block(b) => StmtKind::Block(self.block(b)?),
            ast::StmtKind::If { cond, then, otherwise } => {
                let cond = self.condition(cond)?;
                let then = self.body(then)?;
                let otherwise = match otherwise {
                    Some(s) => Some(self.body(s)?),
                    None => None,
                };
                StmtKind::If { cond, then, otherwise }
            }
            ast::StmtKind::While { cond, body } => {
                let cond = self.condition(cond)?;
                StmtKind::While { cond, body: self.loop_body(body)? }
            }
            ast::StmtKind::DoWhile { body, cond } => {
                let body = self.loop_body(body)?;
                StmtKind::DoWhile { body, cond: self.condition(cond)? }
            }
            ast::StmtKind::For { init, cond, step, body } => {
                self.open_block();
                let mut first = Vec::new();
                if let Some(item) = init {
                    self.block_item(item, &mut first)?;
                }
                let cond = match cond {
                    Some(c) => Some(Box::new(self.condition(c)?)),
                    None => None,
                };
                let step = match step {
                    Some(e) => {
                        let t = self.expr(e)?;
                        Some(Box::new(self.discard(t)))
                    }
                    None => None,
                };
                let body = self.loop_body(body)?;
                let init = self.close_block(first, span);
                StmtKind::For { init, cond, step, body }
            }
            ast::StmtKind::Switch { value, body } => self.switch(value, body)?,
            ast::StmtKind::Case { low, high, body } => {
                self.case(low, high.as_deref(), out)?;
                return self.stmt(body, out);
            }
            ast::StmtKind::Default(body) => {
                match self.fun.switches.last_mut() {
                    Some(switch) if !switch.has_default => switch.has_default = true,
                    Some(_) => return invalid(span, "duplicate-case", "two default labels in one switch"),
                    None => return invalid(span, "stray-case", "default label outside a switch"),
                }
                out.push(Stmt { kind: StmtKind::Default, span });
                return self.stmt(body, out);
            }
            ast::StmtKind::Label { name, body } => {
                let label = self.label(*name);
                match self.fun.label_defined.get_mut(label.0 as usize) {
                    Some(defined) if !*defined => *defined = true,
                    _ => {
                        let message = format!("label '{}' is defined twice", self.name(*name));
                        return invalid(span, "redefinition", message);
                    }
                }
                out.push(Stmt { kind: StmtKind::Label(label), span });
                return self.stmt(body, out);
            }
            ast::StmtKind::Goto(name) => {
                let label = self.label(*name);
                if let Some(at) = self.fun.label_spans.get_mut(label.0 as usize)
                    && *at == Span::default()
                {
                    *at = span;
                }
                StmtKind::Goto(label)
            }
            ast::StmtKind::GotoExpr(e) => {
                let t = self.expr(e)?;
                let target = self.assign_convert(t, CTy::VOID_PTR, Context::Assign)?;
                StmtKind::GotoAddress(target)
            }
            ast::StmtKind::Continue => {
                if self.fun.loops == 0 {
                    return invalid(span, "stray-continue", "continue outside a loop");
                }
                StmtKind::Continue
            }
            ast::StmtKind::Break => {
                if self.fun.breakable == 0 {
                    return invalid(span, "stray-break", "break outside a loop or switch");
                }
                StmtKind::Break
            }
            ast::StmtKind::Return(value) => self.return_stmt(value.as_ref(), span)?,
            ast::StmtKind::LocalLabels(names) => {
                for name in names {
                    let label = self.new_label(*name);
                    if let Some(scope) = self.fun.label_scopes.last_mut() {
                        scope.push((*name, label));
                    }
                }
                return Ok(());
            }
            ast::StmtKind::Asm(asm) => {
                if asm.has_outputs || asm.is_goto {
                    return unsupported(span, "unsupported-asm", "inline assembly with outputs");
                }
                if !only_orders(&asm.template) {
                    return unsupported(span, "unsupported-asm", "inline assembly that may change memory");
                }
                for input in &asm.inputs {
                    let value = self.expr(input)?;
                    let value = self.discard(value);
                    self.pending_stmts(0, out);
                    out.push(Stmt { kind: StmtKind::Expr(value), span: input.span });
                }
                return Ok(());
            }
        };
        self.pending_stmts(0, out);
        out.push(Stmt { kind, span });
        Ok(())
    }

    fn loop_body(&mut self, body: &ast::Stmt) -> R<Box<Stmt>> {
        self.fun.loops += 1;
        self.fun.breakable += 1;
        let result = self.body(body);
        self.fun.loops -= 1;
        self.fun.breakable -= 1;
        result
    }

    fn switch(&mut self, value: &ast::Expr, body: &ast::Stmt) -> R<StmtKind> {
        let t = self.expr(value)?;
        let t = self.rvalue(t)?;
        if !self.s.is_integer(t.ty.ty) {
            return invalid(value.span, "bad-operand", "the value of a switch is not an integer");
        }
        let t = self.promote(t);
        let ty = t.ty.ty;
        self.fun.switches.push(SwitchState { ty, cases: Vec::new(), has_default: false });
        self.fun.breakable += 1;
        let body = self.body(body)?;
        self.fun.breakable -= 1;
        let state = self.fun.switches.pop();
        let mut cases = state.map(|s| s.cases).unwrap_or_default();
        cases.sort_unstable_by_key(|c| c.0);
        for pair in cases.windows(2) {
            if let [(_, high, _), (low, _, span)] = pair
                && high >= low
            {
                return invalid(*span, "duplicate-case", format!("value {low} occurs in two cases"));
            }
        }
        Ok(StmtKind::Switch { value: t.into_expr(), body })
    }

    fn case(&mut self, low: &ast::Expr, high: Option<&ast::Expr>, out: &mut Vec<Stmt>) -> R<()> {
        let span = low.span;
        let Some(ty) = self.fun.switches.last().map(|s| s.ty) else {
            return invalid(span, "stray-case", "case label outside a switch");
        };
        let Some(int) = self.s.int_ty(ty) else { return Ok(()) };
        let first = int.wrap(self.integer_constant(low)?);
        let last = match high {
            Some(high) => int.wrap(self.integer_constant(high)?),
            None => first,
        };
        if last < first {
            // gcc warns about an empty range; it matches nothing.
            return Ok(());
        }
        if let Some(switch) = self.fun.switches.last_mut() {
            switch.cases.push((first, last, span));
        }
        out.push(Stmt { kind: StmtKind::Case { low: first, high: last }, span });
        Ok(())
    }

    fn return_stmt(&mut self, value: Option<&ast::Expr>, span: Span) -> R<StmtKind> {
        let ret = self.fun.ret.unwrap_or(CTy::VOID);
        let Some(value) = value else { return Ok(StmtKind::Return(None)) };
        let t = self.expr(value)?;
        if ret == CTy::VOID {
            // GNU C allows `return f();` in a void function if f returns void, and warns otherwise.
            let e = self.discard(t);
            let void = self.s.ir(CTy::VOID);
            let effect = Stmt { span: e.span, kind: StmtKind::Expr(e) };
            let leave = Stmt { kind: StmtKind::Return(None), span };
            let _ = void;
            return Ok(StmtKind::Block(Block { literals: Vec::new(), stmts: vec![effect, leave], span }));
        }
        let value = self.assign_convert(t, ret, Context::Return)?;
        Ok(StmtKind::Return(Some(value)))
    }

    /// The label of that name, declared now if need be.
    pub(super) fn label(&mut self, name: Symbol) -> LabelId {
        for scope in self.fun.label_scopes.iter().rev() {
            if let Some((_, label)) = scope.iter().find(|(n, _)| *n == name) {
                return *label;
            }
        }
        let label = self.new_label(name);
        if let Some(scope) = self.fun.label_scopes.first_mut() {
            scope.push((name, label));
        }
        label
    }

    fn new_label(&mut self, name: Symbol) -> LabelId {
        self.fun.label_defined.push(false);
        self.fun.label_spans.push(Span::default());
        let name = self.name(name).into();
        self.fun.labels.push(Label { name, address_taken: false })
    }

    /// `({ … })`
    pub(super) fn statement_expression(&mut self, block: &ast::Block, span: Span) -> R<Typed> {
        if !self.fun.active {
            return invalid(span, "statement-expression", "a statement expression outside a function");
        }
        let outer_pending = std::mem::take(&mut self.fun.pending);
        self.open_block();
        let mut stmts = Vec::with_capacity(block.items.len());
        let mut value: Option<Typed> = None;
        for (i, item) in block.items.iter().enumerate() {
            if i + 1 == block.items.len()
                && let BlockItem::Stmt(last) = item
                && let Some(e) = last_expression(last)
            {
                self.labels_before(last, &mut stmts)?;
                let t = self.expr(e)?;
                self.pending_stmts(0, &mut stmts);
                let t = self.rvalue(t)?;
                value = Some(t);
            } else {
                self.block_item(item, &mut stmts)?;
            }
        }
        let inner = self.close_block(stmts, block.span);
        self.fun.pending = outer_pending;
        let (ty, value) = match value {
            Some(t) => (t.ty.ty, Some(Box::new(t.into_expr()))),
            None => (CTy::VOID, None),
        };
        let ir = self.s.ir(ty);
        let kind = ExprKind::StmtExpr { block: inner, value };
        Ok(Typed {
            ty: ty.into(),
            kind: Kind::Value(Expr { kind, ty: ir, span }),
            width: None,
            constant: None,
        })
    }

    /// Labels that stand before the last expression of a statement expression.
    fn labels_before(&mut self, s: &ast::Stmt, out: &mut Vec<Stmt>) -> R<()> {
        if let ast::StmtKind::Label { name, body } = &s.kind {
            let label = self.label(*name);
            if let Some(defined) = self.fun.label_defined.get_mut(label.0 as usize) {
                *defined = true;
            }
            out.push(Stmt { kind: StmtKind::Label(label), span: s.span });
            return self.labels_before(body, out);
        }
        Ok(())
    }
}

/// The expression that gives a statement expression its value.
fn last_expression(s: &ast::Stmt) -> Option<&ast::Expr> {
    match &s.kind {
        ast::StmtKind::Expr(e) => Some(e),
        ast::StmtKind::Label { body, .. } => last_expression(body),
        _ => None,
    }
}
