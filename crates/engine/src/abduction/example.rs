//! Examples of a precondition: programs that build a memory which it describes, and call the function (γ read backwards).
//!
//! A case of the precondition is made a state; its structures are unfolded at random until only blocks are left; the blocks
//! become a function `main` in C that allocates and fills them, calls the function, and then holds on to all that the function was given.
//! Whether the memory is one of the precondition's, and what comes out one of the postcondition's, is claimed by calls of
//! `__heapwise_check_shape`, so that a run can be judged by whoever looks at it; the generator is not trusted.

use super::Found;
use crate::shapes::declare::Declarations;
use heapwise_heap::shape::ast::{Formula, ValueKind};
use heapwise_heap::shape::{Env, parse_formula};
use heapwise_heap::unfold::Site;
use heapwise_heap::{Base, Object, ObjectKind, Root, State, Sym, Val};
use heapwise_ir::{FuncId, Program, Ty, Type};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Most scalars of a record that are looked at.
const MAX_SCALARS: usize = 64;
/// Most blocks of an example.
const MAX_BLOCKS: usize = 12;

/// Most bytes that a block of any size has more than it must.
const MORE_BYTES: usize = 6;
/// Bytes that arrays have besides.
const ARRAY: u64 = 40;
/// What texts are made of.
const BYTES: [i8; 6] = [b'a' as i8, b' ' as i8, b'0' as i8, b'/' as i8, -1, 0];

/// Numbers at random, the same ones for the same seed.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        // Marsaglia's xorshift.
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % (sides.max(1) as u64)).unwrap_or(0)
    }
}

/// The variables of an example: what pointers lead to that lead nowhere else, and what is held on to.
pub const STATICS: &str = "static char heapwise_outside[64];\nstatic void *heapwise_given[64];\n";

/// A program text that calls a function from a memory of its precondition.
#[derive(Clone, Debug)]
pub struct Example {
    /// The definition of `main`, to be put after the text of the program.
    pub main: String,
    /// Whether some pointer that the function is given is null.
    pub has_null: bool,
}

/// What an example needs to know of a function.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its predicates.
    pub declarations: &'a Declarations,
    /// The function.
    pub function: FuncId,
    /// What its parameters are called.
    pub params: &'a [String],
}

