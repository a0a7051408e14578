//! Random formulas, worlds and actions, with a plain evaluator that shares nothing with the crate: formulas are printed
//! as TVP and evaluated here by their textbook meaning on two-valued worlds.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// SplitMix64.
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 8) as usize % n
    }

    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

pub type Name = &'static str;
/// What variables stand for.
pub type Env = BTreeMap<Name, usize>;

/// The declarations that all random actions share.
pub const DECLARATIONS: &str = "\
%p q()
%p x(v) unique
%p y(v) unique
%p c(v)
%p n(v, w) function
%p m(v, w) nonabs
%p k3(u, v, w)
%i some() = E(v) c(v)
%i all() = A(v) (c(v) -> E(w) n(v, w))
%i r(v) = E(w) x(w) & n*(w, v)
%i t(v, w) = n*(v, w)
%i is(v) = E(a, b) (a != b & n(a, v) & n(b, v))
%i loop(v) = n+(v, v)
%i way(u, v, w) = k3(u, v, w) & n*(u, w)
%i third(v) = E(a, b) k3(a, b, v)
";

const NULLARY: [Name; 3] = ["q", "some", "all"];
const UNARY: [Name; 7] = ["x", "y", "c", "r", "is", "loop", "third"];
const BINARY: [Name; 3] = ["n", "m", "t"];
/// Core predicates by arity.
pub const CORE: [&[Name]; 4] = [&["q"], &["x", "y", "c"], &["n", "m"], &["k3"]];

/// A formula.
#[derive(Clone, Debug)]
pub enum F {
    Const(bool),
    P0(Name),
    P1(Name, Name),
    P2(Name, Name, Name),
    P3(Name, Name, Name, Name),
    /// `p*` or `p+`; true for the reflexive one.
    Path(Name, bool, Name, Name),
    Eq(Name, Name),
    Not(Box<F>),
    And(Box<F>, Box<F>),
    Or(Box<F>, Box<F>),
    Implies(Box<F>, Box<F>),
    Iff(Box<F>, Box<F>),
    If(Box<F>, Box<F>, Box<F>),
    E(Name, Box<F>),
    A(Name, Box<F>),
    /// `TC(a, b)(s, t) f`.
    Tc(Name, Name, Name, Name, Box<F>),
}

impl F {
    pub fn text(&self) -> String {
        match self {
            F::Const(b) => i32::from(*b).to_string(),
            F::P0(p) => format!("{p}()"),
            F::P1(p, v) => format!("{p}({v})"),
            F::P2(p, v, w) => format!("{p}({v}, {w})"),
            F::P3(p, u, v, w) => format!("{p}({u}, {v}, {w})"),
            F::Path(p, star, v, w) => format!("{p}{}({v}, {w})", if *star { "*" } else { "+" }),
            F::Eq(v, w) => format!("{v} == {w}"),
            F::Not(f) => format!("!({})", f.text()),
            F::And(f, g) => format!("({} & {})", f.text(), g.text()),
            F::Or(f, g) => format!("({} | {})", f.text(), g.text()),
            F::Implies(f, g) => format!("({} -> {})", f.text(), g.text()),
            F::Iff(f, g) => format!("({} <-> {})", f.text(), g.text()),
            F::If(c, f, g) => format!("({} ? {} : {})", c.text(), f.text(), g.text()),
            F::E(v, f) => format!("(E({v}) {})", f.text()),
            F::A(v, f) => format!("(A({v}) {})", f.text()),
            F::Tc(a, b, s, t, f) => format!("(TC({a}, {b})({s}, {t}) {})", f.text()),
        }
    }

    pub fn free(&self) -> Vec<Name> {
        let mut found: Vec<Name> = match self {
            F::Const(_) | F::P0(_) => vec![],
            F::P1(_, v) => vec![v],
            F::P2(_, v, w) | F::Path(_, _, v, w) | F::Eq(v, w) => vec![v, w],
            F::P3(_, u, v, w) => vec![u, v, w],
            F::Not(f) => f.free(),
            F::And(f, g) | F::Or(f, g) | F::Implies(f, g) | F::Iff(f, g) => [f.free(), g.free()].concat(),
            F::If(c, f, g) => [c.free(), f.free(), g.free()].concat(),
            F::E(v, f) | F::A(v, f) => f.free().into_iter().filter(|w| w != v).collect(),
            F::Tc(a, b, s, t, f) => {
                let inner = f.free().into_iter().filter(|v| v != s && v != t);
                inner.chain([*a, *b]).collect()
            }
        };
        found.sort_unstable();
        found.dedup();
        found
    }

