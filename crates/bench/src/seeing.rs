//! `seeing`: how long people wait: for an editor's first findings and those after an edit, and for a page of the explorer.
//!
//! A scripted editor talks to `heapwise lsp`; the page is written by `heapwise explore` and opened by Chromium without a window,
//! if that is there. Programs are made here: functions on lists that `main` calls, as many as it takes for the lines that are
//! wanted. Each time is the median of the runs, on the clock.
//!
//! The goals: 300 ms for the first findings of 1,000 lines, 100 ms after an edit, 1 s to open the page of 5,000 lines.

use crate::measure::median;
use crate::options::Options;
use heapwise_cli::exit::Exit;
use heapwise_cli::output;
use lsp_server::{Message, Notification, Request};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::{BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// Lines of the programs: for editors, and for the page.
const LINES: (usize, usize) = (1_000, 5_000);

/// A program of so many lines: each function makes a list, walks along it, and frees it.
fn program(lines: usize) -> String {
    const LENGTH: usize = 22;
    let count = lines.saturating_sub(12) / (LENGTH + 1);
    let mut text = String::from(
        "#include <stdlib.h>\nstruct node {\n    struct node *next;\n    int value;\n};\nextern int __VERIFIER_nondet_int(void);\n",
    );
    for i in 0..count {
        let _ = write!(
            text,
            "static int work_{i}(void)\n{{\n    struct node *list = NULL;\n    int sum = 0;\n    while (__VERIFIER_nondet_int()) {{\n        struct node *n = malloc(sizeof *n);\n        if (!n)\n            abort();\n        n->value = {i};\n        n->next = list;\n        list = n;\n    }}\n    for (struct node *n = list; n; n = n->next)\n        if (n->value > 0)\n            sum = 1;\n    while (list) {{\n        struct node *next = list->next;\n        free(list);\n        list = next;\n    }}\n    return sum;\n}}\n"
        );
    }
    text.push_str("int main(void)\n{\n    int sum = 0;\n");
    (0..count).for_each(|i| {
        let _ = writeln!(text, "    sum |= work_{i}();");
    });
    text.push_str("    return sum;\n}\n");
    text
}

/// One measurement.
struct Row {
    what: &'static str,
    seconds: f64,
    goal: f64,
}

/// Measures and prints a table; the exit code says whether all goals are met.
pub fn run(options: &Options) -> Exit {
    match rows(options) {
        Ok(rows) => {
            let mut text = String::from("| what | ms | goal |\n|---|---|---|\n");
            for row in &rows {
                let _ = writeln!(text, "| {} | {:.0} | {:.0} |", row.what, row.seconds * 1e3, row.goal * 1e3);
            }
            output::print(&text);
            if rows.iter().all(|r| r.seconds <= r.goal) { Exit::Proved } else { Exit::Error }
        }
        Err(message) => {
            output::error(&message);
            Exit::BadInput
        }
    }
}

fn rows(options: &Options) -> Result<Vec<Row>, String> {
    let heapwise = match &options.heapwise {
        Some(path) => path.clone(),
        None => std::env::current_exe().map_err(|e| e.to_string())?.with_file_name("heapwise"),
    };
    let folder = std::env::temp_dir().join(format!("heapwise-seeing-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let result = measured(options, &heapwise, &folder);
    let _ = std::fs::remove_dir_all(&folder);
    result
}

fn measured(options: &Options, heapwise: &Path, folder: &Path) -> Result<Vec<Row>, String> {
    let (mut first, mut edited) = (Vec::new(), Vec::new());
    for _ in 0..options.runs {
        let (a, b) = edit(heapwise, folder)?;
        first.push(a);
        edited.extend(b);
    }
    let mut rows = vec![
        Row { what: "first findings of 1,000 lines", seconds: median(first).unwrap_or(0.0), goal: 0.3 },
        Row { what: "findings after an edit", seconds: median(edited).unwrap_or(0.0), goal: 0.1 },
    ];
    let file = folder.join("large.c");
    write(&file, &program(LINES.1))?;
    let page = folder.join("large.html");
    let mut explore = Command::new(heapwise);
    explore.arg("explore").arg("-q").arg(&file).arg("-o").arg(&page);
    let done = explore.output().map_err(|e| format!("{}: {e}", heapwise.display()))?;
    if !page.is_file() {
        return Err(format!("no page was written: {}", String::from_utf8_lossy(&done.stderr)));
    }
    match opened(&page, options.runs) {
        Some(seconds) => rows.push(Row { what: "opening the page of 5,000 lines", seconds, goal: 1.0 }),
        None => output::error("the page is not opened: there is no Chromium here"),
    }
    Ok(rows)
}

fn write(file: &Path, text: &str) -> Result<(), String> {
    std::fs::write(file, text).map_err(|e| format!("{}: {e}", file.display()))
}

/// Opens a file in an editor and edits it a few times: the times until findings are there.
fn edit(heapwise: &Path, folder: &Path) -> Result<(f64, Vec<f64>), String> {
    let wrong = |e: std::io::Error| format!("heapwise lsp: {e}");
    let file: PathBuf = folder.join("small.c");
    let text = program(LINES.0);
    write(&file, &text)?;
    let uri = format!("file://{}", file.display());
    let mut server = Command::new(heapwise);
    let mut child = server.arg("lsp").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(wrong)?;
    let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        return Err("heapwise lsp has no pipes".into());
    };
    let mut output = BufReader::new(output);
    let mut send = |message: Message| message.write(&mut input).and_then(|()| input.flush()).map_err(wrong);
    let mut until = |ends: &dyn Fn(&Message) -> bool| loop {
        match Message::read(&mut output).map_err(wrong)? {
            Some(message) if ends(&message) => return Ok::<(), String>(()),
            Some(_) => {}
            None => return Err("heapwise lsp ended".into()),
        }
    };
    let answered = |m: &Message| matches!(m, Message::Response(_));
    let found =
        |m: &Message| matches!(m, Message::Notification(n) if n.method == "textDocument/publishDiagnostics");
    send(Request::new(1.into(), "initialize".into(), json!({ "capabilities": {} })).into())?;
    until(&answered)?;
    send(Notification::new("initialized".into(), json!({})).into())?;
    let start = Instant::now();
    let document = json!({ "textDocument": { "uri": uri, "languageId": "c", "version": 1, "text": text } });
    send(Notification::new("textDocument/didOpen".into(), document).into())?;
    until(&found)?;
    let first = start.elapsed().as_secs_f64();
    let mut edited = Vec::new();
    // A comment, a number, and an error in the middle of the file.
    let middle = program(LINES.0).replacen("sum = 1;", "sum = 2;", 20);
    let broken = text.replacen("list = next;\n", "list = list->next;\n", 1);
    for (version, now) in [text.clone() + "// a comment\n", middle, broken].into_iter().enumerate() {
        let start = Instant::now();
        let params = json!({
            "textDocument": { "uri": uri, "version": version + 2 }, "contentChanges": [{ "text": now }],
        });
        send(Notification::new("textDocument/didChange".into(), params).into())?;
        until(&found)?;
        edited.push(start.elapsed().as_secs_f64());
    }
    send(Request::new(2.into(), "shutdown".into(), Value::Null).into())?;
    until(&answered)?;
    send(Notification::new("exit".into(), Value::Null).into())?;
    child.wait().map_err(wrong)?;
    Ok((first, edited))
}

/// Appended to a page: when it is loaded and laid out, it says how long that took, and nothing else.
const WATCH: &str = r#"<script>
addEventListener("load", () => {
  const height = document.body.offsetHeight, time = performance.now();
  document.head.innerHTML = document.body.innerHTML = "";
  document.documentElement.dataset.opened = height > 0 ? time.toFixed(1) : "nothing is shown";
});
</script>"#;

/// The time from when a browser begins with a page to when it is laid out; that of starting the browser does not count.
fn opened(page: &Path, runs: usize) -> Option<f64> {
    let watched = page.with_file_name("watched.html");
    std::fs::write(
        &watched,
        std::fs::read_to_string(page).ok()?.replace("</body>", &format!("{WATCH}</body>")),
    )
    .ok()?;
    let profile = page.with_file_name("profile");
    let times: Option<Vec<f64>> = (0..runs)
        .map(|_| {
            let _ = std::fs::remove_dir_all(&profile);
            let mut browser = Command::new("chromium");
            browser.args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]);
            browser.args(["--disable-background-networking", "--dump-dom"]);
            browser.arg(format!("--user-data-dir={}", profile.display()));
            let done = browser.arg(format!("file://{}", watched.display())).output().ok()?;
            let dom = String::from_utf8_lossy(&done.stdout).into_owned();
            let (_, rest) = dom.split_once("data-opened=\"")?;
            rest.split('"').next()?.parse::<f64>().ok().map(|ms| ms / 1e3)
        })
        .collect();
    median(times?)
}
