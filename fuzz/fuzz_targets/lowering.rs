//! Any text: what the front end makes of it is well-formed IR, in both data models.
#![no_main]

use heapwise_frontend::{SourceUnit, compile};
use heapwise_ir::{DataModel, verify};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        let unit = SourceUnit { name: "fuzz.i".into(), text: text.into() };
        let (program, _) = compile(&[unit], model);
        let violations = verify::program(&program);
        assert!(violations.is_empty(), "{}", violations[0].describe(&program));
    }
});
