//! Expressions with operators.
//!
//! Binary operators are parsed by precedence with an explicit stack of waiting left operands, shared by all
//! levels, so that neither long chains nor the fifteen levels of precedence cost stack. Every node is made by
//! [`Parser::node`], which keeps track of the height of the tree.

use super::{MAX_HEIGHT, Parse, Parser};
use crate::ast::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::lexer::Tok;
use heapwise_ir::Span;

/// A left operand that waits for its right one.
pub(super) struct Operand {
    left: Expr,
    height: u32,
    op: BinaryOp,
    precedence: u8,
}

/// Operator and precedence of a token; precedence zero if it is no binary operator.
fn binary_operator(kind: Tok) -> (BinaryOp, u8) {
    match kind {
        Tok::Star => (BinaryOp::Mul, 10),
        Tok::Slash => (BinaryOp::Div, 10),
        Tok::Percent => (BinaryOp::Rem, 10),
        Tok::Plus => (BinaryOp::Add, 9),
        Tok::Minus => (BinaryOp::Sub, 9),
        Tok::Shl => (BinaryOp::Shl, 8),
        Tok::Shr => (BinaryOp::Shr, 8),
        Tok::Lt => (BinaryOp::Lt, 7),
        Tok::Gt => (BinaryOp::Gt, 7),
        Tok::Le => (BinaryOp::Le, 7),
        Tok::Ge => (BinaryOp::Ge, 7),
        Tok::EqEq => (BinaryOp::Eq, 6),
        Tok::Ne => (BinaryOp::Ne, 6),
        Tok::Amp => (BinaryOp::And, 5),
        Tok::Caret => (BinaryOp::Xor, 4),
        Tok::Pipe => (BinaryOp::Or, 3),
        Tok::AmpAmp => (BinaryOp::LogAnd, 2),
        Tok::PipePipe => (BinaryOp::LogOr, 1),
        _ => (BinaryOp::Mul, 0),
    }
}

/// `Some(op)` for an assignment token; the inner option is the operator of a compound assignment.
fn assignment_operator(kind: Tok) -> Option<Option<BinaryOp>> {
    Some(match kind {
        Tok::Assign => None,
        Tok::StarAssign => Some(BinaryOp::Mul),
        Tok::SlashAssign => Some(BinaryOp::Div),
        Tok::PercentAssign => Some(BinaryOp::Rem),
        Tok::PlusAssign => Some(BinaryOp::Add),
        Tok::MinusAssign => Some(BinaryOp::Sub),
        Tok::ShlAssign => Some(BinaryOp::Shl),
        Tok::ShrAssign => Some(BinaryOp::Shr),
        Tok::AmpAssign => Some(BinaryOp::And),
        Tok::CaretAssign => Some(BinaryOp::Xor),
        Tok::PipeAssign => Some(BinaryOp::Or),
        _ => return None,
    })
}

