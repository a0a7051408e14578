//! A language server: what was found, where; what a pointer leads to, in words and as a picture; what functions are called with.
//!
//! [`serve`] speaks the protocol. How a file becomes a program with states is the business of a [`Workshop`], which the command
//! line implements; so this crate knows neither files nor preprocessors. One thread talks to the editor, another works: an edit
//! raises the flag of the work in progress, which then ends early, and the newest text is taken up.
//!
//! **Invariant:** every request gets an answer, also while something is being analysed; answers are about the last analysis
//! that was finished.

mod show;

pub use show::Position;

use heapwise_engine::Report;
use heapwise_ir::Program;
use heapwise_report::Finding;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response};
use lsp_types::{
    CodeActionProviderCapability, CodeLensOptions, HoverProviderCapability, PublishDiagnosticsParams,
    SaveOptions, ServerCapabilities, TextDocumentSyncCapability, TextDocumentSyncKind,
    TextDocumentSyncOptions, TextDocumentSyncSaveOptions, Uri,
};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

/// A program with what is known of it.
pub struct Known {
    /// The program.
    pub program: Program,
    /// The analysis, with states.
    pub report: Arc<Report>,
    /// What was found.
    pub findings: Vec<Finding>,
    /// Whether the work was ended before it was done.
    pub cancelled: bool,
}

/// Makes programs of files.
pub trait Workshop: Send + 'static {
    /// The program that a file belongs to, with texts that are not saved yet in place of files; or what is wrong with it.
    fn analyse(
        &mut self,
        file: &str,
        texts: &BTreeMap<String, String>,
        cancel: Arc<AtomicBool>,
    ) -> Result<Known, String>;
}

/// How long to wait for more edits before work begins.
const PAUSE: Duration = Duration::from_millis(20);

enum Event {
    Message(Message),
    Closed,
    Done { file: String, result: Box<Result<Known, String>> },
}

struct Job {
    file: String,
    texts: BTreeMap<String, String>,
    cancel: Arc<AtomicBool>,
}

/// Serves an editor until it asks to end; what goes wrong with the connection comes back as text.
pub fn serve(connection: Connection, mut workshop: impl Workshop) -> Result<(), String> {
    let save = SaveOptions { include_text: Some(true) };
    let capabilities = ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::FULL),
            save: Some(TextDocumentSyncSaveOptions::SaveOptions(save)),
            ..TextDocumentSyncOptions::default()
        })),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
        code_action_provider: Some(CodeActionProviderCapability::Simple(true)),
        ..ServerCapabilities::default()
    };
    let capabilities = serde_json::to_value(capabilities).map_err(|e| e.to_string())?;
    greet(&connection, &json!({ "capabilities": capabilities }))?;
    let (events, inbox) = mpsc::channel();
    let (jobs, work) = mpsc::channel::<Job>();
    let done = events.clone();
    std::thread::Builder::new()
        .stack_size(64 << 20)
        .spawn(move || {
            while let Ok(mut job) = work.recv() {
                // Only the newest text matters.
                while let Ok(newer) = work.recv_timeout(PAUSE) {
                    job = newer;
                }
                let result = Box::new(workshop.analyse(&job.file, &job.texts, job.cancel));
                if done.send(Event::Done { file: job.file, result }).is_err() {
                    return;
                }
            }
        })
        .map_err(|e| e.to_string())?;
    let receiver = connection.receiver.clone();
    std::thread::spawn(move || {
        for message in receiver {
            if events.send(Event::Message(message)).is_err() {
                return;
            }
        }
        let _ = events.send(Event::Closed);
    });
    let mut server = Server {
        connection,
        jobs,
        texts: BTreeMap::new(),
        known: BTreeMap::new(),
        told: BTreeSet::new(),
        cancel: None,
    };
    while let Ok(event) = inbox.recv() {
        match event {
            Event::Closed => break,
            Event::Done { file, result } => server.done(&file, *result),
            Event::Message(Message::Request(request)) if request.method == "shutdown" => {
                server.send(Response::new_ok(request.id, Value::Null));
            }
            Event::Message(Message::Request(request)) => server.request(request),
            Event::Message(Message::Notification(n)) if n.method == "exit" => break,
            Event::Message(Message::Notification(n)) => server.notification(&n),
            Event::Message(Message::Response(_)) => {}
        }
    }
    Ok(())
}

/// The first messages, until the editor says that it is initialized. What comes instead is called by its method alone: messages
/// hold whole texts.
fn greet(connection: &Connection, result: &Value) -> Result<(), String> {
    const EARLY: i32 = ErrorCode::ServerNotInitialized as i32;
    let mut greeted = false;
    for message in &connection.receiver {
        let answer = match message {
            Message::Request(r) if r.method == "initialize" && !greeted => {
                greeted = true;
                Response::new_ok(r.id, result)
            }
            Message::Request(r) => {
                let message = format!("{} before the editor is initialized", r.method);
                Response::new_err(r.id, EARLY, message)
            }
            Message::Notification(n) if n.method == "initialized" && greeted => return Ok(()),
            Message::Notification(n) if greeted || n.method == "exit" => {
                let expected = if greeted { "initialized" } else { "initialize" };
                return Err(format!("`{expected}` is expected, not `{}`", n.method));
            }
            // As the protocol says, notifications before the first request are dropped.
            Message::Notification(_) | Message::Response(_) => continue,
        };
        // An editor that is gone needs no answer.
        let _ = connection.sender.send(answer.into());
    }
    Err("they end before the editor is initialized".into())
}