impl Subject<'_> {
    /// An example of a precondition; `None` where the language cannot say it, or the dice found none. With a postcondition
    /// the memories before and after the call are claimed to be as described.
    pub fn example(&self, contract: &Found, claims: bool, seed: u64) -> Option<Example> {
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        (0..7).for_each(|_| {
            dice.roll(2);
        });
        let mut formula = Formula::default();
        let mut text = Vec::new();
        for clause in &contract.requires {
            let cases = parse_formula(clause).ok()?;
            let chosen = dice.roll(cases.len());
            formula.atoms.extend(cases.into_iter().nth(chosen)?.atoms);
            text.push(clause.split(" | ").nth(chosen)?.to_owned());
        }
        let mut named: BTreeSet<String> = self.params.iter().cloned().collect();
        let mut globals = BTreeSet::new();
        for clause in contract.requires.iter().chain(&contract.ensures) {
            for f in parse_formula(clause).ok()? {
                f.values(|v| {
                    if let ValueKind::Name(n) | ValueKind::Old(n) | ValueKind::FieldOf(n, _) = &v.kind
                        && crate::shapes::declare::global_named(self.program, n).is_some()
                        && !self.params.contains(n)
                    {
                        globals.insert(n.clone());
                    }
                });
            }
        }
        for clause in &contract.ensures {
            for f in parse_formula(clause).ok()? {
                f.values(|v| {
                    if let ValueKind::Old(n) = &v.kind {
                        named.insert(n.clone());
                    }
                });
            }
        }
        named.extend(globals.iter().cloned());
        formula.values(|v| {
            if let ValueKind::Name(n) = &v.kind {
                named.insert(n.clone());
            }
        });
        let names: Vec<String> = named.into_iter().collect();
        let mut state = State::default();
        let mut env = Env::default();
        for (i, n) in names.iter().enumerate() {
            let v = Val::sym(state.fresh());
            state.set_root(Root::Cut(i as u32), v);
            env.names.insert(n.clone(), v);
        }
        let preds = &self.declarations.preds;
        let state = self.declarations.instance(preds, self.program).add(&formula, &env, state).ok()??;
        let state = self.unfolded(state, &mut dice)?;
        let values: BTreeMap<&str, Val> = names
            .iter()
            .enumerate()
            .filter_map(|(i, n)| Some((n.as_str(), state.root(Root::Cut(i as u32))?)))
            .collect();
        let mut writer = Writer { state: &state, dice, chosen: BTreeMap::new(), has_null: false };
        let claimed = claims.then(|| (conjoined(&text), contract.ensures.join(" | ")));
        let main = self.main(&mut writer, &values, &globals, claimed.as_ref())?;
        Some(Example { main, has_null: writer.has_null })
    }

    /// A state without structures that is a case of this one.
    fn unfolded(&self, mut state: State, dice: &mut Dice) -> Option<State> {
        let preds = &self.declarations.preds;
        let mut steps = 0;
        while state.has_summaries() {
            steps += 1;
            let site = Site::Front(dice.roll(state.summaries().len()));
            let mut cases = state.unfold(site, preds);
            if cases.is_empty() || steps > 8 * MAX_BLOCKS {
                return None;
            }
            // Towards the end small cases are taken, so that it ends.
            cases.sort_by_key(State::object_count);
            let last = steps > MAX_BLOCKS || state.object_count() >= MAX_BLOCKS;
            let chosen = if last { 0 } else { dice.roll(cases.len()) };
            state = cases.into_iter().nth(chosen)?;
        }
        Some(state)
    }

    fn main(
        &self,
        writer: &mut Writer<'_>,
        values: &BTreeMap<&str, Val>,
        globals: &BTreeSet<String>,
        claims: Option<&(String, String)>,
    ) -> Option<String> {
        let types = &self.program.types;
        let function = self.program.functions.get(self.function)?;
        let Type::Function { ret, params, .. } = types.get(function.ty) else { return None };
        let mut text = String::from("\nvoid *malloc(unsigned long);\n");
        if claims.is_some() {
            text.push_str("void __heapwise_check_shape(const char *);\n");
        }
        text.push_str(STATICS);
        text.push_str("int main(void) {\n");
        let state = writer.state;
        for (k, (s, o)) in state.objects().enumerate() {
            if o.kind != ObjectKind::Heap || k >= 60 {
                return None;
            }
            let (size, bytes) = writer.bytes(o)?;
            let _ = writeln!(text, "  char *heapwise_o{} = malloc({size});", s.0);
            for (off, byte) in bytes.into_iter().enumerate() {
                let _ = writeln!(text, "  heapwise_o{}[{off}] = {byte};", s.0);
            }
            let _ = writeln!(text, "  heapwise_given[{k}] = heapwise_o{};", s.0);
        }
        for (s, o) in state.objects() {
            for (off, cell) in o.cells() {
                let value = writer.value(cell.val, cell.width, self.is_pointer(o, off))?;
                let ty = number_type(cell.width)?;
                let _ = writeln!(text, "  *({ty} *)(heapwise_o{} + {off}) = ({ty}){value};", s.0);
            }
        }
        let mut args = Vec::new();
        for (name, ty) in self.params.iter().zip(params.iter()) {
            let declared = self.type_word(*ty)?;
            let value = match values.get(name.as_str()) {
                Some(v) => writer.value(*v, types.size(*ty), types.pointee(*ty).is_some())?,
                None => "0".into(),
            };
            let _ = writeln!(text, "  {declared} {name} = ({declared}){value};");
            args.push(name.clone());
        }
        for (name, v) in values {
            let param = self.params.iter().any(|p| p == name);
            if globals.contains(*name) {
                let global = crate::shapes::declare::global_named(self.program, name)
                    .and_then(|g| self.program.globals.get(g))?;
                let declared = self.type_word(global.ty)?;
                let value = writer.value(*v, types.size(global.ty), types.pointee(global.ty).is_some())?;
                let _ = writeln!(text, "  {name} = ({declared}){value};");
                let _ = writeln!(text, "  {declared} heapwise_old_{name} = {name};");
            } else if !param {
                let value = writer.value(*v, types.pointer_size, true)?;
                let _ = writeln!(text, "  void *{name} = (void *){value};");
            }
        }
        if let Some((before, _)) = claims {
            let _ = writeln!(text, "  __heapwise_check_shape(\"{before}\");");
        }
        let call = format!("{}({})", function.name, args.join(", "));
        if *types.get(*ret) == Type::Void {
            let _ = writeln!(text, "  {call};");
        } else {
            let declared = self.type_word(*ret)?;
            let _ = writeln!(text, "  {declared} heapwise_result = {call};");
            if matches!(types.get(*ret), Type::Pointer(_)) {
                text.push_str("  heapwise_given[63] = (void *)heapwise_result;\n");
            }
        }
        if let Some((_, after)) = claims {
            let mut after = after.replace("\\result", "heapwise_result");
            for g in globals {
                after = after.replace(&format!("\\old({g})"), &format!("heapwise_old_{g}"));
            }
            for n in values.keys() {
                after = after.replace(&format!("\\old({n})"), n);
            }
            let _ = writeln!(text, "  __heapwise_check_shape(\"{after}\");");
        }
        text.push_str("  return 0;\n}\n");
        Some(text)
    }

    /// Whether a cell of a block holds a pointer, by the type of the block.
    fn is_pointer(&self, o: &Object, off: u64) -> bool {
        let types = &self.program.types;
        let fields = o.record.and_then(|r| types.records.get(r)).map(|r| &r.fields);
        let scalars = fields.into_iter().flatten().flat_map(|f| {
            let inner = types.scalars(f.ty, MAX_SCALARS).into_iter();
            inner.map(move |(at, ty)| (f.offset + at, ty))
        });
        scalars.filter(|(at, _)| *at == off).any(|(_, ty)| types.pointee(ty).is_some())
    }

    /// A type that a variable can be declared with, without the names of the program's types.
    fn type_word(&self, ty: Ty) -> Option<String> {
        match self.program.types.get(ty) {
            Type::Pointer(_) => Some("void *".into()),
            Type::Bool => Some("_Bool".into()),
            Type::Int(i) => {
                let word = number_type(u64::from(i.bits) / 8)?;
                Some(if i.signed { format!("signed {word}") } else { format!("unsigned {word}") })
            }
            _ => None,
        }
    }
}

