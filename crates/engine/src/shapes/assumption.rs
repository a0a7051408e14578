//! What the contracts of a file take for granted: they were verified under these conditions only, so a call may rely on them only
//! where the analysis takes the same for granted.

use heapwise_ir::DataModel;

/// Something that contracts take for granted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Assumption {
    /// Sizes and ranges are those of a data model.
    Model(DataModel),
    /// No allocation fails.
    Allocation,
    /// Functions of which nothing is known change nothing.
    TrustedCalls,
    /// Indices may go past arrays that are members of records.
    LooseMembers,
}

impl Assumption {
    /// The assumption with a name, as files have it.
    pub(crate) fn named(name: &str) -> Option<Assumption> {
        let all = [DataModel::Lp64, DataModel::Ilp32].map(Assumption::Model);
        let others = [Assumption::Allocation, Assumption::TrustedCalls, Assumption::LooseMembers];
        let mut all = all.into_iter().chain(others);
        all.find(|a| a.name() == name)
    }

    /// What it is called in files.
    pub fn name(self) -> &'static str {
        match self {
            Assumption::Model(DataModel::Lp64) => "lp64",
            Assumption::Model(DataModel::Ilp32) => "ilp32",
            Assumption::Allocation => "allocation",
            Assumption::TrustedCalls => "trusted_calls",
            Assumption::LooseMembers => "loose_members",
        }
    }

    /// What has to be so, as the end of a sentence.
    pub(crate) fn condition(self) -> &'static str {
        match self {
            Assumption::Model(DataModel::Lp64) => "`long` and pointers have 64 bits",
            Assumption::Model(DataModel::Ilp32) => "`long` and pointers have 32 bits",
            Assumption::Allocation => "no allocation fails",
            Assumption::TrustedCalls => "functions of which nothing is known change nothing",
            Assumption::LooseMembers => "indices may go past arrays that are members",
        }
    }
}
