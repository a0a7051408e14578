//! Where boxes and arrows go: a layered layout from left to right, computed by the crate `dagre`.
//!
//! Sizes are those of text in a fixed-width font. Parallel arrows and arrows to the same box are routed apart.

use super::{Content, Figure, Kind, Line, Picture};
use dagre::graph::{Graph, GraphOptions};
use dagre::{EdgeLabel, LayoutOptions, NodeLabel, RankDir};

/// Width of a character, and heights of a row and of the labels above a box.
pub const CHAR: f64 = 7.3;
/// Height of a row.
pub const ROW: f64 = 20.0;
/// Height of the labels above a box.
pub const LABEL: f64 = 24.0;
/// Space inside of a box, left and right.
pub const PAD: f64 = 9.0;
const MARGIN: f64 = 14.0;

/// A place for everything.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Layout {
    /// Width of the whole.
    pub width: f64,
    /// Height of the whole.
    pub height: f64,
    /// Left, top, width and height of the boxes, labels included.
    pub boxes: Vec<[f64; 4]>,
    /// The points that each arrow bends at, ends excluded.
    pub bends: Vec<Vec<(f64, f64)>>,
    /// Where the label of each arrow stands, if it has one: its middle.
    pub labels: Vec<Option<(f64, f64)>>,
}

/// Width of a text.
pub fn width_of(text: &str) -> f64 {
    text.chars().count() as f64 * CHAR
}

/// How a part reads that is no pointer.
pub fn content_text(content: &Content) -> &str {
    match content {
        Content::Text(text) => text,
        Content::Null => "∅",
        Content::Unknown => "?",
        Content::Uninitialised => "not set",
        Content::Pointer => "•",
    }
}

/// Width and height of a box, labels included.
pub fn size(figure: &Figure) -> (f64, f64) {
    if matches!(figure.kind, Kind::Null | Kind::Unknown) && figure.rows.is_empty() && figure.labels.is_empty()
    {
        return (width_of(figure.title.first().map_or("", |t| t)).max(CHAR) + 2.0 * PAD, ROW);
    }
    let rows = figure.rows.iter().map(|r| width_of(&r.name) + width_of(content_text(&r.content)) + 3.0 * PAD);
    let title = figure.title.iter().map(|t| width_of(t) + 2.0 * PAD);
    let labels = figure.labels.iter().map(|l| width_of(l) + 2.0 * PAD).sum::<f64>();
    let width = rows.chain(title).fold(labels.max(40.0), f64::max);
    let above = if figure.labels.is_empty() { 0.0 } else { LABEL };
    let lines = (figure.rows.len() + figure.title.len()).max(1);
    let extra = if figure.kind == Kind::Structure { 8.0 } else { 0.0 };
    (width + extra, above + lines as f64 * ROW + 4.0 + extra)
}

