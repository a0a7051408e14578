//! The page of measurements: each benchmark owns a section, from its heading to the next one, and leaves the rest as
//! it is.

use crate::options::Options;
use heapwise_cli::exit::Exit;
use heapwise_cli::output;

/// Writes a section, which starts with its heading, into the page that was asked for, if one was.
pub fn publish(options: &Options, heading: &str, section: impl FnOnce() -> String) -> Result<(), Exit> {
    let Some(page) = &options.write else { return Ok(()) };
    let old = std::fs::read_to_string(page).unwrap_or_default();
    std::fs::write(page, with_section(&old, heading, &section())).map_err(|error| {
        output::error(&format!("{}: {error}", page.display()));
        Exit::BadInput
    })
}

/// A page with its section of that heading replaced, or with the section at its end.
fn with_section(page: &str, heading: &str, section: &str) -> String {
    let Some(start) = page.find(&format!("{heading}\n")) else {
        let gap = if page.is_empty() { "# Benchmarks\n\n" } else { "\n" };
        return format!("{page}{gap}{section}");
    };
    let after = page[start + heading.len()..].find("\n## ").map(|i| start + heading.len() + i);
    let rest = after.map_or("", |i| &page[i..]);
    format!("{}{section}{rest}", &page[..start])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_section_of_a_page_changes() {
        let with = |page: &str| with_section(page, "## Ours", "## Ours\n\nnew\n");
        assert_eq!(with(""), "# Benchmarks\n\n## Ours\n\nnew\n");
        let page = "# B\n\n## Ours\n\nold\n### x\n\n## Other\n\ntext\n";
        assert_eq!(with(page), "# B\n\n## Ours\n\nnew\n\n## Other\n\ntext\n");
        assert_eq!(with("# B\n"), "# B\n\n## Ours\n\nnew\n");
    }
}
