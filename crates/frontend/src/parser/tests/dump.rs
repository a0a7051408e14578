//! The syntax tree as compact S-expressions, for tests.

use crate::ast::*;
use crate::symbol::{Interner, Symbol};
use std::fmt::Write as _;

pub(super) struct Dump<'a>(pub &'a Interner);

fn list(head: &str, parts: impl IntoIterator<Item = String>) -> String {
    let mut out = format!("({head}");
    for part in parts {
        if !part.is_empty() {
            let _ = write!(out, " {part}");
        }
    }
    out.push(')');
    out
}

impl Dump<'_> {
    fn name(&self, symbol: Symbol) -> String {
        self.0.name(symbol).to_owned()
    }

    pub fn unit(&self, unit: &Unit) -> String {
        unit.items.iter().map(|item| self.item(item) + "\n").collect()
    }

    fn item(&self, item: &Item) -> String {
        match item {
            Item::Function(f) => {
                let mut parts = vec![self.specs(&f.specs), self.declarator(&f.declarator)];
                parts.extend(f.knr_decls.iter().map(|d| self.declaration(d)));
                parts.push(match &f.broken {
                    Some((why, _)) => format!("BROKEN: {why}"),
                    None => self.block(&f.body),
                });
                list("fn", parts)
            }
            Item::Declaration(d) => self.declaration(d),
            Item::StaticAssert(a) => self.static_assert(a),
            Item::Asm(_) => "(asm)".into(),
        }
    }

    fn static_assert(&self, a: &StaticAssert) -> String {
        list(
            "static_assert",
            [self.expr(&a.cond), a.message.as_ref().map_or(String::new(), |m| format!("{m:?}"))],
        )
    }

    fn declaration(&self, d: &Declaration) -> String {
        let mut parts = vec![self.specs(&d.specs)];
        for one in &d.declarators {
            let mut part = self.declarator(&one.declarator);
            if let Some(label) = &one.asm_label {
                let _ = write!(part, " asm:{label}");
            }
            part += &self.attrs(&one.attrs);
            if let Some(init) = &one.init {
                part = format!("(= {part} {})", self.init(init));
            }
            parts.push(part);
        }
        list("decl", parts)
    }

    fn attrs(&self, attrs: &[Attribute]) -> String {
        let one = |a: &Attribute| {
            let args: Vec<String> = a.args.iter().map(|e| self.expr(e)).collect();
            if args.is_empty() {
                format!(" @{}", a.name)
            } else {
                format!(" @{}({})", a.name, args.join(","))
            }
        };
        attrs.iter().map(one).collect()
    }

    fn quals(&self, q: Quals) -> String {
        let flags = [(q.is_const, "c"), (q.is_volatile, "v"), (q.is_restrict, "r"), (q.is_atomic, "a")];
        flags.iter().filter(|(on, _)| *on).map(|(_, s)| *s).collect()
    }

    fn specs(&self, s: &DeclSpecs) -> String {
        let mut words: Vec<String> = Vec::new();
        if s.storage != Storage::None {
            words.push(format!("{:?}", s.storage).to_lowercase());
        }
        let flags = [
            (s.thread_local, "thread"),
            (s.constexpr, "constexpr"),
            (s.inline, "inline"),
            (s.noreturn, "noreturn"),
            (s.quals.is_const, "const"),
            (s.quals.is_volatile, "volatile"),
            (s.quals.is_restrict, "restrict"),
            (s.quals.is_atomic, "atomic"),
        ];
        words.extend(flags.iter().filter(|(on, _)| *on).map(|(_, w)| (*w).to_owned()));
        for a in &s.alignas {
            words.push(match a {
                AlignAs::Type(t) => format!("alignas({})", self.type_name(t)),
                AlignAs::Expr(e) => format!("alignas({})", self.expr(e)),
            });
        }
        words.push(self.type_spec(&s.ty));
        words.join(" ") + &self.attrs(&s.attrs)
    }

    fn type_spec(&self, ty: &TypeSpec) -> String {
        match ty {
            TypeSpec::Basic(b) => format!("{b:?}").to_lowercase(),
            TypeSpec::Record(r) => {
                let mut head = if r.is_union { "union" } else { "struct" }.to_owned();
                if let Some(tag) = r.tag {
                    head += &format!(" {}", self.name(tag));
                }
                head += &self.attrs(&r.attrs);
                if let Some(pack) = r.pragma_pack {
                    let _ = write!(head, " pack{pack}");
                }
                match &r.members {
                    None => head,
                    Some(members) => list(&head, members.iter().map(|m| self.member(m))),
                }
            }
            TypeSpec::Enum(e) => {
                let mut head = "enum".to_owned();
                if let Some(tag) = e.tag {
                    head += &format!(" {}", self.name(tag));
                }
                if let Some(ty) = &e.underlying {
                    head += &format!(" :{}", self.type_name(ty));
                }
                head += &self.attrs(&e.attrs);
                match &e.constants {
                    None => head,
                    Some(constants) => list(
                        &head,
                        constants.iter().map(|c| match &c.value {
                            None => self.name(c.name),
                            Some(value) => format!("{}={}", self.name(c.name), self.expr(value)),
                        }),
                    ),
                }
            }
            TypeSpec::Typedef(name) => format!("'{}", self.name(*name)),
            TypeSpec::TypeofExpr(e) => format!("typeof({})", self.expr(e)),
            TypeSpec::TypeofType(t) => format!("typeof<{}>", self.type_name(t)),
            TypeSpec::Unqualified(inner) => format!("unqualified({})", self.type_spec(inner)),
            TypeSpec::Atomic(t) => format!("atomic<{}>", self.type_name(t)),
            TypeSpec::Auto => "auto".into(),
            TypeSpec::Implicit => "implicit".into(),
        }
    }

    fn member(&self, member: &Member) -> String {
        match member {
            Member::StaticAssert(a) => self.static_assert(a),
            Member::Field { specs, declarators, .. } => {
                let mut out = self.specs(specs);
                for d in declarators {
                    out += " ";
                    out += &d.declarator.as_ref().map_or(String::new(), |d| self.declarator(d));
                    if let Some(width) = &d.width {
                        out += &format!(":{}", self.expr(width));
                    }
                    out += &self.attrs(&d.attrs);
                }
                out + ";"
            }
        }
    }

    fn declarator(&self, d: &Declarator) -> String {
        let mut out = d.name.map_or(String::new(), |n| self.name(n));
        for step in &d.derived {
            out += &match step {
                Derived::Pointer(q) => format!("*{}", self.quals(*q)),
                Derived::Array { len, quals } => {
                    let len = match len {
                        ArrayLen::None => String::new(),
                        ArrayLen::Star => "*".into(),
                        ArrayLen::Expr(e) => self.expr(e),
                    };
                    format!("[{}{len}]", self.quals(*quals))
                }
                Derived::Function(params) => {
                    let mut parts: Vec<String> = Vec::new();
                    for p in &params.params {
                        parts.push(format!("{} {}", self.specs(&p.specs), self.declarator(&p.declarator)));
                    }
                    parts.extend(params.identifiers.iter().map(|&(name, _)| self.name(name)));
                    if params.variadic {
                        parts.push("...".into());
                    }
                    if params.empty {
                        parts.push("?".into());
                    }
                    format!("({})", parts.join(", "))
                }
            };
        }
        out + &self.attrs(&d.attrs)
    }

    fn type_name(&self, t: &TypeName) -> String {
        self.specs(&t.specs) + &self.declarator(&t.declarator)
    }

    fn init(&self, init: &Initializer) -> String {
        match init {
            Initializer::Expr(e) => self.expr(e),
            Initializer::List(l) => self.init_list(l),
        }
    }

    fn init_list(&self, l: &InitList) -> String {
        let entry = |entry: &InitEntry| {
            let mut out = String::new();
            for d in &entry.designators {
                out += &match d {
                    Designator::Field(name, _) => format!(".{}", self.name(*name)),
                    Designator::Index(e) => format!("[{}]", self.expr(e)),
                    Designator::Range(a, b) => format!("[{}...{}]", self.expr(a), self.expr(b)),
                };
            }
            out + if entry.designators.is_empty() { "" } else { "=" } + &self.init(&entry.value)
        };
        format!("{{{}}}", l.entries.iter().map(entry).collect::<Vec<_>>().join(", "))
    }

    fn block(&self, b: &Block) -> String {
        list(
            "block",
            b.items.iter().map(|item| match item {
                BlockItem::Declaration(d) => self.declaration(d),
                BlockItem::NestedFunction(_) => "(nested-fn)".into(),
                BlockItem::StaticAssert(a) => self.static_assert(a),
                BlockItem::Stmt(s) => self.stmt(s),
            }),
        )
    }

    fn stmt(&self, s: &Stmt) -> String {
        let opt = |e: &Option<Box<Expr>>| e.as_ref().map_or("_".to_owned(), |e| self.expr(e));
        match &s.kind {
            StmtKind::Empty => ";".into(),
            StmtKind::Expr(e) => self.expr(e),
            StmtKind::Block(b) => self.block(b),
            StmtKind::If { cond, then, otherwise } => {
                let otherwise = otherwise.as_ref().map_or(String::new(), |s| self.stmt(s));
                list("if", [self.expr(cond), self.stmt(then), otherwise])
            }
            StmtKind::While { cond, body } => list("while", [self.expr(cond), self.stmt(body)]),
            StmtKind::DoWhile { body, cond } => list("do", [self.stmt(body), self.expr(cond)]),
            StmtKind::For { init, cond, step, body } => {
                let init = match init.as_deref() {
                    None => "_".into(),
                    Some(BlockItem::Declaration(d)) => self.declaration(d),
                    Some(BlockItem::Stmt(s)) => self.stmt(s),
                    Some(_) => "?".into(),
                };
                list("for", [init, opt(cond), opt(step), self.stmt(body)])
            }
            StmtKind::Switch { value, body } => list("switch", [self.expr(value), self.stmt(body)]),
            StmtKind::Case { low, high, body } => {
                let high = high.as_ref().map_or(String::new(), |e| format!("... {}", self.expr(e)));
                list("case", [self.expr(low), high, self.stmt(body)])
            }
            StmtKind::Default(body) => list("default", [self.stmt(body)]),
            StmtKind::Label { name, body } => list("label", [self.name(*name), self.stmt(body)]),
            StmtKind::Goto(name) => format!("(goto {})", self.name(*name)),
            StmtKind::GotoExpr(e) => format!("(goto* {})", self.expr(e)),
            StmtKind::Continue => "(continue)".into(),
            StmtKind::Break => "(break)".into(),
            StmtKind::Return(e) => list("return", e.iter().map(|e| self.expr(e))),
            StmtKind::LocalLabels(names) => list("labels", names.iter().map(|&n| self.name(n))),
            StmtKind::Asm(a) => {
                let flags = [(a.has_outputs, "out"), (a.is_goto, "goto")];
                let flags = flags.iter().filter(|(on, _)| *on).map(|(_, f)| (*f).to_owned());
                list("asm", std::iter::once(format!("{:?}", a.template)).chain(flags))
            }
        }
    }

    fn exprs(&self, head: &str, args: &[&Expr]) -> String {
        list(head, args.iter().map(|e| self.expr(e)))
    }

    pub fn expr(&self, e: &Expr) -> String {
        match &e.kind {
            ExprKind::Ident(name) => self.name(*name),
            ExprKind::Int { value, unsigned, longs, .. } => {
                format!("{value}{}{}", if *unsigned { "u" } else { "" }, "l".repeat((*longs).into()))
            }
            ExprKind::Float { value, ty, .. } => format!("{value:?}:{ty:?}").to_lowercase(),
            ExprKind::Char { value, encoding } => format!("'{value}'{}", prefix(*encoding)),
            ExprKind::Str { units, encoding } => {
                let text: String = units.iter().map(|&u| char::from_u32(u).unwrap_or('?')).collect();
                format!("{}{text:?}", prefix(*encoding))
            }
            ExprKind::Nullptr => "nullptr".into(),
            ExprKind::Bool(b) => format!("#{b}"),
            ExprKind::FuncName => "__func__".into(),
            ExprKind::Index(a, b) => self.exprs("[]", &[a, b]),
            ExprKind::Call(f, args) => {
                list("call", std::iter::once(self.expr(f)).chain(args.iter().map(|a| self.expr(a))))
            }
            ExprKind::Member { base, field, arrow } => {
                list(if *arrow { "->" } else { "." }, [self.expr(base), self.name(*field)])
            }
            ExprKind::IncDec { arg, increment, prefix } => {
                let op = if *increment { "++" } else { "--" };
                if *prefix { self.exprs(op, &[arg]) } else { self.exprs(&format!("post{op}"), &[arg]) }
            }
            ExprKind::Unary(op, a) => self.exprs(&format!("{op:?}").to_lowercase(), &[a]),
            ExprKind::Binary(op, a, b) => self.exprs(&format!("{op:?}").to_lowercase(), &[a, b]),
            ExprKind::Assign(None, a, b) => self.exprs("=", &[a, b]),
            ExprKind::Assign(Some(op), a, b) => self.exprs(&format!("{op:?}=").to_lowercase(), &[a, b]),
            ExprKind::Conditional(c, Some(a), b) => self.exprs("?", &[c, a, b]),
            ExprKind::Conditional(c, None, b) => self.exprs("?:", &[c, b]),
            ExprKind::Comma(a, b) => self.exprs(",", &[a, b]),
            ExprKind::Cast(t, a) => list("cast", [self.type_name(t), self.expr(a)]),
            ExprKind::CompoundLiteral(t, l) => list("literal", [self.type_name(t), self.init_list(l)]),
            ExprKind::SizeofExpr(a) => self.exprs("sizeof", &[a]),
            ExprKind::SizeofType(t) => format!("sizeof<{}>", self.type_name(t)),
            ExprKind::AlignofType(t, _) => format!("alignof<{}>", self.type_name(t)),
            ExprKind::AlignofExpr(a) => self.exprs("alignof", &[a]),
            ExprKind::Generic(c, arms) => {
                let arm = |(t, e): &(Option<TypeName>, Expr)| {
                    let head =
                        t.as_ref().map_or("default".to_owned(), |t| format!("<{}>", self.type_name(t)));
                    format!("{head}:{}", self.expr(e))
                };
                list("generic", std::iter::once(self.expr(c)).chain(arms.iter().map(arm)))
            }
            ExprKind::StmtExpr(b) => list("stmt-expr", [self.block(b)]),
            ExprKind::LabelAddr(name) => format!("&&{}", self.name(*name)),
            ExprKind::VaArg(a, t) => list("va_arg", [self.expr(a), format!("<{}>", self.type_name(t))]),
            ExprKind::Offsetof(t, path) => {
                let step = |s: &OffsetofStep| match s {
                    OffsetofStep::Field(name, _) => format!(".{}", self.name(*name)),
                    OffsetofStep::Index(e) => format!("[{}]", self.expr(e)),
                };
                list("offsetof", [format!("<{}>", self.type_name(t)), path.iter().map(step).collect()])
            }
            ExprKind::TypesCompatible(a, b) => {
                list("compatible", [format!("<{}>", self.type_name(a)), format!("<{}>", self.type_name(b))])
            }
            ExprKind::ChooseExpr(c, a, b) => self.exprs("choose", &[c, a, b]),
            ExprKind::RealImag { imag, arg } => self.exprs(if *imag { "imag" } else { "real" }, &[arg]),
        }
    }
}

fn prefix(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Plain => "",
        Encoding::Utf8 => "u8",
        Encoding::Utf16 => "u",
        Encoding::Utf32 => "U",
        Encoding::Wide => "L",
    }
}
