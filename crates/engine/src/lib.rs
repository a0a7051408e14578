//! Fixpoints, disjunction strategies, calls, budgets