    pub fn holds(&self, w: &World, env: &Env) -> bool {
        match self {
            F::Const(b) => *b,
            F::P0(p) => w.get(p, &[]),
            F::P1(p, v) => w.get(p, &[env[v]]),
            F::P2(p, u, v) => w.get(p, &[env[u], env[v]]),
            F::P3(p, t, u, v) => w.get(p, &[env[t], env[u], env[v]]),
            F::Path(p, star, u, v) => w.path(&|i, j| w.get(p, &[i, j]), *star, env[u], env[v]),
            F::Eq(u, v) => env[u] == env[v],
            F::Not(f) => !f.holds(w, env),
            F::And(f, g) => f.holds(w, env) && g.holds(w, env),
            F::Or(f, g) => f.holds(w, env) || g.holds(w, env),
            F::Implies(f, g) => !f.holds(w, env) || g.holds(w, env),
            F::Iff(f, g) => f.holds(w, env) == g.holds(w, env),
            F::If(c, f, g) => {
                if c.holds(w, env) {
                    f.holds(w, env)
                } else {
                    g.holds(w, env)
                }
            }
            F::E(v, f) => (0..w.size).any(|i| f.holds(w, &with(env, v, i))),
            F::A(v, f) => (0..w.size).all(|i| f.holds(w, &with(env, v, i))),
            F::Tc(a, b, s, t, f) => {
                let step = |i, j| f.holds(w, &with(&with(env, s, i), t, j));
                w.path(&step, false, env[a], env[b])
            }
        }
    }

    /// A random formula without closures, such as can be brought into focus.
    fn local(dice: &mut Dice, scope: &[Name]) -> F {
        loop {
            let f = F::random(dice, 1, scope, false);
            if !matches!(f.text(), t if t.contains("*(") || t.contains("+(")) {
                return f;
            }
        }
    }

    /// A random formula whose free variables are among `scope`.
    pub fn random(dice: &mut Dice, depth: usize, scope: &[Name], marks: bool) -> F {
        const INNER: [Name; 4] = ["i", "j", "k", "l"];
        let sub = |dice: &mut Dice, scope: &[Name]| Box::new(F::random(dice, depth - 1, scope, marks));
        if depth == 0 || dice.one_in(4) {
            return F::atom(dice, scope, marks);
        }
        let inner = INNER[depth % 4];
        let wider: Vec<Name> = scope.iter().copied().filter(|v| *v != inner).chain([inner]).collect();
        match dice.below(10) {
            0 | 1 => F::And(sub(dice, scope), sub(dice, scope)),
            2 => F::Or(sub(dice, scope), sub(dice, scope)),
            3 => F::Not(sub(dice, scope)),
            4 => F::Implies(sub(dice, scope), sub(dice, scope)),
            5 => F::Iff(sub(dice, scope), sub(dice, scope)),
            6 => F::If(sub(dice, scope), sub(dice, scope), sub(dice, scope)),
            7 => F::A(inner, sub(dice, &wider)),
            8 if !scope.is_empty() && depth > 1 => {
                let (a, b) = (dice.pick(scope), dice.pick(scope));
                let (s, t) = ("s1", "t1");
                F::Tc(a, b, s, t, Box::new(F::random(dice, 1, &[s, t], marks)))
            }
            _ => F::E(inner, sub(dice, &wider)),
        }
    }

    fn atom(dice: &mut Dice, scope: &[Name], marks: bool) -> F {
        if scope.is_empty() {
            return if dice.one_in(4) { F::Const(dice.one_in(2)) } else { F::P0(dice.pick(&NULLARY)) };
        }
        let (v, w) = (dice.pick(scope), dice.pick(scope));
        match dice.below(if marks { 13 } else { 11 }) {
            0..4 => F::P1(dice.pick(&UNARY), v),
            4..7 => F::P2(dice.pick(&BINARY), v, w),
            7 => F::Eq(v, w),
            8 => F::Path(dice.pick(&["n", "m"]), dice.one_in(2), v, w),
            9 => F::P0(dice.pick(&NULLARY)),
            10 => F::P3(dice.pick(&["k3", "way"]), v, w, dice.pick(scope)),
            11 => F::P1("isNew", v),
            _ => F::P2("instance", v, w),
        }
    }
}

