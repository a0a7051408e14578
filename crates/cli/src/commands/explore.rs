//! `heapwise explore`: the page with everything that is known of a program, as a file or on the loopback.

use super::check::statistics_text;
use super::scene::{Known, known};
use crate::exit::Exit;
use crate::input::InputError;
use crate::options::Explore;
use crate::{config, output};
use heapwise_ir::{Annotation, FuncId, Program};
use heapwise_report::explorer::{Exhibit, page};
use heapwise_report::path::Step;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Writes or serves the page; ends as `check` would.
pub fn run(options: &Explore, given: &BTreeSet<String>) -> Exit {
    let bad = |error: &InputError| {
        super::report_input_error(error, &options.scene.output);
        Exit::BadInput
    };
    let check = match options.scene.check(options.files.clone()) {
        Ok(check) => check,
        Err(error) => return bad(&InputError::new("explore", "bad-config", error.to_string())),
    };
    let check = match config::configured(&check, given) {
        Ok(check) => check,
        Err(error) => return bad(&error),
    };
    let known = match known(&check) {
        Ok(known) => known,
        Err(exit) => return exit,
    };
    let (name, exit) = known.verdict();
    let path = known.replay().map(|r| r.steps(true)).unwrap_or_default();
    let text = page(&exhibit(&known, name, &options.files, &path));
    if let Some(port) = options.serve {
        output::print(&format!("{name}\n"));
        return serve(port, &text).map_or_else(
            |e| {
                output::error(&format!("port {port} of the loopback address cannot be used: {e}"));
                Exit::BadInput
            },
            |()| exit,
        );
    }
    let first = options.files.first().map_or(Path::new("program"), |f| f.as_path());
    let path = options
        .file
        .clone()
        .unwrap_or_else(|| PathBuf::from(first.file_name().unwrap_or_default()).with_extension("html"));
    output::print(&format!("{name}\n"));
    if let Err(error) = std::fs::write(&path, text) {
        output::error(&format!("{} cannot be written: {error}", path.display()));
        return Exit::BadInput;
    }
    if !options.scene.output.quiet {
        output::eprint(&format!("{} is written: open it in a browser\n", path.display()));
    }
    exit
}

/// What the page shows.
fn exhibit<'a>(known: &'a Known, verdict: &'a str, files: &[PathBuf], path: &'a [Step]) -> Exhibit<'a> {
    // Figures of many small analyses say nothing about the whole.
    let figures = match known.reports.as_slice() {
        [report] => statistics_text(&report.statistics)
            .lines()
            .filter_map(|l| l.split_once(": "))
            .map(|(k, v)| (k.to_owned(), v.to_owned()))
            .collect(),
        all => vec![("functions that were analysed".to_owned(), all.len().to_string())],
    };
    Exhibit {
        program: &known.program,
        files: texts(&known.program, files),
        verdict,
        reports: known.reports.iter().collect(),
        findings: &known.findings,
        path,
        contracts: contracts(&known.program),
        found: &known.found,
        figures,
    }
}

/// The files as the user wrote them, those of the command line first.
fn texts(program: &Program, files: &[PathBuf]) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> =
        program.sources.originals().map(|(n, t)| (n.to_owned(), t.to_owned())).collect();
    for file in files.iter().filter(|f| crate::input::is_preprocessed(f)) {
        let text = std::fs::read(file).map(|b| String::from_utf8_lossy(&b).into_owned()).unwrap_or_default();
        all.push((file.display().to_string(), text));
    }
    all
}

/// Contracts as they are written before functions.
fn contracts(program: &Program) -> BTreeMap<FuncId, String> {
    let contract = |a: &Annotation| Some((a.function?, a.text.trim().to_string()));
    program.annotations.iter().filter_map(contract).collect()
}

/// Shows a page at a port of the loopback address until the process is ended.
fn serve(port: u16, text: &str) -> std::io::Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
    output::eprint(&format!("http://{}/ shows the page; Ctrl-C ends it\n", listener.local_addr()?));
    for stream in listener.incoming().flatten() {
        // A reader that goes away is not an error.
        let _ = answer(stream, text);
    }
    Ok(())
}

fn answer(mut stream: TcpStream, text: &str) -> std::io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(2)))?;
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut request = String::new();
    reader.read_line(&mut request)?;
    loop {
        let mut header = String::new();
        if reader.read_line(&mut header)? == 0 || header.trim().is_empty() {
            break;
        }
    }
    let (status, body) = match request.split_whitespace().nth(1) {
        Some("/") => ("200 OK", text),
        _ => ("404 Not Found", "there is one page: /"),
    };
    let kind = if status.starts_with("200") { "text/html" } else { "text/plain" };
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
}
