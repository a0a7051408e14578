//! Numeric abstract domains