fn with(env: &Env, v: Name, i: usize) -> Env {
    let mut env = env.clone();
    env.insert(v, i);
    env
}

/// A two-valued structure: which tuples satisfy which predicate.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct World {
    pub size: usize,
    holds: BTreeMap<Name, Vec<Vec<usize>>>,
}

impl World {
    pub fn get(&self, pred: Name, args: &[usize]) -> bool {
        self.holds.get(pred).is_some_and(|tuples| tuples.iter().any(|t| t == args))
    }

    fn set(&mut self, pred: Name, args: &[usize], value: bool) {
        let tuples = self.holds.entry(pred).or_default();
        tuples.retain(|t| t != args);
        if value {
            tuples.push(args.to_vec());
        }
    }

    fn path(&self, step: &dyn Fn(usize, usize) -> bool, star: bool, from: usize, to: usize) -> bool {
        if star && from == to {
            return true;
        }
        let (mut reached, mut open) = (vec![false; self.size], vec![from]);
        while let Some(at) = open.pop() {
            for (next, seen) in reached.iter_mut().enumerate() {
                if !*seen && step(at, next) {
                    *seen = true;
                    open.push(next);
                }
            }
        }
        reached[to]
    }

    /// Evaluates the definitions that [`DECLARATIONS`] prints.
    fn define(&mut self) {
        use F::{A, And, E, Eq, Implies, Not, P1, P2, P3, Path};
        let b = Box::new;
        let n = |v, w| P2("n", v, w);
        let rules: [(Name, &[Name], F); 8] = [
            ("some", &[], E("v", b(P1("c", "v")))),
            ("all", &[], A("v", b(Implies(b(P1("c", "v")), b(E("w", b(n("v", "w")))))))),
            ("r", &["v"], E("w", b(And(b(P1("x", "w")), b(Path("n", true, "w", "v")))))),
            ("t", &["v", "w"], Path("n", true, "v", "w")),
            (
                "is",
                &["v"],
                E("a", b(E("b", b(And(b(Not(b(Eq("a", "b")))), b(And(b(n("a", "v")), b(n("b", "v"))))))))),
            ),
            ("loop", &["v"], Path("n", false, "v", "v")),
            ("way", &["u", "v", "w"], And(b(P3("k3", "u", "v", "w")), b(Path("n", true, "u", "w")))),
            ("third", &["v"], E("a", b(E("b", b(P3("k3", "a", "b", "v")))))),
        ];
        for (name, params, f) in rules {
            for args in tuples(params.len(), self.size) {
                let env: Env = params.iter().copied().zip(args.iter().copied()).collect();
                let value = f.holds(self, &env);
                self.set(name, &args, value);
            }
        }
    }

    /// Whether unique predicates and functions are such.
    pub fn consistent(&self) -> bool {
        let once = |f: &dyn Fn(usize) -> bool| (0..self.size).filter(|&i| f(i)).count() <= 1;
        once(&|i| self.get("x", &[i]))
            && once(&|i| self.get("y", &[i]))
            && (0..self.size).all(|u| once(&|v| self.get("n", &[u, v])))
    }

    pub fn random(dice: &mut Dice, size: usize) -> World {
        let mut w = World { size, ..World::default() };
        w.set("q", &[], dice.one_in(2));
        for p in ["x", "y"] {
            let at = dice.below(size + 1);
            if at < size {
                w.set(p, &[at], true);
            }
        }
        for u in 0..size {
            w.set("c", &[u], dice.one_in(2));
            let to = dice.below(size + 2);
            if to < size {
                w.set("n", &[u, to], true);
            }
            for v in 0..size {
                w.set("m", &[u, v], dice.one_in(3));
                for t in 0..size {
                    w.set("k3", &[u, v, t], dice.one_in(3));
                }
            }
        }
        w.define();
        w
    }

    /// Keeps these individuals.
    fn keep(&self, kept: &[usize]) -> World {
        let mut w = World { size: kept.len(), ..World::default() };
        for (name, tuples) in &self.holds {
            for t in tuples {
                let image: Option<Vec<usize>> = t.iter().map(|i| kept.iter().position(|k| k == i)).collect();
                if let Some(image) = image {
                    w.set(name, &image, true);
                }
            }
        }
        w
    }

