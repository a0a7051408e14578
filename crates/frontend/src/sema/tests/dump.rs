//! Expressions of the typed tree as text, and tests of conversions by it.

use super::{HirProgram, body, clean};
use crate::hir::{CalleeExpr, Expr, ExprKind, HirFunction, Place, PlaceKind, StmtKind};
use expect_test::{Expect, expect};
use heapwise_ir::{CastKind, Const, DataModel, FloatTy, Ty, Type};

struct Dump<'p> {
    program: &'p HirProgram,
    function: &'p HirFunction,
}

impl Dump<'_> {
    fn ty(&self, ty: Ty) -> String {
        match self.program.program.types.get(ty) {
            Type::Void => "void".into(),
            Type::Bool => "bool".into(),
            Type::Int(i) => format!("{}{}", if i.signed { "i" } else { "u" }, i.bits),
            Type::Float(FloatTy::F32) => "f32".into(),
            Type::Float(FloatTy::F64) => "f64".into(),
            Type::Float(_) => "f80".into(),
            Type::Pointer(to) => format!("*{}", self.ty(*to)),
            Type::Array { elem, len } => format!("[{};{:?}]", self.ty(*elem), len),
            Type::Function { .. } => "fn".into(),
            Type::Record(r) => {
                self.program.program.types.records[*r].name.as_deref().unwrap_or("record").into()
            }
            Type::Opaque { size, .. } => format!("opaque{size}"),
        }
    }

    fn place(&self, p: &Place) -> String {
        match &p.kind {
            PlaceKind::Local(l) => match &self.function.locals[*l].name {
                Some(name) => name.to_string(),
                None => format!("t{}", l.0),
            },
            PlaceKind::Global(g) => self.program.program.globals[*g].name.to_string(),
            PlaceKind::Deref(e) => format!("(*{})", self.expr(e)),
            PlaceKind::Field { base, record, field } => {
                let field = &self.program.program.types.records[*record].fields[*field as usize];
                format!("{}.{}", self.place(base), field.name.as_deref().unwrap_or("?"))
            }
            PlaceKind::Index { base, index, stride } => {
                format!("{}[{}*{stride}]", self.place(base), self.expr(index))
            }
            PlaceKind::Literal { local, init } => {
                format!("literal t{} {} stores", local.0, init.stores.len())
            }
            PlaceKind::Temporary(e) => format!("temporary({})", self.expr(e)),
        }
    }

    fn list(&self, args: &[Expr]) -> String {
        args.iter().map(|a| self.expr(a)).collect::<Vec<_>>().join(", ")
    }

    fn expr(&self, e: &Expr) -> String {
        match &e.kind {
            ExprKind::Const(Const::Int { value, ty }) => format!("{value}:{}", self.ty(*ty)),
            ExprKind::Const(Const::Float { value, ty }) => format!("{value}:{}", self.ty(*ty)),
            ExprKind::Const(Const::Null(ty)) => format!("null:{}", self.ty(*ty)),
            ExprKind::Const(other) => format!("{other:?}"),
            ExprKind::LabelAddr(l) => format!("&&{}", self.function.labels[*l].name),
            ExprKind::Load(p) => self.place(p),
            ExprKind::AddrOf(p) => format!("&{}", self.place(p)),
            ExprKind::Unary(op, a) => format!("{op:?}({})", self.expr(a)),
            ExprKind::Binary(op, a, b) => format!("{op:?}({}, {})", self.expr(a), self.expr(b)),
            ExprKind::Compare(op, a, b) => format!("{op:?}({}, {})", self.expr(a), self.expr(b)),
            ExprKind::Cast(kind, a) => {
                let kind = match kind {
                    CastKind::ToBool => "truth",
                    _ => "as",
                };
                format!("({} {kind} {})", self.expr(a), self.ty(e.ty))
            }
            ExprKind::Discard(a) => format!("discard {}", self.expr(a)),
            ExprKind::PtrAdd { ptr, index, stride } => {
                format!("({} + {}*{stride})", self.expr(ptr), self.expr(index))
            }
            ExprKind::PtrAddBytes { ptr, bytes } => format!("({} + {})", self.expr(ptr), self.expr(bytes)),
            ExprKind::PtrDiff { lhs, rhs, stride } => {
                format!("(({} - {})/{stride})", self.expr(lhs), self.expr(rhs))
            }
            ExprKind::LogAnd(a, b) => format!("({} && {})", self.expr(a), self.expr(b)),
            ExprKind::LogOr(a, b) => format!("({} || {})", self.expr(a), self.expr(b)),
            ExprKind::Not(a) => format!("!{}", self.expr(a)),
            ExprKind::Conditional(c, a, b) => {
                format!("({} ? {} : {})", self.expr(c), self.expr(a), self.expr(b))
            }
            ExprKind::Comma(a, b) => format!("({}, {})", self.expr(a), self.expr(b)),
            ExprKind::Let { temp, value, body } => {
                format!("let t{} = {} in {}", temp.0, self.expr(value), self.expr(body))
            }
            ExprKind::Assign { place, value } => format!("{} = {}", self.place(place), self.expr(value)),
            ExprKind::Update { place, rhs, old, new, postfix } => {
                let rhs = rhs.as_ref().map(|(t, e)| format!(", t{} = {}", t.0, self.expr(e)));
                let which = if *postfix { "old" } else { "new" };
                format!(
                    "update {} (t{}{}) to {} giving {which}",
                    self.place(place),
                    old.0,
                    rhs.unwrap_or_default(),
                    self.expr(new)
                )
            }
            ExprKind::Call { callee: CalleeExpr::Direct(f), args } => {
                format!("{}({})", self.program.program.functions[*f].name, self.list(args))
            }
            ExprKind::Call { callee: CalleeExpr::Indirect(f), args } => {
                format!("({})({})", self.expr(f), self.list(args))
            }
            ExprKind::Intrinsic { op, args } => format!("{op:?}({})", self.list(args)),
            ExprKind::StmtExpr { block, value } => {
                let value = value.as_ref().map_or(String::new(), |v| self.expr(v));
                format!("({{ {} statements; {value} }})", block.stmts.len())
            }
        }
    }
}

