//! Runs a TVP program on a TVS input: `cargo run -p heapwise-tvl --example tvla -- prog.tvp in.tvs [loose] [part|rel|max]`.
#![allow(clippy::print_stdout)]

use heapwise_tvl::domain::{Embedding, Join};
use heapwise_tvl::lang::tvs::Unmentioned;
use heapwise_tvl::lang::{read_program, read_structures, tvs};
use heapwise_tvl::solver::{Options, counts};
use std::path::Path;
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [program, input, flags @ ..] = &args[..] else { return Err("usage: tvla prog.tvp in.tvs".into()) };
    let mut include = |name: &str, from: &str| {
        let path = Path::new(from).parent().unwrap_or(Path::new("")).join(name);
        let path = if path.exists() {
            path
        } else {
            Path::new(program).parent().unwrap_or(Path::new("")).join(name)
        };
        let text = std::fs::read_to_string(&path).map_err(|e| e.to_string())?;
        Ok((path.display().to_string(), text))
    };
    let spec = read_program(program, &std::fs::read_to_string(program)?, &mut include)?;
    let initial =
        read_structures(&spec, input, &std::fs::read_to_string(input)?, Unmentioned::Evaluate, &mut include)?;
    let flag = |f: &str| flags.iter().any(|x| x == f);
    let options = Options {
        embedding: if flag("loose") { Embedding::Loose } else { Embedding::Strict },
        join: if flag("rel") {
            Join::Relational
        } else if flag("part") {
            Join::Partial
        } else {
            Join::Maximal
        },
        max_time: Some(Duration::from_secs(60)),
        ..Options::default()
    };
    let started = Instant::now();
    let solution = spec.run(&initial, &options);
    let time = started.elapsed();
    println!(
        "{:?} in {time:?}, {} steps, {} constraints",
        solution.outcome,
        solution.steps,
        spec.coercion.constraints().len()
    );
    println!("{:?}", counts(&solution.sets));
    for m in &solution.messages {
        println!(
            "{}: {} [{}]{}",
            spec.graph.locations[m.location],
            m.text,
            m.action,
            if m.certain { " certain" } else { "" }
        );
        if flag("show") {
            println!("{}", tvs::print(&spec.vocabulary, &m.structure));
        }
    }
    for (l, set) in solution.sets.iter().enumerate() {
        println!("  {}: {}", spec.graph.locations[l], set.len());
        if flag(&spec.graph.locations[l]) {
            for s in set.iter() {
                println!("{}", tvs::print(&spec.vocabulary, s));
            }
        }
    }
    Ok(())
}
