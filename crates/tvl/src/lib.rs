//! Shape analysis by three-valued logic: structures, the general engine for TVLA's language, and a
//! specialised engine for pointer programs.
//!
//! Sources, cited beside the code as *survey* and *Arnold*: the survey *Shape Analysis*, §4.3, and
//! G. Arnold, *Lightweight Specialized 3-Valued Logic Shape Analyzer* (UCB/EECS-2006-59).
//!
//! The crate knows neither C nor files: programs come in as [`program`] values or as text whose
//! includes are resolved by a callback, and every limit comes back as a value.
//!
//! Layers, each using only those above it: [`kleene`], [`vocabulary`], [`structure`] (with [`wide`],
//! [`canonical`], [`embedding`], [`meet`], [`domain`]), [`formula`] and [`eval`]; on these the general engine
//! ([`constraint`], [`coerce`], [`focus`], [`difference`], [`transform`] with [`individuals`], [`solver`], [`decompose`], fed by [`lang`]) and,
//! beside it, the specialised one ([`program`], [`schema`], [`refine`], [`transfer`], [`specialised`]).

pub mod apart;
pub mod bench;
pub mod canonical;
pub mod coerce;
pub mod constraint;
pub mod decompose;
pub mod difference;
pub mod domain;
pub mod dot;
pub mod embedding;
pub mod eval;
pub mod focus;
pub mod formula;
pub mod individuals;
pub mod kleene;
pub mod lang;
pub mod local_heap;
pub mod meet;
pub mod program;
pub mod refine;
pub mod samples;
pub mod schema;
pub mod solver;
pub mod specialised;
pub mod structure;
pub mod transfer;
pub mod transform;
pub mod vocabulary;
pub mod wide;
