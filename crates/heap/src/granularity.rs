//! How fine an abstraction is: which structures are looked for, what is told of their elements, how far folds go.
//!
//! A [`Granularity`] is handed to discovery and folding with the states and the predicates they work on; joins are told of
//! it what concerns them. None of the choices can make an answer wrong, because all that is put in place of memory is
//! checked by the matching engine: they only decide between what is kept and what it costs.

/// What discovery and folding may do. The default is to look at families of objects and at the numbers they hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Granularity<'a> {
    /// Which objects are looked at for structures that are not known yet.
    pub discovery: Discovery,
    /// What trees may look like.
    pub trees: Trees,
    /// Which numbers in elements count.
    pub numbers: Numbers,
    /// Where segments that are folded may end.
    pub segments: Segments,
    /// Numbers that bounds of elements stop at, sorted.
    pub thresholds: &'a [i128],
}

/// Which objects are looked at for structures that are not known yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Discovery {
    /// None: the predicates in the table are all there are.
    Closed,
    /// Objects of one size and record.
    #[default]
    Families,
    /// Also chains of such objects by themselves, where no predicate describes the family; folds then lose no pointer that
    /// other memory is held by.
    Chains,
}

/// What trees may look like.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Trees {
    /// Missing children are null; once there are trees, lists of the same elements are trees.
    #[default]
    NullLeaves,
    /// A node that several pointers of an element lead to may stand for missing children.
    CommonLeaf,
    /// Lists of elements that have room for more links stay lists even if there are trees of such elements.
    BesideLists,
}

/// Which numbers in elements of structures count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Numbers {
    /// None: shapes alone.
    Shapes,
    /// None, but elements stay objects that hold a number which is bounded by that of a variable.
    Bounds,
    /// None, but lists know how long they are.
    Lengths,
    /// Those that elements hold: variants of structures fix or bound them.
    #[default]
    Elements,
    /// Those, and which of them follow which along a structure.
    Orders,
}

impl Numbers {
    /// Whether variants of structures speak of numbers.
    pub fn make_variants(self) -> bool {
        matches!(self, Numbers::Elements | Numbers::Orders)
    }
}

/// Where segments that are folded may end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Segments {
    /// As far on as there is one way.
    #[default]
    OneWay,
    /// Where the ways part, also at elements that variables name.
    ToCursors,
}
