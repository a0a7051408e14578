//! The predicates of the specialised engine for one program (Arnold Table 1, §3.1, §3.4).
//!
//! Core: one unary predicate a variable, one binary a field, one nullary a Boolean variable, one unary a
//! Boolean field. Instrumentation, all unary: reachability `r[f,x]`, sharing `is[f]`, cyclicity `c[f]`,
//! back-reference `b[f,g]`. If the program frees memory or allocates it uninitialised, `freed` and
//! `raw[f]` are kept as well; if it takes addresses of variables, their cells are `pinned`.
//! On demand there are `in`, `in2` and `cycle`, which say of a cell that some, or several, of all fields lead to it
//! and that it lies on a cycle of fields of any kind, and `has[f]`, that its field is not null; of these only `in2`
//! may count for the abstraction. A cell that something
//! leads to and that lies on no cycle is reachable if all others are, which decides leaks in trees. The slots are plain arrays, so a transformer finds the predicates related to
//! a variable or field by indexing. **Invariant:** in every structure that the engine stores, a variable's
//! predicate is 1 for at most one individual, which is no summary, and 0 elsewhere.

use crate::formula::{Closure, Formula, Var};
use crate::program::{DataId, FieldId, FlagId, MarkId, Program, Statement, VarId};
use crate::vocabulary::{Meaning, PredId, Vocabulary};

/// Slots of all predicates of a program.
#[derive(Clone, Debug)]
pub struct Schema {
    /// The predicates, with names for printing.
    pub vocabulary: Vocabulary,
    pub(crate) vars: usize,
    pub(crate) fields: usize,
    var_slots: Vec<usize>,
    reach: Vec<Vec<usize>>,
    shared: Vec<usize>,
    cyclic: Vec<usize>,
    back: Vec<Vec<Option<usize>>>,
    marks: Vec<usize>,
    raw: Vec<usize>,
    raw_data: Vec<usize>,
    freed: Option<usize>,
    pinned: Option<usize>,
    heap: Option<HeapSlots>,
    leads: Vec<usize>,
    tracking: Tracking,
}

/// Which instrumentation predicates tell cells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tracking {
    /// Those of single fields, as in Arnold's Table 1: for lists.
    Fields,
    /// Those of single fields, and those over all fields together.
    Both,
    /// Those over all fields together only: for trees, where reachability along single fields tells little and
    /// makes many cases. The values of the others are not kept.
    Heap,
}

/// Unary slots of the predicates over all fields together.
#[derive(Clone, Copy, Debug)]
pub struct HeapSlots {
    /// Some field of some cell leads here.
    pub entered: usize,
    /// Two or more fields, of one cell or of several, lead here.
    pub shared: usize,
    /// The cell lies on a cycle of fields.
    pub cyclic: usize,
}

