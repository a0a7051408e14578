//! What the tests over whole programs share: finding the programs, compiling them, and the concrete memory of a run as
//! the membership test wants it.

// Each test uses a part of it.
#![allow(dead_code)]

pub mod judge;
pub mod mutate;
pub mod native;
pub mod parallel;

use heapwise_engine::Options;
use heapwise_frontend::{SourceUnit, compile};
use heapwise_heap::gamma::{Block, Bytes, Class, ConcreteMemory, LocalValue};
use heapwise_interp::{FrameView, LeakPolicy, LocalView, ObjectId, Origin, Policy, Value, View};
use heapwise_ir::{DataModel, FuncId, GlobalId, LocalId, Program, Severity, Type};
use heapwise_property::Property;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A directory of the repository.
pub fn directory(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}

/// The C programs of a directory, by name, except definitions for native runs.
pub fn programs(name: &str) -> Vec<PathBuf> {
    let wanted = std::env::var("HEAPWISE_ONLY").ok();
    let entries = std::fs::read_dir(directory(name)).expect("the directory of programs is there");
    let mut found: Vec<PathBuf> = entries
        .filter_map(|e| e.ok().map(|e| e.path()))
        .filter(|p| p.extension().is_some_and(|e| e == "c") && !p.ends_with("nondet.c"))
        .filter(|p| wanted.as_ref().is_none_or(|w| p.to_string_lossy().contains(w.as_str())))
        .collect();
    found.sort();
    found
}

/// Whether the long form of the tests was asked for, with `cargo xtask test-long`.
pub fn is_long() -> bool {
    std::env::var_os("HEAPWISE_LONG").is_some()
}

/// A number from the environment; without it the first of these, or the second in the long form.
pub fn amount(variable: &str, short: u64, long: u64) -> u64 {
    let asked = std::env::var(variable).ok().and_then(|s| s.parse().ok());
    asked.unwrap_or(if is_long() { long } else { short })
}

/// About so many of them, evenly spread and always the same; all in the long form, or where some were chosen by name.
pub fn spread<T>(all: Vec<T>, short: usize) -> Vec<T> {
    if is_long() || std::env::var_os("HEAPWISE_ONLY").is_some() {
        return all;
    }
    every(all.len().div_ceil(short.max(1)), all)
}

/// One of so many of them, from the middle of each group.
pub fn every<T>(step: usize, all: Vec<T>) -> Vec<T> {
    all.into_iter().skip(step / 2).step_by(step.max(1)).collect()
}

/// The text after the platform's preprocessor.
pub fn preprocess(name: &str, text: &str) -> Option<String> {
    preprocess_with(name, text, &[])
}

fn preprocess_with(name: &str, text: &str, flags: &[&str]) -> Option<String> {
    let compiler = std::env::var("CC").ok().filter(|cc| !cc.trim().is_empty()).unwrap_or("cc".into());
    let mut child = Command::new(compiler)
        .args(["-E", "-m64", "-xc"])
        .args(flags)
        .arg("-")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the preprocessor starts");
    // The line marker makes positions those of the file.
    let marked = format!("#line 1 \"{name}\"\n{text}");
    let mut input = child.stdin.take().expect("a pipe");
    let text = std::thread::spawn(move || input.write_all(marked.as_bytes()));
    let output = child.wait_with_output().expect("the preprocessor ends");
    text.join().expect("the writer ends").ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// A program from its text; `None` if it is not C.
pub fn compiled(name: &str, text: &str) -> Option<Program> {
    from_preprocessed(name, &preprocess(name, text)?)
}

/// A program whose comments may declare something, from its text.
pub fn with_declarations(name: &str, text: &str) -> Program {
    let text = preprocess_with(name, text, &["-C"]).unwrap_or_else(|| panic!("{name} is preprocessed"));
    from_preprocessed(name, &text).unwrap_or_else(|| panic!("{name} compiles"))
}

/// A program from its preprocessed text; `None` if it is not C.
pub fn from_preprocessed(name: &str, text: &str) -> Option<Program> {
    from_preprocessed_for(name, text, DataModel::Lp64)
}

/// A program from its preprocessed text, for a data model; `None` if it is not C.
pub fn from_preprocessed_for(name: &str, text: &str, model: DataModel) -> Option<Program> {
    let unit = SourceUnit { name: name.into(), text: text.into() };
    let (program, diagnostics) = compile(&[unit], model);
    diagnostics.iter().all(|d| d.severity < Severity::Error).then_some(program)
}

/// A program of the repository.
pub fn load(path: &Path) -> Program {
    let text = std::fs::read_to_string(path).expect("the program can be read");
    compiled(&path.to_string_lossy(), &text).unwrap_or_else(|| panic!("{} compiles", path.display()))
}

/// The line of a position in the file as written.
pub fn line(program: &Program, span: heapwise_ir::Span) -> Option<u32> {
    program.sources.location(span.lo).map(|l| l.line)
}

/// Settings of concrete runs that agree with what the analysis was asked about.
pub fn run_settings(options: &Options, steps: u64) -> heapwise_interp::Options {
    let asked = |property| options.properties.has(property);
    let stop = |property| if asked(property) { Policy::Stop } else { Policy::Ignore };
    let mut settings = heapwise_interp::Options {
        leaks: match (asked(Property::Cleanup), asked(Property::Leak)) {
            (true, _) => LeakPolicy::None,
            (false, true) => LeakPolicy::Reachable,
            _ => LeakPolicy::Ignore,
        },
        lost_block_interval: asked(Property::Leak).then_some(1),
        overflow: stop(Property::Overflow),
        shift: stop(Property::Overflow),
        uninitialised: stop(Property::Uninitialised),
        assertion: stop(Property::Assertion),
        ..heapwise_interp::Options::default()
    };
    settings.limits.steps = steps;
    settings.limits.memory = 64 << 20;
    settings
}

/// The memory of a run, seen from its innermost call.
pub struct RunMemory<'v, 'p, 'r> {
    view: &'v View<'v, 'p, 'r>,
    frame: FrameView,
    blocks: Vec<Block>,
    ids: Vec<ObjectId>,
}

