//! Structures as drawings in Graphviz's DOT language.
//!
//! Individuals are boxes listing their unary predicates, summaries have a double border, optional ones are
//! dashed besides. Pointer variables are drawn as arrows from their names. Values of 1/2 are dotted edges
//! and predicates followed by a question mark (the pictures of Arnold §2 and survey §4.3).

use crate::kleene::Kleene;
use crate::structure::Structure;
use crate::vocabulary::Vocabulary;
use std::fmt::Write as _;

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            '\n' => out.push_str("\\n"),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// One structure as a cluster named by `index`, to be put inside a graph.
fn cluster(voc: &Vocabulary, s: &Structure, index: usize, title: &str, out: &mut String) {
    let _ = writeln!(out, "  subgraph cluster_{index} {{\n    label={};", quoted(title));
    let node = |u: usize| format!("s{index}_u{u}");
    let mut flags = Vec::new();
    for &id in voc.of_arity(0) {
        match s.value(voc, id, &[]) {
            Kleene::False => {}
            Kleene::True => flags.push(voc.get(id).name.clone()),
            Kleene::Unknown => flags.push(format!("{}?", voc.get(id).name)),
        }
    }
    for &id in voc.wide() {
        for (tuple, value) in s.tuples(voc.get(id)) {
            let nodes: Vec<String> = tuple.iter().map(|u| format!("u{u}")).collect();
            let doubt = if value == Kleene::Unknown { "?" } else { "" };
            flags.push(format!("{}({}){doubt}", voc.get(id).name, nodes.join(", ")));
        }
    }
    let _ = writeln!(
        out,
        "    s{index} [shape=plaintext, label={}];",
        quoted(&if flags.is_empty() && s.size() == 0 { "empty".to_string() } else { flags.join(", ") })
    );
    for u in 0..s.size() {
        let mut label = Vec::new();
        for &id in voc.of_arity(1) {
            let p = voc.get(id);
            match s.value(voc, id, &[u]) {
                Kleene::False => {}
                _ if p.pointer => {}
                Kleene::True => label.push(p.name.clone()),
                Kleene::Unknown => label.push(format!("{}?", p.name)),
            }
        }
        let summary = s.summaries() >> u & 1 == 1;
        let optional = s.optional() >> u & 1 == 1;
        let _ = writeln!(
            out,
            "    {} [shape=box, peripheries={}, style={}, label={}];",
            node(u),
            if summary { 2 } else { 1 },
            if optional { "dashed" } else { "solid" },
            quoted(&label.join("\n"))
        );
    }
    for &id in voc.of_arity(1) {
        let p = voc.get(id);
        for u in (0..s.size()).filter(|_| p.pointer) {
            let value = s.value(voc, id, &[u]);
            if value.may() {
                let name = format!("s{index}_p{}", p.slot);
                let _ = writeln!(out, "    {name} [shape=plaintext, label={}];", quoted(&p.name));
                let _ = writeln!(out, "    {name} -> {}{};", node(u), dotted(value, None));
            }
        }
    }
    for &id in voc.of_arity(2) {
        for u in 0..s.size() {
            for v in 0..s.size() {
                let value = s.value(voc, id, &[u, v]);
                if value.may() {
                    let _ = writeln!(
                        out,
                        "    {} -> {}{};",
                        node(u),
                        node(v),
                        dotted(value, Some(&voc.get(id).name))
                    );
                }
            }
        }
    }
    out.push_str("  }\n");
}

fn dotted(value: Kleene, label: Option<&str>) -> String {
    let style = if value == Kleene::Unknown { "dotted" } else { "solid" };
    match label {
        Some(l) => format!(" [style={style}, label={}]", quoted(l)),
        None => format!(" [style={style}]"),
    }
}

/// A graph of titled structures.
pub fn graph<'s>(voc: &Vocabulary, structures: impl IntoIterator<Item = (String, &'s Structure)>) -> String {
    let mut out = String::from("digraph structures {\n  compound=true;\n");
    for (index, (title, s)) in structures.into_iter().enumerate() {
        cluster(voc, s, index, &title, &mut out);
    }
    out.push_str("}\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::Meaning;

    #[test]
    fn a_list_is_drawn() {
        let mut voc = Vocabulary::new();
        let x = voc.declare("x", 1, Meaning::Core).unwrap();
        voc.get_mut(x).pointer = true;
        let n = voc.declare("n", 2, Meaning::Core).unwrap();
        let mut s = Structure::with_size(&voc, 2).unwrap();
        s.set_summary(1, true);
        s.set_value(&voc, x, &[0], Kleene::True);
        s.set_value(&voc, n, &[0, 1], Kleene::Unknown);
        let text = graph(&voc, [("a \"list\"".to_string(), &s)]);
        assert!(text.contains("label=\"a \\\"list\\\"\""));
        assert!(text.contains("s0_u1 [shape=box, peripheries=2"));
        assert!(text.contains("s0_u0 -> s0_u1 [style=dotted, label=\"n\"]"));
        assert!(text.contains("s0_p0 -> s0_u0 [style=solid]"));
    }
}
