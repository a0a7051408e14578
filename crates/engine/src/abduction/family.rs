//! Structures that memory of one type may form: the generalisations of a missing part that grows.
//!
//! Where a run asks for block after block of the same type through the type's own links, the missing part is generalised to a
//! structure over these links. Which one is a guess, made from the links that were asked for; the run that follows decides.
//! Guesses come in the order in which they say least: a list says less than a doubly-linked list.

use super::express::conjunction;
use super::fields;
use heapwise_ir::{Ty, TypeTable};
use std::collections::{BTreeMap, BTreeSet};

/// What the element before the first is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Before {
    /// Any value.
    Any,
    /// There is none.
    Null,
}

/// How blocks of a type hang together. Links are offsets.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Kind {
    /// One block or nothing.
    One,
    /// A text or nothing: a block that is initialised up to a zero byte in it.
    Text,
    /// A list that ends with null.
    List(u64),
    /// A doubly-linked list that ends with null.
    Doubly { next: u64, prev: u64, before: Before },
    /// A tree.
    Tree(Vec<u64>),
    /// A tree with pointers to the parent.
    TreeUp { children: Vec<u64>, up: u64, before: Before },
    /// A list that goes round.
    Ring(u64),
    /// A doubly-linked list that goes round.
    DoublyRing { next: u64, prev: u64 },
}

/// What the predicate for texts is called.
const TEXT: &str = "text";

/// A structure over the blocks of a type.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Family {
    pub(super) kind: Kind,
    /// Pointers of each element that lead to a structure of the element's own, by offset.
    pub(super) owned: BTreeMap<u64, Ty>,
    /// Those of them that are never null.
    pub(super) present: BTreeSet<u64>,
}

/// All families of a start.
pub(super) type Families = BTreeMap<Ty, Family>;

impl Family {
    /// A structure whose elements own nothing.
    pub(super) fn of(kind: Kind) -> Family {
        Family { kind, owned: BTreeMap::new(), present: BTreeSet::new() }
    }
}

impl Kind {
    /// The guesses for blocks whose links `asked` were followed, out of all links `own` of the type.
    pub(super) fn guesses(asked: &[u64], own: &[u64]) -> Vec<Kind> {
        let mut found = Vec::new();
        let others = |f: u64| own.iter().copied().filter(move |g| *g != f);
        match asked {
            [] => {}
            [next] => {
                let next = *next;
                found.push(Kind::List(next));
                for before in [Before::Any, Before::Null] {
                    found.extend(others(next).map(|prev| Kind::Doubly { next, prev, before }));
                }
                found.push(Kind::Ring(next));
                found.extend(others(next).map(|prev| Kind::DoublyRing { next, prev }));
            }
            several => {
                let pairs =
                    || several.iter().flat_map(|a| several.iter().filter(move |b| *b != a).map(|b| (*a, *b)));
                found.extend(several.len().eq(&2).then(|| Kind::Tree(several.to_vec())));
                for before in [Before::Any, Before::Null] {
                    found.extend(pairs().map(|(next, prev)| Kind::Doubly { next, prev, before }));
                }
                found.extend(pairs().map(|(next, prev)| Kind::DoublyRing { next, prev }));
                found.extend((several.len() > 2).then(|| Kind::Tree(several.to_vec())));
                if own.len() > 2 {
                    for before in [Before::Null, Before::Any] {
                        found.extend(own.iter().map(|up| {
                            let children = others(*up).collect();
                            Kind::TreeUp { children, up: *up, before }
                        }));
                    }
                }
            }
        }
        found
    }

    /// The guesses after this one turned out to say too little about a link.
    pub(super) fn stronger(&self, link: u64, own: &[u64]) -> Vec<Kind> {
        match self {
            Kind::One => Kind::guesses(&[link], own),
            Kind::List(next) if *next != link => {
                let (next, prev) = (*next, link);
                let mut found: Vec<Kind> =
                    [Before::Any, Before::Null].map(|before| Kind::Doubly { next, prev, before }).into();
                found.push(Kind::Tree(vec![next.min(prev), next.max(prev)]));
                found.push(Kind::DoublyRing { next, prev });
                let tree_up = own.iter().filter(|_| own.len() > 2).map(|up| {
                    let children = own.iter().copied().filter(|c| c != up).collect();
                    Kind::TreeUp { children, up: *up, before: Before::Null }
                });
                found.extend(tree_up);
                found
            }
            Kind::Doubly { next, prev, before: Before::Any } if *prev == link => vec![
                Kind::Doubly { next: *next, prev: *prev, before: Before::Null },
                Kind::DoublyRing { next: *next, prev: *prev },
            ],
            Kind::Tree(children) if !children.contains(&link) => {
                let up = |before| Kind::TreeUp { children: children.clone(), up: link, before };
                let mut all = children.clone();
                all.push(link);
                all.sort_unstable();
                vec![up(Before::Any), up(Before::Null), Kind::Tree(all)]
            }
            Kind::TreeUp { children, up, before: Before::Any } if *up == link => {
                vec![Kind::TreeUp { children: children.clone(), up: *up, before: Before::Null }]
            }
            _ => Vec::new(),
        }
    }