    fn add(&mut self, original: Option<usize>) -> usize {
        let node = self.size;
        self.size += 1;
        self.set("isNew", &[node], true);
        if let Some(original) = original {
            self.set("instance", &[node, original], true);
        }
        node
    }
}

/// All tuples of this length.
pub fn tuples(arity: usize, size: usize) -> Vec<Vec<usize>> {
    (0..arity).fold(vec![vec![]], |found, _| {
        found.iter().flat_map(|t| (0..size).map(move |i| [&t[..], &[i]].concat())).collect()
    })
}

/// A random action.
#[derive(Clone, Debug, Default)]
pub struct RandomAction {
    pub focus: Vec<F>,
    pub precondition: Option<F>,
    pub before: Vec<F>,
    /// `%new`, with its formula if it has one.
    pub new: Option<Option<F>>,
    pub clone: Option<F>,
    pub updates: Vec<(Name, Vec<Name>, F)>,
    pub retain: Option<F>,
    pub after: Vec<F>,
}

impl RandomAction {
    pub fn random(dice: &mut Dice) -> RandomAction {
        let mut a = RandomAction::default();
        let mut bound: Vec<Name> = Vec::new();
        if !dice.one_in(4) {
            let scope: &[Name] = dice.pick(&[&[], &["a"], &["a"], &["a", "b"]]);
            let f = F::random(dice, 2, scope, false);
            bound = f.free();
            a.precondition = Some(f);
        }
        let and = |extra: Name| -> Vec<Name> { bound.iter().copied().chain([extra]).collect() };
        if dice.one_in(2) {
            a.focus.push(F::local(dice, &["f"]));
        }
        for _ in 0..dice.below(3) {
            let scope = if dice.one_in(4) { and("u") } else { bound.clone() };
            a.before.push(F::random(dice, 2, &scope, false));
        }
        match dice.below(6) {
            0 => a.new = Some(None),
            1 => a.new = Some(Some(F::local(dice, &and("s")))),
            2 => a.clone = Some(F::local(dice, &and("s"))),
            _ => {}
        }
        let marks = a.new.is_some() || a.clone.is_some();
        for (arity, names) in CORE.iter().enumerate() {
            for &name in *names {
                if dice.one_in(3) {
                    let params = ["v", "w", "z"][..arity].to_vec();
                    let scope = [&bound[..], &params].concat();
                    let mut f = F::random(dice, 2, &scope, marks);
                    if dice.one_in(2) && arity > 0 {
                        // The form that keeps old values.
                        let old = match arity {
                            1 => F::P1(name, "v"),
                            2 => F::P2(name, "v", "w"),
                            _ => F::P3(name, "v", "w", "z"),
                        };
                        let less = F::random(dice, 1, &scope, marks);
                        f = F::Or(Box::new(F::And(Box::new(old), Box::new(less))), Box::new(f));
                    }
                    a.updates.push((name, params, f));
                }
            }
        }
        if dice.one_in(4) {
            a.retain = Some(F::local(dice, &and("k")));
        }
        for _ in 0..dice.below(2) {
            a.after.push(F::random(dice, 2, &bound, false));
        }
        a
    }

    /// A program with this action as its only edge.
    pub fn program(&self) -> String {
        let mut t = format!("{DECLARATIONS}%%\n%action Act() {{\n  %t \"act\"\n");
        if !self.focus.is_empty() {
            let all: Vec<String> = self.focus.iter().map(F::text).collect();
            let _ = writeln!(t, "  %f {{ {} }}", all.join(", "));
        }
        if let Some(f) = &self.precondition {
            let _ = writeln!(t, "  %p {}", f.text());
        }
        for (i, f) in self.before.iter().enumerate() {
            let _ = writeln!(t, "  %message ({}) -> \"before {i}\"", f.text());
        }
        if let Some(f) = &self.new {
            let _ = writeln!(t, "  %new {}", f.as_ref().map_or(String::new(), F::text));
        }
        if let Some(f) = &self.clone {
            let _ = writeln!(t, "  %clone {}", f.text());
        }
        t.push_str("  {\n");
        for (name, params, f) in &self.updates {
            let _ = writeln!(t, "    {name}({}) = {}", params.join(", "), f.text());
        }
        t.push_str("  }\n");
        if let Some(f) = &self.retain {
            let _ = writeln!(t, "  %retain {}", f.text());
        }
        for (i, f) in self.after.iter().enumerate() {
            let _ = writeln!(t, "  %message ({}) -> \"after {i}\"", f.text());
        }
        t.push_str("}\n%%\nhere Act() there\n");
        t
    }

