//! Two states that the bytes choose: joins and inclusion, unfolding, folding and sweeping keep their promises on all small
//! memories, as membership in γ has it.
#![no_main]

use heapwise_heap::testing::World;
use libfuzzer_sys::fuzz_target;
use std::cell::OnceCell;

thread_local! {
    static WORLD: OnceCell<World> = const { OnceCell::new() };
}

fuzz_target!(|bytes: &[u8]| {
    WORLD.with(|world| {
        let world = world.get_or_init(|| World::new().expect("the predicates are well formed"));
        if let Err(broken) = world.judge_choices(bytes) {
            panic!("{broken}");
        }
    });
});