    /// Another structure over the same links, of which this one is neither a case nor the other way round.
    pub(super) fn rival(&self) -> Option<Kind> {
        match self {
            Kind::Doubly { next, prev, .. } => Some(Kind::Tree(vec![*next.min(prev), *next.max(prev)])),
            _ => None,
        }
    }

    /// The link along which a structure is walked first.
    pub(super) fn first_link(&self) -> Option<u64> {
        match self {
            Kind::One | Kind::Text => None,
            Kind::List(f) | Kind::Ring(f) => Some(*f),
            Kind::Doubly { next, .. } | Kind::DoublyRing { next, .. } => Some(*next),
            Kind::Tree(children) | Kind::TreeUp { children, .. } => children.first().copied(),
        }
    }

    /// Whether a structure has at least one element whatever is said beside it.
    pub(super) fn is_never_null(&self) -> bool {
        matches!(self, Kind::Ring(_) | Kind::DoublyRing { .. })
    }
}

/// The name of the predicate for blocks of a type: different definitions have different names.
pub(super) fn predicate_name(types: &TypeTable, ty: Ty, family: &Family) -> String {
    if family.kind == Kind::Text {
        return TEXT.into();
    }
    let word = fields::word(types, ty);
    let record = fields::record_of(types, ty);
    let field = |off: u64| {
        let path = fields::cell(types, record, off, types.pointer_size);
        path.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect::<String>()
    };
    let own = fields::links(types, ty);
    // Links are named where they are not those that come first in the type.
    let links: Vec<u64> = match &family.kind {
        Kind::One | Kind::Text => Vec::new(),
        Kind::List(next) | Kind::Ring(next) => vec![*next],
        Kind::Doubly { next, prev, .. } | Kind::DoublyRing { next, prev } => vec![*next, *prev],
        Kind::Tree(children) => children.clone(),
        Kind::TreeUp { children, up, .. } => children.iter().copied().chain([*up]).collect(),
    };
    let is_usual = own.starts_with(&links);
    let mut further: Vec<String> = links.iter().filter(|_| !is_usual).map(|l| field(*l)).collect();
    let owned = |off: &u64| match family.present.contains(off) {
        true => format!("has_{}", field(*off)),
        false => field(*off),
    };
    further.extend(family.owned.keys().map(owned));
    let what = match &family.kind {
        Kind::One | Kind::Text => "one",
        Kind::List(_) | Kind::Ring(_) => "list",
        Kind::Doubly { .. } | Kind::DoublyRing { .. } => "dll",
        Kind::Tree(_) => "tree",
        Kind::TreeUp { .. } => "tree_up",
    };
    let mut name = format!("{word}_{what}");
    for word in further {
        name.push('_');
        name.push_str(&word);
    }
    name
}

/// The structures over blocks of a type that have a name of their own.
pub(super) fn usual(types: &TypeTable, ty: Ty) -> Vec<(String, String)> {
    let own = fields::links(types, ty);
    let mut kinds: Vec<Kind> = own.iter().map(|f| Kind::List(*f)).collect();
    let pairs = own.iter().flat_map(|a| own.iter().filter(move |b| *b != a).map(move |b| (*a, *b)));
    kinds.extend(pairs.map(|(next, prev)| Kind::Doubly { next, prev, before: Before::Any }));
    kinds.extend((own.len() == 2).then(|| Kind::Tree(own.clone())));
    let declared = |kind: Kind| {
        let family = Family::of(kind);
        let name = predicate_name(types, ty, &family);
        (name, definition(types, &Families::new(), ty, &family))
    };
    kinds.into_iter().map(declared).collect()
}

