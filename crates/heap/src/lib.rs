//! Separation-logic heap states with inductive predicates
