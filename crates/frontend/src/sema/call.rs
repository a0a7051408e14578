//! Calls: the callee, arguments against a prototype or without one.

use super::convert::{Context, Kind, Typed};
use super::{Checker, R, invalid};
use crate::ast;
use crate::ctype::{CTy, FunctionType};
use crate::hir::{CalleeExpr, Expr, ExprKind};
use heapwise_ir::{Const, FuncId, Span};

impl Checker<'_> {
    pub(super) fn call(&mut self, callee: &ast::Expr, args: &[ast::Expr], span: Span) -> R<Typed> {
        // A declaration makes a builtin nothing else.
        if let ast::ExprKind::Ident(name) = callee.kind
            && (self.scopes.lookup(name).is_none() || self.names.name(name).starts_with("__builtin_"))
        {
            if let Some(result) = self.builtin_call(name, args, span) {
                return result;
            }
            let callee = self.implicit_function(name, callee.span)?;
            return self.call_value(callee, args, span);
        }
        let callee = self.expr(callee)?;
        self.call_value(callee, args, span)
    }

    fn call_value(&mut self, callee: Typed, args: &[ast::Expr], span: Span) -> R<Typed> {
        let (function, target) = match callee.kind {
            Kind::Function(e) => (callee.ty.ty, e),
            _ => {
                let callee = self.rvalue(callee)?;
                match self.s.pointee(callee.ty.ty) {
                    Some(to) if self.s.is_function(to.ty) => (to.ty, callee.into_expr()),
                    _ => {
                        let message = format!("a value of type {} is called", self.s.describe(callee.ty.ty));
                        return invalid(span, "not-a-function", message);
                    }
                }
            }
        };
        let Some(signature) = self.s.function_type(function).cloned() else {
            return invalid(span, "not-a-function", "something that is not a function is called");
        };
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            values.push(self.expr(arg)?);
        }
        self.call_with(target, &signature, values, span)
    }

    /// A call with checked arguments.
    pub(super) fn call_with(
        &mut self,
        target: Expr,
        signature: &FunctionType,
        args: Vec<Typed>,
        span: Span,
    ) -> R<Typed> {
        let args = self.arguments(signature, args, span)?;
        let target = self.present_function(target, signature);
        let callee = match target.kind {
            ExprKind::Const(Const::Function { func, .. }) => CalleeExpr::Direct(func),
            _ => CalleeExpr::Indirect(Box::new(target)),
        };
        let ret = signature.ret.ty;
        if ret != CTy::VOID && self.s.size_of(ret).is_none() {
            return invalid(span, "incomplete-type", "the result of the call has incomplete type");
        }
        let ty = self.s.ir(ret);
        Ok(Typed::value(Expr { kind: ExprKind::Call { callee, args }, ty, span }, ret))
    }

    /// A call of a function by its number, for builtins.
    pub(super) fn call_function(&mut self, id: FuncId, ty: CTy, args: Vec<Typed>, span: Span) -> R<Typed> {
        let f = self.function_value(id, ty, span)?;
        let Some(signature) = self.s.function_type(ty).cloned() else {
            return invalid(span, "not-a-function", "something that is not a function is called");
        };
        self.call_with(f.into_expr(), &signature, args, span)
    }

    fn arguments(&mut self, f: &FunctionType, args: Vec<Typed>, span: Span) -> R<Vec<Expr>> {
        let given = args.len();
        if f.prototyped && (given < f.params.len() || (given > f.params.len() && !f.variadic)) {
            let message = format!("{given} arguments for a function with {} parameters", f.params.len());
            return invalid(span, "argument-count", message);
        }
        let mut result = Vec::with_capacity(given);
        for (i, arg) in args.into_iter().enumerate() {
            let value = match f.params.get(i) {
                Some(param) if f.prototyped => self.assign_convert(arg, param.ty, Context::Argument)?,
                _ => {
                    let arg = self.rvalue(arg)?;
                    if arg.ty.ty == CTy::VOID {
                        return invalid(arg.span(), "void-value", "an argument has no value");
                    }
                    self.promote_argument(arg).into_expr()
                }
            };
            result.push(value);
        }
        Ok(result)
    }
}