/// The expression statements, returns and initialisers of function `f`, one per line.
fn dump(text: &str, model: DataModel) -> String {
    let program = clean(text, model);
    let function = body(&program, "f");
    let d = Dump { program: &program, function };
    let mut lines = Vec::new();
    for stmt in &function.body.stmts {
        match &stmt.kind {
            StmtKind::Expr(e) => lines.push(d.expr(e)),
            StmtKind::Return(Some(e)) => lines.push(format!("return {}", d.expr(e))),
            StmtKind::Declare { local, vla_size, init } => {
                let name = function.locals[*local].name.as_deref().unwrap_or("?");
                if let Some(size) = vla_size {
                    lines.push(format!("{name}: {} bytes", d.expr(size)));
                }
                for (place, value) in init.iter().flat_map(|i| &i.stores) {
                    lines.push(format!("{} := {}", d.place(place), d.expr(value)));
                }
            }
            _ => {}
        }
    }
    lines.join("\n") + "\n"
}

fn lp64(text: &str, expected: Expect) {
    expected.assert_eq(&dump(text, DataModel::Lp64));
}

#[test]
fn promotions_and_usual_conversions() {
    lp64(
        "void f(char c, unsigned char u, short s, unsigned n, long l, float x, _Bool b) {
            c + u; s << l; n + l; n < s; x * 2; b | c; -u; ~s; l ? c : n; !x; c == 'a';
        }",
        expect![[r#"
            Add((c as i32), (u as i32))
            Shl((s as i32), l)
            Add((n as i64), l)
            Lt(n, ((s as i32) as u32))
            Mul(x, 2:f32)
            Or((b as i32), (c as i32))
            Neg((u as i32))
            BitNot((s as i32))
            (l ? ((c as i32) as u32) : n)
            !x
            Eq((c as i32), 97:i32)
        "#]],
    );
    expect![[r#"
        Add(n, l)
        Add((n as i64), q)
        return (q as i32)
    "#]]
    .assert_eq(&dump(
        "long f(unsigned n, unsigned long l, long long q) { n + l; n + q; return q; }",
        DataModel::Ilp32,
    ));
}

#[test]
fn bit_fields_promote_by_width() {
    lp64(
        "struct s { unsigned a : 3; unsigned b : 32; int c : 4; unsigned long long d : 40; };
         void f(struct s *p) { p->a + 1; p->b + 1; p->c + 1u; p->d + 1; (p->a = 2) - 3; p->a++; }",
        expect![[r#"
            Add(((*p).a as i32), 1:i32)
            Add((*p).b, 1:u32)
            Add(((*p).c as u32), 1:u32)
            And(Add((*p).d, 1:u64), 1099511627775:u64)
            Sub(((*p).a = 2:u32 as i32), 3:i32)
            update (*p).a (t1) to (Add((t1 as i32), 1:i32) as u32) giving old
        "#]],
    );
}

#[test]
fn pointers() {
    lp64(
        "struct n { int v; struct n *next; };
         void f(struct n *p, int a[3][4], void *v, const char *s, int i) {
            p + 1; p - i; &p[2] - p; a[1][i]; v + 1; s[0]; p == 0; v == p; i[s]; *&p->v; &*p; p->next->v += 2.5;
            p = v; *a[1] = i; p ? p : v;
         }",
        expect![[r#"
            (p + 1:i32*16)
            (p + i*-16)
            (((p + 2:i32*16) - p)/16)
            (*(a + 1:i32*16))[i*4]
            (v + 1:i32*1)
            (*(s + 0:i32*1))
            Eq(p, null:*n)
            Eq(v, (p as *void))
            (*(s + i*1))
            (*p).v
            p
            update (*(*p).next).v (t5) to (Add((t5 as f64), 2.5:f64) as i32) giving new
            p = (v as *n)
            (*(a + 1:i32*16))[0:i32*4] = i
            (p ? (p as *void) : v)
        "#]],
    );
}

#[test]
fn calls_convert_arguments() {
    lp64(
        "int g(long, double, const void *); int k(); int v(const char *, ...);
         typedef int (*fp)(short);
         int f(fp q, char c, float x, int *p) { g(c, c, p); k(c, x, p); v(\"\", c, x); q(c); (*q)(1); return c; }",
        expect![[r#"
            g((c as i64), (c as f64), (p as *void))
            k((c as i32), (x as f64), p)
            v(&.str.0, (c as i32), (x as f64))
            (q)((c as i16))
            (q)(1:i16)
            return (c as i32)
        "#]],
    );
}

#[test]
fn gnu_expressions() {
    lp64(
        "int g(void);
         void f(int i) { g() ?: i; ({ int k = i; k + 1; }); __builtin_expect(i, 0); (void)i;
            __builtin_constant_p(i) + __builtin_constant_p(3); __builtin_choose_expr(1, i, 2.0);
            __sync_fetch_and_add(&i, 2); 0 && g(); sizeof(char[3]) + _Alignof(double); }",
        expect![[r#"
            let t1 = g() in (t1 ? t1 : i)
            ({ 1 statements; Add(k, 1:i32) })
            (i as i64)
            discard i
            Add(ConstantP(), 1:i32)
            i
            update (*&i) (t3) to Add(t3, 2:i32) giving old
            0:i32
            11:u64
        "#]],
    );
}

#[test]
fn lengths_of_variable_arrays_are_evaluated_once() {
    lp64(
        "void f(int n, int m) { int a[n][m]; a[1][2] = sizeof a; int (*p)[m] = a; p++; sizeof(int[n]); }",
        expect![[r#"
            t2 = (m as u64)
            t3 = (n as u64)
            a: Mul(t3, Mul(t2, 4:u64)) bytes
            (*(&(*a) + Mul(1:i64, (Mul(t2, 4:u64) as i64))))[2:i32*4] = (Mul(t3, Mul(t2, 4:u64)) as i32)
            t5 = (m as u64)
            p := &(*a)
            update p (t7) to (t7 + Mul(1:i64, (Mul(t5, 4:u64) as i64))) giving old
            (t8 = (n as u64), Mul(t8, 4:u64))
        "#]],
    );
}

#[test]
fn old_style_parameters_arrive_promoted() {
    lp64(
        "int f(c, x) char c; float x; { return c + x; }",
        expect![[r#"
            c := (t0 as i8)
            x := (t2 as f32)
            return (Add(((c as i32) as f32), x) as i32)
        "#]],
    );
}
