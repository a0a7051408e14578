//! Diagnostics, drawings, machine-readable output