    /// What the action makes of a world: consistent results, and all messages.
    pub fn run(&self, w: &World) -> (Vec<World>, Vec<String>) {
        let (mut results, mut messages) = (Vec::new(), Vec::new());
        let bound = self.precondition.as_ref().map_or(Vec::new(), F::free);
        for args in tuples(bound.len(), w.size) {
            let env: Env = bound.iter().copied().zip(args).collect();
            if self.precondition.as_ref().is_some_and(|f| !f.holds(w, &env)) {
                continue;
            }
            // Variables that are not bound are read as "some individual".
            let reported = |f: &F, w: &World, env: &Env| {
                let rest: Vec<Name> = f.free().into_iter().filter(|v| !env.contains_key(v)).collect();
                tuples(rest.len(), w.size).into_iter().any(|args| {
                    let mut env = env.clone();
                    env.extend(rest.iter().copied().zip(args));
                    f.holds(w, &env)
                })
            };
            for (i, f) in self.before.iter().enumerate() {
                if reported(f, w, &env) {
                    messages.push(format!("before {i}"));
                }
            }
            let kept: Vec<usize> = match &self.retain {
                None => (0..w.size).collect(),
                Some(f) => (0..w.size).filter(|&i| f.holds(w, &with(&env, "k", i))).collect(),
            };
            let mut old = w.clone();
            match &self.new {
                None => {}
                Some(Some(f)) if f.free().contains(&"s") => {
                    for i in (0..w.size).filter(|&i| f.holds(w, &with(&env, "s", i))) {
                        old.add(Some(i));
                    }
                }
                Some(_) => {
                    old.add(None);
                }
            }
            old.define();
            if let Some(f) = &self.clone {
                let now = old.clone();
                let pairs: Vec<(usize, usize)> = (0..now.size)
                    .filter(|&i| f.holds(&now, &with(&env, "s", i)))
                    .map(|i| (i, old.add(Some(i))))
                    .collect();
                for (i, copy) in &pairs {
                    CORE[1].iter().for_each(|p| old.set(p, &[*copy], now.get(p, &[*i])));
                    for (j, image) in &pairs {
                        CORE[2].iter().for_each(|p| old.set(p, &[*copy, *image], now.get(p, &[*i, *j])));
                        for (k, third) in &pairs {
                            let value = |p| now.get(p, &[*i, *j, *k]);
                            CORE[3].iter().for_each(|p| old.set(p, &[*copy, *image, *third], value(p)));
                        }
                    }
                }
                old.define();
            }
            let mut new = old.clone();
            for (name, params, f) in &self.updates {
                for args in tuples(params.len(), old.size) {
                    let mut env = env.clone();
                    env.extend(params.iter().copied().zip(args.iter().copied()));
                    new.set(name, &args, f.holds(&old, &env));
                }
            }
            let kept: Vec<usize> = kept.into_iter().chain(w.size..old.size).collect();
            new.holds.remove("isNew");
            new.holds.remove("instance");
            new = new.keep(&kept);
            new.define();
            if !new.consistent() {
                continue;
            }
            let after: Option<Env> =
                env.iter().map(|(v, i)| Some((*v, kept.iter().position(|k| k == i)?))).collect();
            for (i, f) in self.after.iter().enumerate() {
                let mentioned: Option<Env> = match &after {
                    Some(env) => Some(env.clone()),
                    None => env
                        .iter()
                        .filter(|(v, _)| f.free().contains(v))
                        .map(|(v, i)| Some((*v, kept.iter().position(|k| k == i)?)))
                        .collect(),
                };
                if mentioned.is_some_and(|env| reported(f, &new, &env)) {
                    messages.push(format!("after {i}"));
                }
            }
            results.push(new);
        }
        messages.sort();
        messages.dedup();
        (results, messages)
    }
}
