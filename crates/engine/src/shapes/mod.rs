//! What the user says about shapes: predicates, contracts and shape statements are read here, and what a claim about memory
//! means as states.

pub mod assumption;
pub mod claim;
pub mod declare;
pub mod interface;
pub(crate) mod prove;