struct Server {
    connection: Connection,
    jobs: mpsc::Sender<Job>,
    /// Open files and their texts.
    texts: BTreeMap<String, String>,
    known: BTreeMap<String, Known>,
    /// Files that diagnostics were sent for.
    told: BTreeSet<String>,
    cancel: Option<Arc<AtomicBool>>,
}

/// The file of a URI.
fn file_of(uri: &str) -> String {
    let path = uri.strip_prefix("file://").unwrap_or(uri);
    let mut bytes = Vec::new();
    let mut rest = path.bytes();
    while let Some(b) = rest.next() {
        let code = |c: Option<u8>| c.and_then(|c| char::from(c).to_digit(16));
        let mut look = rest.clone();
        match (b, code(look.next()), code(look.next())) {
            (b'%', Some(high), Some(low)) => {
                bytes.push((high * 16 + low) as u8);
                rest = look;
            }
            _ => bytes.push(b),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn uri_of(file: &str) -> Option<Uri> {
    heapwise_report::sarif::uri(file).parse().ok()
}

impl Server {
    fn send(&self, message: impl Into<Message>) {
        // An editor that is gone needs no answer.
        let _ = self.connection.sender.send(message.into());
    }

    fn notification(&mut self, n: &Notification) {
        let document = &n.params["textDocument"];
        let Some(uri) = document["uri"].as_str() else { return };
        let file = file_of(uri);
        let text = match n.method.as_str() {
            "textDocument/didOpen" => document["text"].as_str(),
            "textDocument/didChange" => {
                n.params["contentChanges"].as_array().and_then(|c| c.last()?["text"].as_str())
            }
            "textDocument/didSave" => n.params["text"].as_str().or(self.texts.get(&file).map(String::as_str)),
            "textDocument/didClose" => {
                self.texts.remove(&file);
                return;
            }
            _ => return,
        };
        let text = text.map(str::to_owned);
        if let Some(text) = text {
            self.texts.insert(file.clone(), text);
        }
        if let Some(running) = self.cancel.take() {
            running.store(true, Ordering::Relaxed);
        }
        let cancel = Arc::new(AtomicBool::new(false));
        self.cancel = Some(Arc::clone(&cancel));
        let _ = self.jobs.send(Job { file, texts: self.texts.clone(), cancel });
    }

    fn done(&mut self, file: &str, result: Result<Known, String>) {
        match result {
            Ok(known) if known.cancelled => {}
            Ok(known) => {
                let mut all = show::diagnostics(&known);
                for old in std::mem::take(&mut self.told) {
                    all.entry(old).or_default();
                }
                all.entry(file.to_owned()).or_default();
                for (file, diagnostics) in all {
                    let Some(uri) = uri_of(&file) else { continue };
                    if !diagnostics.is_empty() {
                        self.told.insert(file);
                    }
                    let params = PublishDiagnosticsParams { uri, diagnostics, version: None };
                    self.send(Notification::new("textDocument/publishDiagnostics".into(), params));
                }
                self.known.insert(file.to_owned(), known);
                self.send(Request::new(0.into(), "workspace/codeLens/refresh".into(), Value::Null));
            }
            Err(message) => {
                let params = json!({ "type": 1, "message": format!("heapwise: {message}") });
                self.send(Notification::new("window/logMessage".into(), params));
                if let Some(uri) = uri_of(file) {
                    let diagnostics = vec![show::about_file(&message)];
                    self.told.insert(file.to_owned());
                    let params = PublishDiagnosticsParams { uri, diagnostics, version: None };
                    self.send(Notification::new("textDocument/publishDiagnostics".into(), params));
                }
            }
        }
    }

    fn request(&mut self, request: Request) {
        let Request { id, method, params, .. } = request;
        let uri = params["textDocument"]["uri"].as_str().unwrap_or_default();
        let file = file_of(uri);
        let at = |p: &Value| Position {
            line: p["line"].as_u64().unwrap_or(0) as u32 + 1,
            column: p["character"].as_u64().unwrap_or(0) as u32,
        };
        let known = self.known.get(&file);
        let answer = match method.as_str() {
            "textDocument/hover" => {
                let text = self.texts.get(&file).map_or("", String::as_str);
                known.and_then(|k| show::hover(k, &file, text, at(&params["position"]))).map(to_value)
            }
            "textDocument/codeLens" => known.map(|k| to_value(show::lenses(k, &file))),
            "textDocument/codeAction" => known
                .zip(uri_of(&file))
                .map(|(k, uri)| to_value(show::actions(k, &file, &uri, at(&params["range"]["start"])))),
            _ => {
                let message = format!("{method} is not supported");
                self.send(Response::new_err(id, -32601, message));
                return;
            }
        };
        self.send(Response::new_ok(id, answer.unwrap_or(Value::Null)));
    }
}

fn to_value(answer: impl serde::Serialize) -> Value {
    serde_json::to_value(answer).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_uris_are_each_other() {
        assert_eq!(file_of("file:///tmp/a%20b/%C3%A9.c"), "/tmp/a b/é.c");
        let uri = uri_of("/tmp/a b/é.c").map(|u| u.as_str().to_owned());
        assert_eq!(uri.as_deref(), Some("file:///tmp/a%20b/%C3%A9.c"));
    }
}
