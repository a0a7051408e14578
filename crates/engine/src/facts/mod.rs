//! What is known of functions before they are analysed: facts of the program's text.
//!
//! [`footprint`]: the paths to the memory that a function accesses. [`unaccessed_params`]: the parameters and globals
//! whose memory it leaves alone. [`must_return`]: whether every call comes back. [`relevance`]: the points from which
//! the error function can still be reached.
//!
//! **Invariant:** nothing here looks at an abstract state; each fact is found once and kept for all attempts.

pub(crate) mod footprint;
pub(crate) mod must_return;
pub(crate) mod relevance;
pub(crate) mod unaccessed_params;
