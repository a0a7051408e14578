//! What the user says about shapes: predicates, contracts, assumptions and checks, read and verified.

pub mod claim;
pub mod declare;
pub mod verify;
