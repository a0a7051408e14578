//! Which disjuncts are put together (Li, Berenger, Chang, Rival 2017, §4.4 and §5).

/// How disjuncts are grouped before they are joined.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Strategy {
    /// Those whose silhouettes are associated, with segments where both silhouettes lead to the same cursor.
    ClumpGuided,
    /// The same, without such segments.
    Clump,
    /// Those whose silhouettes are equal, with such segments.
    CanonGuided,
    /// Those whose silhouettes are equal.
    Canon,
    /// All; no silhouettes, neither for groups nor for segments.
    None,
    /// No two: a disjunct only gives way to one that includes it.
    Included,
    /// All, with segments to cursors where the join finds no other way.
    #[default]
    Any,
}

impl Strategy {
    /// Whether the join may introduce segments between cursors.
    pub fn guided(self) -> bool {
        matches!(self, Strategy::ClumpGuided | Strategy::CanonGuided | Strategy::Any)
    }

    /// Whether silhouettes decide.
    pub fn by_silhouette(self) -> bool {
        !matches!(self, Strategy::None | Strategy::Any | Strategy::Included)
    }

    /// Its name on the command line and in tables.
    pub fn name(self) -> &'static str {
        match self {
            Strategy::ClumpGuided => "clumpg",
            Strategy::Clump => "clump",
            Strategy::CanonGuided => "canong",
            Strategy::Canon => "canon",
            Strategy::None => "none",
            Strategy::Any => "any",
            Strategy::Included => "included",
        }
    }
}
