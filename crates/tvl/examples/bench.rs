//! Prints the comparison of strict and loose embedding.
#![allow(clippy::print_stdout)]

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for row in heapwise_tvl::bench::rows(5)? {
        println!(
            "{:12} {:12} {:7} {:3} locations  {:4} / {:4.1} / {:3}  {:5} steps  {:9.3} ms, {:7.3} refining  {}",
            row.program,
            format!("{:?}", row.engine),
            format!("{:?}", row.embedding),
            row.counts.locations,
            row.counts.total,
            row.counts.average,
            row.counts.max,
            row.steps,
            row.time.as_secs_f64() * 1e3,
            row.refinement.as_secs_f64() * 1e3,
            if row.proved { "proved" } else { "NOT PROVED" }
        );
    }
    Ok(())
}
