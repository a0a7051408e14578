//! Random pairs of states against the laws of the domain, on all small memories. The fuzz target `states` does the same with
//! bytes that it finds itself; this is the short form, the same in every run.

#![allow(clippy::print_stderr)]

use heapwise_heap::testing::World;

/// Pairs that are judged if `HEAPWISE_SEEDS` does not say otherwise.
const PAIRS: u64 = 200;

#[test]
fn joins_inclusion_unfolding_and_folding_keep_their_promises() {
    let world = World::new().expect("the predicates are well formed");
    let pairs = std::env::var("HEAPWISE_SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(1) * PAIRS;
    let mut seed = 0x9e37_79b9_7f4a_7c15u64;
    let (mut judged, mut tried) = (0, 0);
    while judged < pairs {
        let bytes: Vec<u8> = (0..64)
            .map(|_| {
                seed ^= seed << 13;
                seed ^= seed >> 7;
                seed ^= seed << 17;
                (seed >> 32) as u8
            })
            .collect();
        tried += 1;
        match world.judge_choices(&bytes) {
            Ok(both) => judged += u64::from(both),
            Err(broken) => panic!("bytes {bytes:?}: {broken}"),
        }
    }
    eprintln!("{judged} pairs of {tried} choices");
}