/// Places a picture.
pub fn place(picture: &Picture) -> Layout {
    if picture.boxes.is_empty() {
        return Layout { width: 2.0 * MARGIN, height: 2.0 * MARGIN, ..Layout::default() };
    }
    let options = GraphOptions { directed: true, multigraph: true, compound: false };
    let mut graph: Graph<NodeLabel, EdgeLabel> = Graph::with_options(options);
    for (i, figure) in picture.boxes.iter().enumerate() {
        let (width, height) = size(figure);
        graph.set_node(format!("{i}"), Some(NodeLabel { width, height, ..NodeLabel::default() }));
    }
    for (k, arrow) in picture.arrows.iter().enumerate().filter(|(_, a)| a.from != a.to) {
        let weight = match arrow.line {
            Line::Thick => 4,
            Line::Plain => 2,
            Line::Dashed => 1,
        };
        // Labels stand above their arrows; other arrows keep off.
        let height = if arrow.label.is_empty() { 4.0 } else { ROW };
        let label = EdgeLabel { weight, width: width_of(&arrow.label), height, ..EdgeLabel::default() };
        graph.set_edge(
            format!("{}", arrow.from),
            format!("{}", arrow.to),
            Some(label),
            Some(&format!("{k}")),
        );
    }
    let settings = LayoutOptions {
        rankdir: RankDir::LR,
        nodesep: 22.0,
        ranksep: 26.0,
        edgesep: 14.0,
        marginx: MARGIN,
        marginy: MARGIN,
        ..LayoutOptions::default()
    };
    dagre::layout(&mut graph, Some(settings));
    let mut layout = Layout::default();
    for (i, figure) in picture.boxes.iter().enumerate() {
        let (w, h) = size(figure);
        let node = graph.node(&format!("{i}"));
        let x = node.and_then(|n| n.x).unwrap_or(0.0) - w / 2.0;
        let y = node.and_then(|n| n.y).unwrap_or(0.0) - h / 2.0;
        layout.boxes.push([x, y, w, h]);
    }
    for (k, arrow) in picture.arrows.iter().enumerate() {
        let name = format!("{k}");
        let edge = graph.edge(&format!("{}", arrow.from), &format!("{}", arrow.to), Some(&name));
        let points: Vec<(f64, f64)> =
            edge.map(|e| e.points.iter().map(|p| (p.x, p.y)).collect()).unwrap_or_default();
        let inner = points.get(1..points.len().saturating_sub(1)).unwrap_or_default();
        // The one bend of an arrow to a neighbour is where a label would be.
        let labelled = !arrow.label.is_empty();
        layout.bends.push(if inner.len() <= 1 && !labelled { Vec::new() } else { inner.to_vec() });
        layout.labels.push(inner.get(inner.len() / 2).copied().filter(|_| labelled));
    }
    let bends = || layout.bends.iter().flatten();
    let low = |start: f64, all: &mut dyn Iterator<Item = f64>| all.fold(start, f64::min);
    let x0 = low(0.0, &mut layout.boxes.iter().map(|b| b[0] - MARGIN).chain(bends().map(|p| p.0 - MARGIN)));
    let y0 = low(0.0, &mut layout.boxes.iter().map(|b| b[1] - MARGIN).chain(bends().map(|p| p.1 - MARGIN)));
    layout.boxes.iter_mut().for_each(|b| {
        b[0] -= x0;
        b[1] -= y0;
    });
    layout.bends.iter_mut().flatten().chain(layout.labels.iter_mut().flatten()).for_each(|p| {
        p.0 -= x0;
        p.1 -= y0;
    });
    let bends = || layout.bends.iter().flatten();
    let right = layout.boxes.iter().map(|b| b[0] + b[2]).chain(bends().map(|p| p.0)).fold(0.0, f64::max);
    let bottom = layout.boxes.iter().map(|b| b[1] + b[3]).chain(bends().map(|p| p.1)).fold(0.0, f64::max);
    // Loops and arrows back stand out on the right.
    (layout.width, layout.height) = (right + MARGIN + 26.0, bottom + MARGIN);
    layout
}

#[cfg(test)]
mod tests {
    use super::super::{Arrow, Row};
    use super::*;

    /// A picture with so many boxes, and arrows that a simple generator chooses.
    fn random(boxes: usize, arrows: usize, seed: u64) -> Picture {
        let mut state = seed;
        let mut next = |n: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % n.max(1)
        };
        let figure = |i: usize| Figure {
            kind: if i.is_multiple_of(3) { Kind::Structure } else { Kind::Heap },
            title: vec![format!("struct s{i}")],
            labels: if i.is_multiple_of(4) { vec![format!("v{i}")] } else { Vec::new() },
            rows: (0..i % 4).map(|k| Row { name: format!("f{k}"), content: Content::Pointer }).collect(),
        };
        let all: Vec<Figure> = (0..boxes).map(figure).collect();
        let arrows = (0..arrows).map(|_| Arrow {
            from: next(boxes),
            row: None,
            to: next(boxes),
            label: String::new(),
            line: [Line::Plain, Line::Thick, Line::Dashed][next(3)],
        });
        Picture { arrows: arrows.collect(), boxes: all, caption: String::new() }
    }

    #[test]
    fn boxes_do_not_overlap_and_lie_inside_whatever_the_graph() {
        for seed in 0..120 {
            let (boxes, arrows) = (1 + seed as usize % 34, seed as usize % 60);
            let picture = random(boxes, arrows, seed);
            let layout = place(&picture);
            assert_eq!(layout, place(&picture), "the same picture has the same layout");
            for (i, a) in layout.boxes.iter().enumerate() {
                assert!(a[0] >= 0.0 && a[1] >= 0.0, "{a:?}");
                assert!(a[0] + a[2] <= layout.width && a[1] + a[3] <= layout.height, "{a:?} {layout:?}");
                for b in layout.boxes.iter().skip(i + 1) {
                    let apart = a[0] + a[2] <= b[0] + 0.5
                        || b[0] + b[2] <= a[0] + 0.5
                        || a[1] + a[3] <= b[1] + 0.5
                        || b[1] + b[3] <= a[1] + 0.5;
                    assert!(apart, "seed {seed}: {a:?} and {b:?}");
                }
            }
        }
    }
}