/// A structure at a value, as conjuncts.
pub(super) fn at(
    types: &TypeTable,
    families: &Families,
    ty: Ty,
    name: &str,
    mut new: &mut dyn FnMut() -> String,
) -> Vec<String> {
    let Some(family) = families.get(&ty) else { return Vec::new() };
    let predicate = predicate_name(types, ty, family);
    let before = |b: Before| if b == Before::Any { "_" } else { "null" };
    let record = fields::record_of(types, ty);
    let layout = fields::layout(types, ty);
    let width = types.pointer_size;
    let mut owned = Vec::new();
    match &family.kind {
        Kind::One | Kind::Text | Kind::List(_) | Kind::Tree(_) => vec![format!("{predicate}({name})")],
        Kind::Doubly { before: b, .. } | Kind::TreeUp { before: b, .. } => {
            vec![format!("{predicate}({name}, {})", before(*b))]
        }
        Kind::Ring(next) => {
            let n = new();
            let mut cells = vec![format!("{}: {n}", fields::cell(types, record, *next, width))];
            owned_cells(types, families, family, record, &mut new, &mut cells, &mut owned);
            let mut all = vec![format!("{name} -> {layout} {{ {}, .. }}", cells.join(", "))];
            all.extend(owned);
            all.push(format!("{predicate}({n}; {name})"));
            all
        }
        Kind::DoublyRing { next, prev } => {
            let (n, p) = (new(), new());
            let mut cells = vec![
                format!("{}: {n}", fields::cell(types, record, *next, width)),
                format!("{}: {p}", fields::cell(types, record, *prev, width)),
            ];
            owned_cells(types, families, family, record, &mut new, &mut cells, &mut owned);
            let mut all = vec![format!("{name} -> {layout} {{ {}, .. }}", cells.join(", "))];
            all.extend(owned);
            all.push(format!("{predicate}({n}, {name}; {name}, {p})"));
            all
        }
    }
}

/// The cells of an element that lead to structures of its own, and these structures.
fn owned_cells(
    types: &TypeTable,
    families: &Families,
    family: &Family,
    record: Option<heapwise_ir::RecordId>,
    new: &mut dyn FnMut() -> String,
    cells: &mut Vec<String>,
    owned: &mut Vec<String>,
) {
    for (off, ty) in &family.owned {
        let Some(inner) = families.get(ty) else { continue };
        let d = new();
        cells.push(format!("{}: {d}", fields::cell(types, record, *off, types.pointer_size)));
        let predicate = predicate_name(types, *ty, inner);
        owned.push(match &inner.kind {
            Kind::Doubly { .. } | Kind::TreeUp { .. } => format!("{predicate}({d}, null)"),
            _ => format!("{predicate}({d})"),
        });
        if family.present.contains(off) {
            owned.push(format!("{d} != null"));
        }
    }
}

/// The definitions of all families.
pub(super) fn definitions(types: &TypeTable, families: &Families) -> Vec<String> {
    // All types of characters have the same texts.
    let all = families.iter().map(|(ty, family)| definition(types, families, *ty, family));
    all.collect::<BTreeSet<_>>().into_iter().collect()
}

fn definition(types: &TypeTable, families: &Families, ty: Ty, family: &Family) -> String {
    let name = predicate_name(types, ty, family);
    let record = fields::record_of(types, ty);
    let layout = fields::layout(types, ty);
    let cell = |off: u64| fields::cell(types, record, off, types.pointer_size);
    let mut cells = Vec::new();
    let mut calls = Vec::new();
    let mut params = "x".to_owned();
    match &family.kind {
        Kind::Text => return format!("predicate {name}(x) = x == null | x -> [text] {{ }};"),
        Kind::One => {}
        Kind::List(next) | Kind::Ring(next) => {
            cells.push(format!("{}: n", cell(*next)));
            calls.push(format!("{name}(n)"));
        }
        Kind::Doubly { next, prev, .. } | Kind::DoublyRing { next, prev } => {
            params = "x, before".into();
            cells.push(format!("{}: n", cell(*next)));
            cells.push(format!("{}: before", cell(*prev)));
            calls.push(format!("{name}(n, x)"));
        }
        Kind::Tree(children) => {
            for (i, c) in children.iter().enumerate() {
                cells.push(format!("{}: c{i}", cell(*c)));
                calls.push(format!("{name}(c{i})"));
            }
        }
        Kind::TreeUp { children, up, .. } => {
            params = "x, up".into();
            cells.push(format!("{}: up", cell(*up)));
            for (i, c) in children.iter().enumerate() {
                cells.push(format!("{}: c{i}", cell(*c)));
                calls.push(format!("{name}(c{i}, x)"));
            }
        }
    }
    let mut count = 0;
    let mut new = || {
        count += 1;
        format!("d{count}")
    };
    owned_cells(types, families, family, record, &mut new, &mut cells, &mut calls);
    if record.is_some() {
        cells.push("..".into());
    } else {
        cells.push(format!("@0:{}: _", types.size(ty)));
    }
    let mut block = vec![format!("x -> {layout} {{ {} }}", cells.join(", "))];
    block.append(&mut calls);
    format!("predicate {name}({params}) = x == null | {};", conjunction(&block))
}
