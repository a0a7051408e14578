//! Layout against the platform's compiler: random records, laid out here and there, must agree in size, alignment,
//! offsets and, for bit-fields, in every bit.
//!
//! For each record a probe program prints `sizeof`, `_Alignof`, the offset of each ordinary member, and for each
//! bit-field the bytes of the record with that field set to all ones. The seed is fixed; `HEAPWISE_LAYOUT_SEED`
//! changes it.

#![allow(clippy::print_stderr)]

use heapwise_frontend::{SourceUnit, compile};
use heapwise_ir::{DataModel, Program, Record, RecordKind, Type};
use std::fmt::Write as _;
use std::process::Command;

const RECORDS: usize = 300;

/// xorshift: good enough to choose members.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
    fn below(&mut self, n: u64) -> u64 {
        (self.next() >> 11) % n
    }
    fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }
    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len() as u64) as usize]
    }
}

const TYPEDEFS: &str = "typedef int al8 __attribute__((aligned(8)));\n\
    typedef long long al2 __attribute__((aligned(2)));\n\
    typedef char al4 __attribute__((aligned(4)));\n\
    enum color { RED, GREEN };\n";
const PLAIN: &[&str] = &[
    "char",
    "signed char",
    "short",
    "unsigned",
    "int",
    "long",
    "long long",
    "float",
    "double",
    "long double",
    "void *",
    "_Bool",
    "enum color",
    "al8",
    "al2",
    "al4",
    "unsigned char",
];
/// Arrays may not have elements that are aligned to more than their size.
const ELEMENTS: &[&str] = &["char", "short", "int", "long long", "double", "void *", "al2"];
const BITS: &[(&str, u64)] = &[
    ("char", 8),
    ("unsigned char", 8),
    ("short", 16),
    ("unsigned short", 16),
    ("int", 32),
    ("unsigned", 32),
    ("long long", 64),
    ("unsigned long long", 64),
    ("_Bool", 1),
    ("enum color", 32),
    ("al8", 32),
    ("al4", 8),
    ("al2", 64),
];

fn attribute(r: &mut Random) -> &'static str {
    match r.below(24) {
        0 => " __attribute__((packed))",
        1 => " __attribute__((aligned(4)))",
        2 => " __attribute__((aligned(16)))",
        3 => " __attribute__((packed, aligned(2)))",
        _ => "",
    }
}

/// A record named `r{n}`; earlier records may be members.
fn record(r: &mut Random, n: usize) -> String {
    let mut text = String::new();
    let pack = [0, 0, 0, 0, 0, 1, 2, 4, 8][r.below(9) as usize];
    if pack != 0 {
        let _ = writeln!(text, "#pragma pack(push, {pack})");
    }
    let kind = if r.one_in(5) { "union" } else { "struct" };
    let head = match r.below(8) {
        0 => " __attribute__((packed))",
        1 => " __attribute__((aligned(8)))",
        _ => "",
    };
    let _ = writeln!(text, "{kind}{head} r{n} {{");
    for m in 0..r.below(7) {
        match r.below(10) {
            0..4 => {
                let (ty, width) = BITS[r.below(BITS.len() as u64) as usize];
                if r.one_in(8) {
                    let width = if r.one_in(2) { 0 } else { 1 + r.below(width) };
                    let _ = writeln!(text, "  {ty} : {width};");
                } else {
                    let width = if r.one_in(4) { width } else { 1 + r.below(width) };
                    let _ = writeln!(text, "  {ty} b{m} : {width}{};", attribute(r));
                }
            }
            4 if n > 0 => {
                let _ = writeln!(text, "  R{} m{m}{};", r.below(n as u64), attribute(r));
            }
            5 => {
                let _ = writeln!(text, "  {} m{m}[{}]{};", r.pick(ELEMENTS), 1 + r.below(3), attribute(r));
            }
            6 if r.one_in(3) => {
                let _ = writeln!(text, "  struct {{ char m{m}; {} n{m}; }}{};", r.pick(PLAIN), attribute(r));
            }
            _ => {
                let _ = writeln!(text, "  {} m{m}{};", r.pick(PLAIN), attribute(r));
            }
        }
    }
    if kind == "struct" && r.one_in(8) {
        let _ = writeln!(text, "  int m99; {} flexible[];", r.pick(ELEMENTS));
    }
    let _ = writeln!(text, "}};");
    if pack != 0 {
        let _ = writeln!(text, "#pragma pack(pop)");
    }
    let _ = writeln!(text, "typedef {kind} r{n} R{n};");
    text
}

