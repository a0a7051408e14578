//! Writing to the terminal. A closed pipe is not an error: whoever reads has seen enough.

use crate::commands::explain;
use crate::options::{Color, Form, Output, VERSION};
use heapwise_ir::SourceMap;
use heapwise_report::{Document, Entry, Finding, Style, document, github, json, junit, render, sarif};
use std::io::{IsTerminal, Write};

/// Writes text to standard output.
pub fn print(text: &str) {
    print_bytes(text.as_bytes());
}

/// Writes bytes to standard output.
pub fn print_bytes(bytes: &[u8]) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(bytes).and_then(|()| out.flush());
}

/// Writes text to standard error.
pub fn eprint(text: &str) {
    eprint_bytes(text.as_bytes());
}

/// Writes bytes to standard error.
pub fn eprint_bytes(bytes: &[u8]) {
    let _ = std::io::stderr().lock().write_all(bytes);
}

/// An error that concerns no place in a program.
pub fn error(message: &str) {
    eprint(&format!("heapwise: error: {message}\n"));
}

/// Whether text for standard error (or output) is coloured.
pub fn style(color: Color, terminal: bool) -> Style {
    let wanted = match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => terminal && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty()),
    };
    if wanted { Style::Coloured } else { Style::Plain }
}

/// What JSON reports give as the verdict on input that cannot be judged.
pub const INPUT_ERROR: &str = "input-error";

/// Reports findings on standard error, in the form that was asked for.
pub fn report(findings: &[Finding], sources: &SourceMap, output: &Output) {
    report_with(findings, sources, output, None);
}

/// Reports what is wrong with the input.
pub fn report_bad_input(findings: &[Finding], sources: &SourceMap, output: &Output) {
    report_with(findings, sources, output, Some(INPUT_ERROR));
}

fn report_with(findings: &[Finding], sources: &SourceMap, output: &Output, verdict: Option<&str>) {
    match output.format {
        Form::Text => {
            let style = style(output.color, std::io::stderr().is_terminal());
            eprint(&render::findings(findings, sources, style));
        }
        Form::Json => {
            let mut object = serde_json::json!({
                "version": json::VERSION, "findings": json::findings(findings, sources),
            });
            if let Some(verdict) = verdict {
                object["verdict"] = verdict.into();
            }
            eprint(&format!("{object}\n"));
        }
        Form::Sarif | Form::Junit | Form::Github => {
            let entries = document::entries(findings.to_vec(), sources, None);
            let verdict = verdict.unwrap_or("stopped");
            let code = crate::exit::Exit::BadInput.code();
            let text = in_form(&a_document(verdict, code, &entries, sources), output.format);
            // What a person reads of it goes to standard error, as always.
            eprint(&render::findings(findings, sources, Style::Plain));
            print(&text);
        }
    }
}

/// A report with what this program knows of codes and itself.
pub fn a_document<'a>(
    verdict: &'a str,
    exit_code: u8,
    entries: &'a [Entry],
    sources: &'a SourceMap,
) -> Document<'a> {
    Document { verdict, exit_code, entries, sources, version: VERSION, about: explain::about }
}

/// A report in a form for machines other than JSON.
pub fn in_form(document: &Document<'_>, form: Form) -> String {
    match form {
        Form::Sarif => sarif::text(document),
        Form::Junit => junit::text(document),
        Form::Github => github::text(document),
        Form::Text | Form::Json => String::new(),
    }
}

/// Reports findings if there are any.
pub fn report_if_any(findings: &[Finding], sources: &SourceMap, output: &Output) {
    if !findings.is_empty() {
        report(findings, sources, output);
    }
}
