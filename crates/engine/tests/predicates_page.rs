//! The examples of `docs/predicates.md` are what the page says they are: predicates.

mod common;

use heapwise_engine::shapes::declare::{ShapeFile, declare};

/// The fenced blocks of a page: language and text.
fn blocks(page: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut open: Option<(String, String)> = None;
    for line in page.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(language)) => open = Some((language.to_owned(), String::new())),
            (Some(_), Some(_)) => found.extend(open.take()),
            (Some((_, text)), None) => {
                text.push_str(line);
                text.push('\n');
            }
            (None, None) => {}
        }
    }
    found
}

#[test]
fn examples_are_predicates() {
    let page = std::fs::read_to_string(common::directory("docs/predicates.md")).expect("the page is there");
    let blocks = blocks(&page);
    let mut examples = 0;
    for pair in blocks.windows(2) {
        let [(c, structs), (shape, text)] = pair else { continue };
        if c != "c" || shape != "shape" {
            continue;
        }
        examples += 1;
        let program = common::from_preprocessed("page.c", structs).unwrap_or_else(|| panic!("{structs}"));
        let file = ShapeFile { name: "page.shape".into(), text: text.clone(), at_calls: false };
        match declare(&program, &[file]) {
            Ok(d) => assert!(!d.preds.is_empty(), "{text}"),
            Err(errors) => panic!("{text}\n{errors:?}"),
        }
    }
    assert!(examples >= 12, "{examples} examples");
}