/// The program that prints the compiler's view.
fn probe(definitions: &str, program: &Program) -> String {
    let mut main = String::new();
    for n in 0..RECORDS {
        let Some(record) = named(program, n) else { continue };
        let _ = writeln!(main, "  printf(\"r{n} %d %d\\n\", (int)sizeof(R{n}), (int)_Alignof(R{n}));");
        for (path, _, bits) in members(program, record) {
            if bits.is_none() {
                let _ =
                    writeln!(main, "  printf(\"r{n}.{path} %d\\n\", (int)__builtin_offsetof(R{n}, {path}));");
            } else {
                let _ = writeln!(
                    main,
                    "  {{ union {{ R{n} r; unsigned char b[sizeof(R{n}) + 1]; }} u; \
                     __builtin_memset(&u, 0, sizeof u); u.r.{path} = -1; \
                     printf(\"r{n}.{path}\"); dump(u.b, sizeof(R{n})); }}"
                );
            }
        }
    }
    format!(
        "{definitions}\nint printf(const char *, ...);\n\
         static void dump(unsigned char *b, int n) {{ for (int i = 0; i < n; i++) \
         for (int k = 0; k < 8; k++) if (b[i] >> k & 1) printf(\" %d\", i * 8 + k); printf(\"\\n\"); }}\n\
         int main(void) {{\n{main}  return 0;\n}}\n"
    )
}

fn named(program: &Program, n: usize) -> Option<&Record> {
    let name = format!("r{n}");
    program.types.records.iter().find(|r| r.name.as_deref() == Some(&name))
}

type Bits = Option<(u64, u64)>;

/// Named members with byte offset and, for bit-fields, first bit and width; anonymous members flattened.
fn members(program: &Program, record: &Record) -> Vec<(String, u64, Bits)> {
    let mut found = Vec::new();
    for field in &record.fields {
        let bits = field.bits.map(|b| (field.offset * 8 + u64::from(b.shift), u64::from(b.width)));
        match (&field.name, program.types.get(field.ty)) {
            (Some(name), _) => found.push((name.to_string(), field.offset, bits)),
            (None, Type::Record(inner)) => {
                for (name, offset, bits) in members(program, &program.types.records[*inner]) {
                    let bits = bits.map(|(first, width)| (first + field.offset * 8, width));
                    found.push((name, offset + field.offset, bits));
                }
            }
            _ => {}
        }
    }
    found
}

/// The same lines as the probe prints, from our own layout.
fn expected(program: &Program) -> String {
    let mut text = String::new();
    for n in 0..RECORDS {
        let Some(record) = named(program, n) else { continue };
        let _ = writeln!(text, "r{n} {} {}", record.size, record.align);
        for (path, offset, bits) in members(program, record) {
            match bits {
                None => {
                    let _ = writeln!(text, "r{n}.{path} {offset}");
                }
                Some((first, width)) => {
                    let _ = write!(text, "r{n}.{path}");
                    for bit in first..first + width {
                        let _ = write!(text, " {bit}");
                    }
                    text.push('\n');
                }
            }
        }
    }
    text
}

/// Runs `source` natively; `None` if it cannot be built.
fn native(source: &str, flag: &str, tag: &str) -> Option<String> {
    let dir = std::env::temp_dir().join(format!("heapwise-layout-{}-{tag}", std::process::id()));
    std::fs::create_dir_all(&dir).ok()?;
    let (c, binary) = (dir.join("probe.c"), dir.join("probe"));
    std::fs::write(&c, source).ok()?;
    let built = Command::new("gcc").args([flag, "-w", "-o"]).arg(&binary).arg(&c).output().ok();
    let output = match built {
        Some(o) if o.status.success() => Command::new(&binary).output().ok(),
        Some(o) => {
            eprintln!(
                "{}",
                String::from_utf8_lossy(&o.stderr).lines().take(5).collect::<Vec<_>>().join("\n")
            );
            None
        }
        None => None,
    };
    let _ = std::fs::remove_dir_all(&dir);
    output.map(|o| String::from_utf8_lossy(&o.stdout).into_owned())
}

fn compare(model: DataModel, flag: &str) {
    if native("int main(void) { return 0; }", flag, &format!("try{flag}")).is_none() {
        eprintln!("skipped: gcc {flag} does not work here");
        return;
    }
    let seed = std::env::var("HEAPWISE_LAYOUT_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(20_240_607);
    let mut random = Random(seed | 1);
    let mut definitions = String::from(TYPEDEFS);
    for n in 0..RECORDS {
        definitions.push_str(&record(&mut random, n));
    }
    let unit = SourceUnit { name: "records.c".into(), text: definitions.as_str().into() };
    let (program, diagnostics) = compile(&[unit], model);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    assert!(program.types.records.iter().any(|r| r.kind == RecordKind::Union));
    let theirs = native(&probe(&definitions, &program), flag, flag).expect("the probe compiles");
    let ours = expected(&program);
    for (a, b) in ours.lines().zip(theirs.lines()) {
        if a != b {
            let name = a.split(['.', ' ']).next().unwrap_or("");
            let at = definitions.find(&format!(" {name} {{")).unwrap_or(0);
            let from = definitions[..at].rfind("typedef").unwrap_or(0);
            let to = definitions[at..].find("typedef").map_or(definitions.len(), |i| at + i);
            panic!("{flag}: ours {a:?}, the compiler's {b:?}\n{}", &definitions[from..to]);
        }
    }
    assert_eq!(ours.lines().count(), theirs.lines().count());
}

#[test]
fn records_of_64_bit_programs() {
    compare(DataModel::Lp64, "-m64");
}

#[test]
fn records_of_32_bit_programs() {
    compare(DataModel::Ilp32, "-m32");
}
