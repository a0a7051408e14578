//! Memory as a picture: what there is in it ([`Picture`]), from abstract states ([`state`]) or from runs ([`run`]), where
//! it goes ([`layout`]), and how it looks ([`svg`]).

pub mod layout;
pub mod run;
pub mod state;
pub mod svg;

/// Memory as boxes and arrows.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Picture {
    /// The boxes; those that variables name come first.
    pub boxes: Vec<Figure>,
    /// The arrows.
    pub arrows: Vec<Arrow>,
    /// The picture in one sentence.
    pub caption: String,
}

/// A box.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Figure {
    /// What it stands for.
    pub kind: Kind,
    /// What it is called.
    pub title: Vec<String>,
    /// Variables that point to it.
    pub labels: Vec<String>,
    /// Its parts.
    pub rows: Vec<Row>,
}

/// What a box stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// A block on the heap.
    Heap,
    /// A variable in memory.
    Variable,
    /// Memory of a caller.
    Outer,
    /// A whole structure, or a segment of one.
    Structure,
    /// Where structures end.
    Null,
    /// An address of which nothing is known.
    Unknown,
    /// Memory that is gone.
    Freed,
    /// Variables that point nowhere.
    Values,
}

/// A part of a box.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub content: Content,
}

/// What a part holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    /// A number, or words.
    Text(String),
    /// Null.
    Null,
    /// Anything.
    Unknown,
    /// Nothing yet.
    Uninitialised,
    /// A pointer: an arrow starts here.
    Pointer,
}

/// An arrow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arrow {
    /// The box it starts from.
    pub from: usize,
    /// The part of that box.
    pub row: Option<usize>,
    /// Where it leads.
    pub to: usize,
    /// Into which part of the target, if not to its start.
    pub label: String,
    /// What it stands for.
    pub line: Line,
}

/// What an arrow stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Line {
    /// One pointer.
    Plain,
    /// Any number of elements.
    Thick,
    /// Something that all elements of a structure share.
    Dashed,
}

/// Several states as one drawing: one below the other, each with its sentence.
pub fn sheet(states: &[heapwise_heap::State], naming: crate::names::Naming<'_>) -> String {
    let pictures: Vec<Picture> = states.iter().map(|s| state::picture(s, naming)).collect();
    svg::sheet(&pictures)
}

/// A picture as SVG.
pub fn svg(picture: &Picture) -> String {
    svg::text(picture, &layout::place(picture))
}