impl<'v, 'p, 'r> RunMemory<'v, 'p, 'r> {
    pub fn new(view: &'v View<'v, 'p, 'r>, frame: FrameView) -> Self {
        let body = view.program().body(frame.function).expect("an active function has code");
        let own: BTreeMap<ObjectId, LocalId> = body
            .locals
            .indices()
            .filter_map(|l| match view.local(frame, l) {
                LocalView::Object(id) => Some((id, l)),
                _ => None,
            })
            .collect();
        let mut found: Vec<(Block, ObjectId)> = view
            .memory()
            .live_objects()
            .map(|(id, o)| {
                let class = match o.origin {
                    Origin::Heap => Class::Heap,
                    Origin::Local { .. } => own.get(&id).map_or(Class::Outer, |l| Class::Own(*l)),
                    Origin::Stream(_) => Class::Stream,
                    Origin::Alloca | Origin::ScopeAlloc(_) => Class::Dynamic,
                    Origin::Global(g) => Class::Global(g),
                    Origin::Library("argv" | "envp") => Class::TextArray,
                    Origin::Library("errno" | "ctype" | "ctype table" | "storage") => Class::Library,
                    Origin::Library(_) => Class::Text,
                    Origin::Undefined(g) => Class::Global(g),
                    Origin::Function(_) | Origin::Label(..) => Class::Other,
                };
                (Block { class, base: o.base, size: o.size }, id)
            })
            .collect();
        found.sort_by_key(|(b, _)| b.base);
        let (blocks, ids) = found.into_iter().unzip();
        RunMemory { view, frame, blocks, ids }
    }

    fn base(&self, id: Option<ObjectId>) -> Option<u64> {
        id.and_then(|id| self.view.object(id)).map(|o| o.base)
    }

    /// The whole memory as text.
    pub fn describe(&self) -> String {
        use std::fmt::Write as _;
        let mut text = String::new();
        if let Some(body) = self.view.program().body(self.frame.function) {
            for (l, local) in body.locals.iter_enumerated() {
                let name = local.name.as_deref().unwrap_or("");
                let _ = writeln!(text, "    {l:?} {name}: {:x?}", self.local(l));
            }
        }
        for (block, id) in self.blocks.iter().zip(&self.ids).filter(|(b, _)| b.class != Class::Other) {
            let Some(o) = self.view.object(*id) else { continue };
            let _ = write!(text, "    {:?} at {:#x}, {} bytes:", block.class, block.base, block.size);
            for at in 0..block.size.min(64) {
                let known = o.known_bits(at) == 0xff;
                match o.bytes().get(at as usize) {
                    Some(b) if known => {
                        let _ = write!(text, " {b:02x}");
                    }
                    _ => text.push_str(" ??"),
                }
            }
            text.push('\n');
        }
        text
    }
}

impl ConcreteMemory for RunMemory<'_, '_, '_> {
    fn blocks(&self) -> &[Block] {
        &self.blocks
    }
    fn read(&self, block: usize, off: u64, width: u64) -> Bytes {
        let Some(o) = self.ids.get(block).and_then(|id| self.view.object(*id)) else {
            return Bytes::Uninitialised;
        };
        if off.checked_add(width).is_none_or(|end| end > o.size) {
            return Bytes::Uninitialised;
        }
        if (off..off + width).any(|at| o.known_bits(at) == 0) {
            return Bytes::Uninitialised;
        }
        if (off..off + width).any(|at| o.known_bits(at) != 0xff) {
            return Bytes::Partly;
        }
        Bytes::Known(o.read_scalar(off, width).bits)
    }
    fn local(&self, local: LocalId) -> LocalValue {
        let program = self.view.program();
        let Some(ty) = program.body(self.frame.function).and_then(|b| b.locals.get(local)).map(|l| l.ty)
        else {
            return LocalValue::Dead;
        };
        let pointer = matches!(program.types.get(ty), Type::Pointer(_));
        match self.view.local(self.frame, local) {
            LocalView::Dead => LocalValue::Dead,
            LocalView::Value(Value::Undefined) => LocalValue::Undefined,
            LocalView::Value(Value::Int { bits, .. }) if pointer => {
                LocalValue::Bits(*bits as u128, self.pointer_bits())
            }
            LocalView::Value(Value::Int { bits, .. }) => LocalValue::Number(*bits),
            LocalView::Value(_) => LocalValue::Opaque,
            LocalView::Object(id) => self.base(Some(id)).map_or(LocalValue::Dead, LocalValue::At),
        }
    }
    fn global(&self, global: GlobalId) -> Option<u64> {
        self.base(self.view.global(global))
    }
    fn function(&self, function: FuncId) -> Option<u64> {
        self.base(self.view.function(function))
    }
    fn pointer_bits(&self) -> u32 {
        self.view.program().types.pointer_size as u32 * 8
    }
}
