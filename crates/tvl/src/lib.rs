//! Three-valued structures and the TVLA language