/// Cases of several clauses as one formula.
fn conjoined(clauses: &[String]) -> String {
    let memory: Vec<&str> = clauses.iter().map(String::as_str).collect();
    if memory.is_empty() { "emp".into() } else { memory.join(" * ") }
}

fn number_type(width: u64) -> Option<&'static str> {
    match width {
        1 => Some("char"),
        2 => Some("short"),
        4 => Some("int"),
        8 => Some("long long"),
        _ => None,
    }
}

struct Writer<'a> {
    state: &'a State,
    dice: Dice,
    chosen: BTreeMap<Sym, String>,
    has_null: bool,
}

impl Writer<'_> {
    fn byte(&mut self) -> i8 {
        BYTES.get(self.dice.roll(BYTES.len())).copied().unwrap_or(0)
    }

    /// The size of a block and what it holds from its start on, where the block may be of any size.
    fn bytes(&mut self, o: &Object) -> Option<(u64, Vec<i8>)> {
        if let Some(size) = o.const_size() {
            return Some((size, Vec::new()));
        }
        let least = |state: &State, v: Val| u64::try_from(state.range(v).lo?).ok();
        let mut size = least(self.state, o.size)? + self.dice.roll(MORE_BYTES) as u64;
        let mut bytes = Vec::new();
        if let (Some(_), true) = (o.prefix(), o.floating().is_empty()) {
            // An array: as large as small numbers of large elements ask for.
            size += ARRAY;
            bytes.extend((0..size).map(|_| self.byte()));
        } else if o
            .size
            .as_sym()
            .is_some_and(|s| self.state.numbers().orderings().any(|(_, b)| b == Val::sym(s)))
        {
            size += ARRAY;
        }
        if let Some(end) = o.floating().first() {
            let end = least(self.state, end.off)? + self.dice.roll(MORE_BYTES) as u64;
            bytes.extend((0..end).map(|_| self.byte()));
            bytes.push(0);
            size = size.max(end + 1);
        }
        Some((size, bytes))
    }

    /// A value as an expression. A pointer is null or leads somewhere; numbers are small.
    fn value(&mut self, v: Val, width: u64, is_pointer: bool) -> Option<String> {
        match v.base {
            Base::Zero => {
                self.has_null |= v.off == 0 && width >= 4;
                Some(format!("({})", v.off))
            }
            Base::Func(_) => None,
            Base::Undef => Some("0".into()),
            Base::Sym(s) if self.state.has_object(s) => Some(format!("(heapwise_o{} + {})", s.0, v.off)),
            Base::Sym(s) => {
                let range = self.state.range(Val::sym(s));
                let outside = self.dice.roll(3) == 0 && width == 8 || is_pointer && self.dice.roll(3) > 0;
                let mut new = i128::try_from(self.dice.roll(9)).unwrap_or(0) - 4;
                if is_pointer {
                    new = 0;
                }
                new = new.max(range.lo.unwrap_or(new)).min(range.hi.unwrap_or(new));
                let not_null = self.state.compare(Val::sym(s), Val::ZERO, None) == Some(false);
                if not_null && new == 0 {
                    new = 1;
                }
                let outside = outside || is_pointer && new != 0;
                let text = self.chosen.entry(s).or_insert_with(|| {
                    if outside { "(heapwise_outside + 8)".into() } else { format!("({new})") }
                });
                self.has_null |= text == "(0)" && width >= 4;
                Some(if v.off == 0 { text.clone() } else { format!("({text} + {})", v.off) })
            }
        }
    }
}