impl Parser<'_> {
    /// Makes a node over children of at most `height`.
    #[inline]
    pub(super) fn node(&mut self, kind: ExprKind, span: Span, height: u32) -> Parse<Expr> {
        self.height = height + 1;
        self.peak = self.peak.max(self.height);
        if self.height > MAX_HEIGHT {
            return Err(self.too_deep(self.cur.span()));
        }
        Ok(Expr { kind, span })
    }

    /// An expression, commas included.
    pub(super) fn expr(&mut self) -> Parse<Expr> {
        let mut left = self.assign()?;
        while self.eat(Tok::Comma) {
            let height = self.height;
            let right = self.assign()?;
            let span = left.span.to(right.span);
            let height = height.max(self.height);
            left = self.node(ExprKind::Comma(Box::new(left), Box::new(right)), span, height)?;
        }
        Ok(left)
    }

    /// An expression without commas.
    pub(super) fn assign(&mut self) -> Parse<Expr> {
        let left = self.conditional()?;
        match assignment_operator(self.cur.kind) {
            None => Ok(left),
            Some(op) => self.assignment(left, op),
        }
    }

    #[inline(never)]
    fn assignment(&mut self, left: Expr, op: Option<BinaryOp>) -> Parse<Expr> {
        let height = self.height;
        self.bump();
        self.enter()?;
        let right = self.assign()?;
        self.leave();
        let span = left.span.to(right.span);
        self.node(ExprKind::Assign(op, Box::new(left), Box::new(right)), span, height.max(self.height))
    }

    /// A conditional expression; also what C calls a constant expression.
    pub(super) fn conditional(&mut self) -> Parse<Expr> {
        let first = self.binary()?;
        if self.at(Tok::Question) { self.conditional_chain(first) } else { Ok(first) }
    }

    /// `a ? b : c ? d : e`, in a loop over the links.
    #[inline(never)]
    fn conditional_chain(&mut self, first: Expr) -> Parse<Expr> {
        let mut links: Vec<(Expr, Option<Box<Expr>>, u32)> = Vec::new();
        let mut last = first;
        while self.eat(Tok::Question) {
            let mut height = self.height;
            let mut then = None;
            if !self.at(Tok::Colon) {
                self.enter()?;
                then = Some(Box::new(self.expr()?));
                self.leave();
                height = height.max(self.height);
            }
            self.expect(Tok::Colon, "':'")?;
            links.push((last, then, height));
            last = self.binary()?;
        }
        while let Some((cond, then, height)) = links.pop() {
            let span = cond.span.to(last.span);
            let height = height.max(self.height);
            last = self.node(ExprKind::Conditional(Box::new(cond), then, Box::new(last)), span, height)?;
        }
        Ok(last)
    }

    fn binary(&mut self) -> Parse<Expr> {
        let first = self.cast()?;
        if binary_operator(self.cur.kind).1 == 0 { Ok(first) } else { self.binary_chain(first) }
    }

    #[inline(never)]
    fn binary_chain(&mut self, first: Expr) -> Parse<Expr> {
        let mut right = first;
        let base = self.operands.len();
        loop {
            let (op, precedence) = binary_operator(self.cur.kind);
            while self.operands.len() > base
                && let Some(waiting) = self.operands.pop_if(|waiting| waiting.precedence >= precedence)
            {
                let span = waiting.left.span.to(right.span);
                let kind = ExprKind::Binary(waiting.op, Box::new(waiting.left), Box::new(right));
                right = self.node(kind, span, waiting.height.max(self.height))?;
            }
            if precedence == 0 {
                return Ok(right);
            }
            self.bump();
            self.operands.push(Operand { left: right, height: self.height, op, precedence });
            right = self.cast()?;
        }
    }

    /// A cast expression: prefix operators and casts before a postfix expression.
    pub(super) fn cast(&mut self) -> Parse<Expr> {
        match self.cur.kind {
            Tok::LParen if super::specs::is_type_start(self.kind_at(1)) => self.parenthesised_type(),
            Tok::Plus
            | Tok::Minus
            | Tok::Tilde
            | Tok::Bang
            | Tok::Amp
            | Tok::Star
            | Tok::AmpAmp
            | Tok::PlusPlus
            | Tok::MinusMinus
            | Tok::Extension
            | Tok::Real
            | Tok::Imag => self.prefix(),
            Tok::Sizeof | Tok::Alignof => self.size_or_alignment(),
            Tok::Ident if self.kind() == Tok::Alignof => self.size_or_alignment(),
            _ => {
                let primary = self.primary()?;
                self.postfix(primary)
            }
        }
    }

    /// `(type)e` or `(type){…}`
    #[inline(never)]
    fn parenthesised_type(&mut self) -> Parse<Expr> {
        self.enter()?;
        let lo = self.bump().lo;
        let peak = std::mem::take(&mut self.peak);
        let ty = Box::new(self.type_name()?);
        self.expect(Tok::RParen, "')'")?;
        let expr = if self.at(Tok::LBrace) {
            let list = self.init_list()?;
            let kind = ExprKind::CompoundLiteral(ty, list);
            let height = self.peak + 1;
            let literal = self.node(kind, self.span_from(lo), height)?;
            self.postfix(literal)?
        } else {
            let type_height = self.peak;
            let inner = self.cast()?;
            let span = Span::new(lo, inner.span.hi);
            let height = self.height.max(type_height);
            self.node(ExprKind::Cast(ty, Box::new(inner)), span, height)?
        };
        self.peak = self.peak.max(peak);
        self.leave();
        Ok(expr)
    }

    #[inline(never)]
    fn prefix(&mut self) -> Parse<Expr> {
        self.enter()?;
        let token = self.bump();
        if token.kind == Tok::AmpAmp {
            let label = self.expect(Tok::Ident, "a label")?;
            self.leave();
            return self.node(ExprKind::LabelAddr(label.symbol), Span::new(token.lo, label.hi), 0);
        }
        let inner = self.cast()?;
        self.leave();
        let span = Span::new(token.lo, inner.span.hi);
        let arg = Box::new(inner);
        let kind = match token.kind {
            Tok::Extension => return Ok(*arg),
            Tok::Plus => ExprKind::Unary(UnaryOp::Plus, arg),
            Tok::Minus => ExprKind::Unary(UnaryOp::Neg, arg),
            Tok::Tilde => ExprKind::Unary(UnaryOp::BitNot, arg),
            Tok::Bang => ExprKind::Unary(UnaryOp::Not, arg),
            Tok::Amp => ExprKind::Unary(UnaryOp::AddrOf, arg),
            Tok::Star => ExprKind::Unary(UnaryOp::Deref, arg),
            Tok::Real | Tok::Imag => ExprKind::RealImag { imag: token.kind == Tok::Imag, arg },
            _ => ExprKind::IncDec { arg, increment: token.kind == Tok::PlusPlus, prefix: true },
        };
        self.node(kind, span, self.height)
    }

    /// `sizeof` and `_Alignof`, of types and of expressions.
    #[inline(never)]
    fn size_or_alignment(&mut self) -> Parse<Expr> {
        self.enter()?;
        let keyword = self.bump();
        let of_size = keyword.kind == Tok::Sizeof;
        let preferred = self.slice(keyword).starts_with("__");
        let lo = keyword.lo;
        let peak = std::mem::take(&mut self.peak);
        let (kind, height) = if self.at(Tok::LParen) && super::specs::is_type_start(self.kind_at(1)) {
            let open = self.bump().lo;
            let ty = Box::new(self.type_name()?);
            self.expect(Tok::RParen, "')'")?;
            if self.at(Tok::LBrace) {
                let list = self.init_list()?;
                let literal = ExprKind::CompoundLiteral(ty, list);
                let height = self.peak + 1;
                let literal = self.node(literal, self.span_from(open), height)?;
                let expr = Box::new(self.postfix(literal)?);
                let kind = if of_size { ExprKind::SizeofExpr(expr) } else { ExprKind::AlignofExpr(expr) };
                (kind, self.height)
            } else {
                let kind =
                    if of_size { ExprKind::SizeofType(ty) } else { ExprKind::AlignofType(ty, preferred) };
                (kind, self.peak + 1)
            }
        } else {
            let expr = Box::new(self.cast()?);
            let kind = if of_size { ExprKind::SizeofExpr(expr) } else { ExprKind::AlignofExpr(expr) };
            (kind, self.height)
        };
        self.peak = self.peak.max(peak);
        self.leave();
        self.node(kind, self.span_from(lo), height)
    }

    /// Suffixes: `[i]`, `(args)`, `.f`, `->f`, `++`, `--`.
    pub(super) fn postfix(&mut self, mut expr: Expr) -> Parse<Expr> {
        loop {
            match self.cur.kind {
                Tok::LBracket => {
                    let height = self.height;
                    self.bump();
                    self.enter()?;
                    let index = self.expr()?;
                    self.leave();
                    let close = self.expect(Tok::RBracket, "']'")?;
                    let span = Span::new(expr.span.lo, close.hi);
                    let kind = ExprKind::Index(Box::new(expr), Box::new(index));
                    expr = self.node(kind, span, height.max(self.height))?;
                }
                Tok::LParen => expr = self.call(expr)?,
                Tok::Dot | Tok::Arrow => {
                    let arrow = self.bump().kind == Tok::Arrow;
                    let field = self.expect(Tok::Ident, "the name of a member")?;
                    let span = Span::new(expr.span.lo, field.hi);
                    let kind = ExprKind::Member { base: Box::new(expr), field: field.symbol, arrow };
                    expr = self.node(kind, span, self.height)?;
                }
                Tok::PlusPlus | Tok::MinusMinus => {
                    let token = self.bump();
                    let span = Span::new(expr.span.lo, token.hi);
                    let increment = token.kind == Tok::PlusPlus;
                    let kind = ExprKind::IncDec { arg: Box::new(expr), increment, prefix: false };
                    expr = self.node(kind, span, self.height)?;
                }
                _ => return Ok(expr),
            }
        }
    }

    #[inline(never)]
    fn call(&mut self, callee: Expr) -> Parse<Expr> {
        let mut height = self.height;
        self.bump();
        self.enter()?;
        let mut args = Vec::new();
        if !self.at(Tok::RParen) {
            loop {
                let arg = self.assign()?;
                height = height.max(self.height);
                args.push(arg);
                if !self.eat(Tok::Comma) {
                    break;
                }
            }
        }
        self.leave();
        let close = self.expect(Tok::RParen, "',' or ')'")?;
        let span = Span::new(callee.span.lo, close.hi);
        self.node(ExprKind::Call(Box::new(callee), args), span, height)
    }
}