impl Schema {
    /// The schema of a program.
    pub fn of(program: &Program, tracking: Tracking) -> Schema {
        let mut voc = Vocabulary::new();
        let some = |test: fn(&Statement) -> bool| program.edges.iter().any(|e| test(&e.statement));
        let frees = some(|s| matches!(s, Statement::Free(_) | Statement::End(_)));
        let locals = some(|s| matches!(s, Statement::Local { .. }));
        let raws = some(|s| {
            matches!(s, Statement::New { zeroed: false, .. } | Statement::Local { zeroed: false, .. })
        });
        // Names may repeat in the input; a number makes them unique.
        let declare = |voc: &mut Vocabulary, name: String, arity: usize, meaning: Meaning| -> PredId {
            let mut unique = name.clone();
            let mut n = 1;
            loop {
                match voc.declare(unique.clone(), arity, meaning.clone()) {
                    Ok(id) => return id,
                    Err(_) => {
                        n += 1;
                        unique = format!("{name}#{n}");
                    }
                }
            }
        };
        let slot = |voc: &Vocabulary, id: PredId| voc.get(id).slot;
        for name in &program.flags {
            declare(&mut voc, name.clone(), 0, Meaning::Core);
        }
        let vars: Vec<PredId> = program
            .variables
            .iter()
            .map(|name| {
                let id = declare(&mut voc, name.clone(), 1, Meaning::Core);
                voc.get_mut(id).pointer = true;
                id
            })
            .collect();
        let fields: Vec<PredId> =
            program.fields.iter().map(|name| declare(&mut voc, name.clone(), 2, Meaning::Core)).collect();
        let marks: Vec<PredId> =
            program.marks.iter().map(|name| declare(&mut voc, name.clone(), 1, Meaning::Core)).collect();
        let (v, w, a, b) = (Var(0), Var(1), Var(2), Var(3));
        let path = |field: PredId, from: Var, to: Var, reflexive: bool| {
            let step = Formula::Pred(field, vec![a, b]);
            Formula::Closure(Box::new(Closure { from, to, source: a, target: b, step, reflexive }))
        };
        let unary = |definition: Formula| Meaning::Instrumentation { params: vec![v], definition };
        let mut reach = Vec::new();
        let (mut shared, mut cyclic, mut back) = (Vec::new(), Vec::new(), Vec::new());
        for (i, &f) in fields.iter().enumerate() {
            let field = &program.fields[i];
            reach.push(
                vars.iter()
                    .enumerate()
                    .map(|(j, &x)| {
                        let definition =
                            Formula::exists([w], Formula::Pred(x, vec![w]).and(path(f, w, v, true)));
                        let name = format!("r[{field},{}]", program.variables[j]);
                        let id = declare(&mut voc, name, 1, unary(definition));
                        slot(&voc, id)
                    })
                    .collect(),
            );
            let two = Formula::exists(
                [w, a],
                Formula::And(vec![
                    Formula::Pred(f, vec![w, v]),
                    Formula::Pred(f, vec![a, v]),
                    Formula::Eq(w, a).negate(),
                ]),
            );
            let id = declare(&mut voc, format!("is[{field}]"), 1, unary(two));
            shared.push(slot(&voc, id));
            let id = declare(&mut voc, format!("c[{field}]"), 1, unary(path(f, v, v, false)));
            cyclic.push(slot(&voc, id));
        }
        for (i, &f) in fields.iter().enumerate() {
            let mut row = Vec::new();
            for (j, &g) in fields.iter().enumerate() {
                if i == j || !program.can_lead_back(FieldId(i as u32), FieldId(j as u32)) {
                    row.push(None);
                    continue;
                }
                let definition = Formula::Forall(
                    w,
                    Box::new(Formula::Pred(f, vec![v, w]).negate().or(Formula::Pred(g, vec![w, v]))),
                );
                let name = format!("b[{},{}]", program.fields[i], program.fields[j]);
                let id = declare(&mut voc, name, 1, unary(definition));
                row.push(Some(slot(&voc, id)));
            }
            back.push(row);
        }
        let raw = if raws {
            (0..fields.len())
                .map(|i| {
                    let id = declare(&mut voc, format!("raw[{}]", program.fields[i]), 1, Meaning::Core);
                    slot(&voc, id)
                })
                .collect()
        } else {
            Vec::new()
        };
        let mut raw_data = Vec::new();
        for name in program.data.iter().filter(|_| raws) {
            let id = declare(&mut voc, format!("raw[{name}]"), 1, Meaning::Core);
            raw_data.push(slot(&voc, id));
        }
        let freed = frees.then(|| {
            let id = declare(&mut voc, "freed".to_string(), 1, Meaning::Core);
            slot(&voc, id)
        });
        let pinned = locals.then(|| {
            let id = declare(&mut voc, "pinned".to_string(), 1, Meaning::Core);
            slot(&voc, id)
        });
        if tracking == Tracking::Heap {
            for id in voc.ids().collect::<Vec<_>>() {
                if matches!(voc.get(id).meaning, Meaning::Instrumentation { .. }) {
                    voc.get_mut(id).abstraction = false;
                }
            }
        }
        let mut leads = Vec::new();
        let heap = (tracking != Tracking::Fields).then(|| {
            let any = |from: Var, to: Var| {
                Formula::Or(fields.iter().map(|&f| Formula::Pred(f, vec![from, to])).collect())
            };
            let mut pairs = Vec::new();
            for (i, &f) in fields.iter().enumerate() {
                let both = |g: PredId| vec![Formula::Pred(f, vec![w, v]), Formula::Pred(g, vec![a, v])];
                pairs.push(Formula::And([both(f), vec![Formula::Eq(w, a).negate()]].concat()));
                pairs.extend(fields[..i].iter().map(|&g| Formula::And(both(g))));
            }
            let cycle = Closure { from: v, to: v, source: a, target: b, step: any(a, b), reflexive: false };
            let mut derived = |name: &str, definition: Formula, abstraction: bool| {
                let id = declare(&mut voc, name.to_string(), 1, unary(definition));
                voc.get_mut(id).abstraction = abstraction;
                slot(&voc, id)
            };
            for (name, &f) in program.fields.iter().zip(&fields) {
                let somewhere = Formula::exists([w], Formula::Pred(f, vec![v, w]));
                leads.push(derived(&format!("has[{name}]"), somewhere, false));
            }
            HeapSlots {
                entered: derived("in", Formula::exists([w], any(w, v)), false),
                // A cell that two fields lead to, as while a tree is rotated, is kept apart from the others.
                shared: derived(
                    "in2",
                    Formula::exists([w, a], Formula::Or(pairs)),
                    tracking == Tracking::Heap,
                ),
                cyclic: derived("cycle", Formula::Closure(Box::new(cycle)), false),
            }
        });
        Schema {
            vars: vars.len(),
            fields: fields.len(),
            var_slots: vars.iter().map(|&id| slot(&voc, id)).collect(),
            marks: marks.iter().map(|&id| slot(&voc, id)).collect(),
            reach,
            shared,
            cyclic,
            back,
            raw,
            raw_data,
            freed,
            pinned,
            heap,
            leads,
            tracking,
            vocabulary: voc,
        }
    }

