//! `docs/library.md` is the table of library functions, written out.

use std::path::Path;

#[test]
fn page_equals_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/library.md");
    let expected = heapwise_ir::library::page();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &expected).expect("docs/library.md can be written");
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == expected,
        "docs/library.md differs from the table; run with UPDATE_EXPECT=1 to rewrite it"
    );
}
