//! Contracts that were found before: a folder of files, each named after what its contents follow from.
//!
//! The name is a hash of everything that the search for a function's contracts sees: the listing of the function and of all
//! functions that it may call, records and variables, the data model, what is taken for granted, and the version of the tool.
//! So nothing has to be thrown away when a program changes: what changed, and what calls it, has another name.
//!
//! A file begins with a hash of the rest, and one that does not fit is as good as none. Whoever can write into the folder is
//! trusted like the tool itself: contracts from there are not proved again.

use heapwise_engine::abduction::{Found, Inferred};
use heapwise_engine::{Options, UnknownCalls};
use heapwise_ir::visit::{statement_operands, statement_places};
use heapwise_ir::{
    CallGraph, Const, DataModel, FuncId, GlobalId, GlobalKind, Operand, PlaceBase, Program, print,
};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A folder of contracts.
pub struct Store {
    folder: PathBuf,
}

/// What names are made of for one program.
pub struct Names<'a> {
    program: &'a Program,
    calls: CallGraph,
    common: String,
    /// The listing of each function, without places in the source.
    listings: BTreeMap<FuncId, String>,
}

impl<'a> Names<'a> {
    /// Reads the program.
    pub fn new(program: &'a Program, model: DataModel, settings: &Options) -> Names<'a> {
        let listing = print::program(program);
        let is_function = |line: &&str| is_head(line);
        let head: String = listing.lines().take_while(|line| !is_function(line)).map(placeless).collect();
        let annotations: Vec<&str> = program.annotations.iter().map(|a| &*a.text).collect();
        let common = format!(
            "{} {model:?} {} {} {:?} {annotations:?}\n{head}",
            crate::options::VERSION,
            settings.malloc_may_fail,
            settings.unknown_calls == UnknownCalls::Optimistic,
            (settings.strategy, program.member_bounds),
        );
        let of = |f: FuncId| print::function(program, f).lines().map(placeless).collect::<String>();
        Names {
            program,
            calls: CallGraph::new(program),
            common,
            listings: program.functions.indices().map(|f| (f, of(f))).collect(),
        }
    }

    /// Which of the variables of the same name a function means, in the order of its text: listings only have names.
    fn variables_of(&self, function: FuncId) -> Vec<String> {
        let mut found = Vec::new();
        let mut named = |g: GlobalId| {
            let globals = self.program.globals.iter_enumerated();
            let global = self.program.globals.get(g).filter(|g| g.kind != GlobalKind::Literal);
            let Some(name) = global.map(|g| &g.name) else { return };
            let alike =
                globals.take_while(|(id, _)| *id != g).filter(|(_, other)| other.name == *name).count();
            if alike > 0 {
                found.push(format!("{name}#{alike} "));
            }
        };
        let blocks = self.program.body(function).into_iter().flat_map(|b| b.blocks.iter());
        for statement in blocks.flat_map(|b| &b.statements) {
            statement_operands(statement, &mut |operand| {
                if let Operand::Const(Const::Global { global, .. }) = operand {
                    named(*global);
                }
            });
            statement_places(statement, &mut |place, _| {
                if let PlaceBase::Global(g) = place.base {
                    named(g);
                }
            });
        }
        found
    }

    /// The name for a function.
    fn of(&self, function: FuncId) -> String {
        let mut hash = Sha256::new();
        hash.update(&self.common);
        if let Some(f) = self.program.functions.get(function) {
            hash.update(f.name.as_bytes());
        }
        for f in self.calls.reachable_from(function).iter() {
            hash.update(self.listings.get(&f).map_or("", String::as_str));
            self.variables_of(f).iter().for_each(|v| hash.update(v));
        }
        hex(&hash.finalize())
    }
}

/// A line of a listing without its comment, which says where it comes from.
fn placeless(line: &str) -> String {
    let is_code = !line.trim_start().starts_with(';');
    let code = match is_head(line) {
        true => line.rsplit_once(" ; ").map_or(line, |(code, _)| code),
        false => line,
    };
    if is_code { format!("{}\n", code.trim_end()) } else { String::new() }
}

fn is_head(line: &str) -> bool {
    line.starts_with("fn ") || line.starts_with("static fn ")
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

impl Store {
    /// The store in a folder, which is made if it is not there.
    pub fn open(folder: &Path) -> std::io::Result<Store> {
        std::fs::create_dir_all(folder)?;
        Ok(Store { folder: folder.to_owned() })
    }

    /// What was found for a function before.
    pub fn get(&self, names: &Names<'_>, function: FuncId) -> Option<Inferred> {
        let f = names.program.functions.get(function)?;
        let text = std::fs::read_to_string(self.folder.join(names.of(function))).ok()?;
        let (hash, body) = text.split_once('\n')?;
        if hash != hex(&Sha256::digest(body)) {
            return None;
        }
        let value: Value = serde_json::from_str(body).ok()?;
        let strings = |v: &Value| -> Option<Vec<String>> {
            v.as_array()?.iter().map(|s| s.as_str().map(str::to_owned)).collect()
        };
        let found = |c: &Value| {
            Some(Found {
                requires: strings(c.get("requires")?)?,
                ensures: strings(c.get("ensures")?)?,
                may_exit: c.get("may_exit")?.as_bool()?,
                predicates: strings(c.get("predicates")?)?,
            })
        };
        let contracts: Option<Vec<Found>> = value.get("contracts")?.as_array()?.iter().map(found).collect();
        Some(Inferred {
            function,
            name: f.name.to_string(),
            params: strings(value.get("params")?)?,
            span: f.span,
            contracts: contracts?,
            why_not: value.get("why_not")?.as_str().map(str::to_owned),
            alarms: Vec::new(),
            from: Vec::new(),
            from_predicates: Vec::new(),
            runs: 0,
            joins: 0,
        })
    }

    /// Keeps what was found for a function. A store that cannot be written only makes the next run a longer one.
    pub fn put(&self, names: &Names<'_>, inferred: &Inferred) {
        let contract = |c: &Found| {
            json!({
                "requires": c.requires, "ensures": c.ensures, "may_exit": c.may_exit,
                "predicates": c.predicates,
            })
        };
        let contracts: Vec<Value> = inferred.contracts.iter().map(contract).collect();
        let value = json!({
            "params": inferred.params, "contracts": contracts, "why_not": inferred.why_not,
        });
        let body = value.to_string();
        let name = names.of(inferred.function);
        // Written beside and moved, so that nobody reads half of it.
        let beside = self.folder.join(format!("{name}.{}", std::process::id()));
        if std::fs::write(&beside, format!("{}\n{body}", hex(&Sha256::digest(&body)))).is_ok() {
            let _ = std::fs::rename(&beside, self.folder.join(name));
        }
    }
}