    /// Unary slot of a variable.
    pub fn var(&self, x: VarId) -> usize {
        self.var_slots[x.0 as usize]
    }

    /// Binary slot of a field: fields are the only binary predicates.
    pub fn field(&self, f: FieldId) -> usize {
        f.0 as usize
    }

    /// Nullary slot of a Boolean variable.
    pub fn flag(&self, b: FlagId) -> usize {
        b.0 as usize
    }

    /// Unary slot of a Boolean field.
    pub fn mark(&self, m: MarkId) -> usize {
        self.marks[m.0 as usize]
    }

    /// Unary slots of all Boolean fields.
    pub fn marks(&self) -> &[usize] {
        &self.marks
    }

    /// Unary slot of `r[f,x]`.
    pub fn reach(&self, f: FieldId, x: VarId) -> usize {
        self.reach[f.0 as usize][x.0 as usize]
    }

    /// Unary slot of `is[f]`.
    pub fn shared(&self, f: FieldId) -> usize {
        self.shared[f.0 as usize]
    }

    /// Unary slot of `c[f]`.
    pub fn cyclic(&self, f: FieldId) -> usize {
        self.cyclic[f.0 as usize]
    }

    /// Unary slot of `b[f,g]` for distinct fields of which one can lead back where the other came from.
    pub fn back(&self, f: FieldId, g: FieldId) -> Option<usize> {
        self.back[f.0 as usize][g.0 as usize]
    }

    /// The fields that can lead back where a field came from, with the slots of `b[f,g]` and `b[g,f]`.
    pub fn partners(&self, f: FieldId) -> impl Iterator<Item = (FieldId, usize, usize)> + '_ {
        self.other_fields(f).filter_map(move |g| Some((g, self.back(f, g)?, self.back(g, f)?)))
    }

    /// Unary slot of `raw[f]`, if the program allocates uninitialised cells.
    pub fn raw(&self, f: FieldId) -> Option<usize> {
        self.raw.get(f.0 as usize).copied()
    }

    /// Unary slot of `raw[d]` for a data field, if the program allocates uninitialised cells.
    pub fn raw_data(&self, d: DataId) -> Option<usize> {
        self.raw_data.get(d.0 as usize).copied()
    }

    /// Unary slots of `raw[d]` for all data fields.
    pub fn all_raw_data(&self) -> &[usize] {
        &self.raw_data
    }

    /// Unary slot of `freed`, if the program frees cells.
    pub fn freed(&self) -> Option<usize> {
        self.freed
    }

    /// Unary slot of `pinned`, the cells of variables, if the program has such cells.
    pub fn pinned(&self) -> Option<usize> {
        self.pinned
    }

    /// Unary slot of `has[f]`, that the field is not null, if the predicates over all fields were asked for.
    pub fn leads(&self, f: FieldId) -> Option<usize> {
        self.leads.get(f.0 as usize).copied()
    }

    /// Which predicates tell cells apart.
    pub fn tracking(&self) -> Tracking {
        self.tracking
    }

    /// Unary slots of the predicates over all fields together, if they were asked for.
    pub fn heap(&self) -> Option<HeapSlots> {
        self.heap
    }

    /// All variables.
    pub fn vars(&self) -> impl Iterator<Item = VarId> + use<> {
        (0..self.vars as u32).map(VarId)
    }

    /// All fields.
    pub fn fields(&self) -> impl Iterator<Item = FieldId> + use<> {
        (0..self.fields as u32).map(FieldId)
    }

    /// All fields but one.
    pub fn other_fields(&self, f: FieldId) -> impl Iterator<Item = FieldId> + use<> {
        (0..self.fields as u32).map(FieldId).filter(move |&g| g != f)
    }
}
