//! A language server: what was found, where; what a pointer leads to, in words and as a picture; contracts of functions.
//!
//! [`serve`] speaks the protocol. How a file becomes a program with states is the business of a [`Workshop`], which the command
//! line implements; so this crate knows neither files nor preprocessors. One thread talks to the editor, another works, in two
//! steps: first it judges, and findings are sent; then it studies what hovers, lenses and actions are answered from. An edit raises
//! the flag of the work in progress, which then ends early, and the newest text is taken up.
//!
//! **Invariant:** every request gets an answer, also while something is being analysed: from the last analysis of the file that was
//! finished; where there is none yet, when there is one.

mod show;
mod told;

pub use show::Position;

use heapwise_engine::Report;
use heapwise_ir::{FuncId, Program};
use heapwise_report::Finding;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response};
use lsp_types::{
    CodeActionProviderCapability, CodeLensOptions, Diagnostic, HoverProviderCapability,
    PublishDiagnosticsParams, SaveOptions, ServerCapabilities, TextDocumentSyncCapability,
    TextDocumentSyncKind, TextDocumentSyncOptions, TextDocumentSyncSaveOptions, Uri,
};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use told::{Findings, Told};

/// The stack of the thread that works.
const STACK: usize = 64 << 20;

/// A program with what was found in it.
pub struct Judged<R> {
    /// The program.
    pub program: Program,
    /// What was found.
    pub findings: Vec<Finding>,
    /// What a study of it begins with.
    pub rest: R,
}

/// What is known of a program beyond findings.
#[derive(Clone, Default)]
pub struct Study {
    /// Analyses with states; each is about other functions, or all from one entry.
    pub reports: Vec<Arc<Report>>,
    /// Contracts.
    pub contracts: BTreeMap<FuncId, Contract>,
}

/// The contract of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contract {
    /// Its clauses, with the predicates that they need.
    pub text: String,
    /// Whether the program says so; otherwise it was found out.
    pub declared: bool,
}

/// A program with all that is known of it.
pub(crate) struct Known {
    pub(crate) program: Program,
    pub(crate) study: Study,
}

/// Raised when nobody waits for an answer any more.
pub type Flag = Arc<AtomicBool>;

/// Makes programs of files.
pub trait Workshop: Send + 'static {
    /// What is handed on from the first step to the second.
    type Rest;
    /// The program that a file belongs to, with texts that are not saved yet in place of files; or what is wrong with it.
    fn judge(
        &mut self,
        file: &str,
        texts: &BTreeMap<String, String>,
        abandoned: &Flag,
    ) -> Result<Judged<Self::Rest>, String>;
    /// What else is known of the program.
    fn study(&mut self, program: &Program, rest: Self::Rest, abandoned: &Flag) -> Study;
}

enum Event {
    Message(Message),
    Closed,
    /// Findings are there.
    Found(Findings),
    /// Hovers, lenses and actions can be answered.
    Studied(String, Box<Known>),
    /// The file cannot be analysed.
    Failed(String, String),
    /// The worker has nothing to do.
    Idle,
}

struct Job {
    file: String,
    texts: BTreeMap<String, String>,
    abandoned: Flag,
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
    let about = json!({ "name": "heapwise", "version": env!("CARGO_PKG_VERSION") });
    greet(&connection, &json!({ "capabilities": capabilities, "serverInfo": about }))?;
    let (events, inbox) = mpsc::channel();
    let (jobs, work) = mpsc::channel::<Job>();
    let done = events.clone();
    std::thread::Builder::new()
        .stack_size(STACK)
        .spawn(move || {
            while let Ok(job) = work.recv() {
                let all_told = do_job(&mut workshop, job, &mut |event| done.send(event).is_ok());
                if !all_told || done.send(Event::Idle).is_err() {
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
        told: Told::default(),
        queue: VecDeque::new(),
        running: None,
        waiting: Vec::new(),
    };
    while let Ok(event) = inbox.recv() {
        match event {
            Event::Closed => break,
            Event::Found(findings) => server.found(findings),
            Event::Studied(file, known) => server.studied(file, *known),
            Event::Failed(file, message) => server.failed(&file, &message),
            Event::Idle => server.idle(),
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

/// Judges and studies, and tells as soon as something is known; whether somebody listens.
fn do_job<W: Workshop>(workshop: &mut W, job: Job, tell: &mut dyn FnMut(Event) -> bool) -> bool {
    let Job { file, texts, abandoned } = job;
    let is_abandoned = || abandoned.load(Ordering::Relaxed);
    let judged = workshop.judge(&file, &texts, &abandoned);
    if is_abandoned() {
        return true;
    }
    let Judged { program, findings, rest } = match judged {
        Ok(judged) => judged,
        Err(message) => return tell(Event::Failed(file, message)),
    };
    let diagnostics = show::diagnostics(&program, &findings, &file);
    let names = program.sources.files().iter().map(|name| name.to_string()).collect();
    if !tell(Event::Found(Findings { about: file.clone(), files: names, diagnostics })) {
        return false;
    }
    let study = workshop.study(&program, rest, &abandoned);
    is_abandoned() || tell(Event::Studied(file, Box::new(Known { program, study })))
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
    told: Told,
    /// Files that are to be analysed, the next one first.
    queue: VecDeque<String>,
    /// The file that is being analysed, and the flag that ends it.
    running: Option<(String, Flag)>,
    /// Requests about files of which nothing is known yet.
    waiting: Vec<(String, Request)>,
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
        if n.method == "$/cancelRequest" {
            return self.cancel_request(&n.params["id"]);
        }
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
                self.known.remove(&file);
                self.queue.retain(|f| *f != file);
                self.answer_waiting(&file);
                return;
            }
            _ => return,
        };
        if let Some(text) = text.map(str::to_owned) {
            self.texts.insert(file.clone(), text);
        }
        self.analyse(file);
    }

    /// Makes a file the next one to be analysed. What is under way is out of date: it ends, and is taken up again if it was
    /// about another file.
    fn analyse(&mut self, file: String) {
        if let Some((other, abandoned)) = &self.running {
            abandoned.store(true, Ordering::Relaxed);
            if *other != file && !self.queue.contains(other) {
                self.queue.push_front(other.clone());
            }
        }
        self.queue.retain(|f| *f != file);
        self.queue.push_front(file);
        self.begin();
    }

    /// Hands the next file to the worker, if that has nothing to do.
    fn begin(&mut self) {
        if self.running.is_some() {
            return;
        }
        let Some(file) = self.queue.pop_front() else { return };
        let abandoned = Flag::default();
        self.running = Some((file.clone(), Arc::clone(&abandoned)));
        let _ = self.jobs.send(Job { file, texts: self.texts.clone(), abandoned });
    }

    fn idle(&mut self) {
        let done = self.running.take();
        if let Some((file, _)) = done.filter(|(file, _)| !self.queue.contains(file)) {
            self.answer_waiting(&file);
        }
        self.begin();
    }

    fn found(&mut self, findings: Findings) {
        for (file, diagnostics) in self.told.update(findings) {
            self.publish(&file, diagnostics);
        }
    }

    fn publish(&self, file: &str, diagnostics: Vec<Diagnostic>) {
        let Some(uri) = uri_of(file) else { return };
        let params = PublishDiagnosticsParams { uri, diagnostics, version: None };
        self.send(Notification::new("textDocument/publishDiagnostics".into(), params));
    }

    fn studied(&mut self, file: String, known: Known) {
        self.known.insert(file, known);
        self.send(Request::new(0.into(), "workspace/codeLens/refresh".into(), Value::Null));
    }

    fn failed(&mut self, file: &str, message: &str) {
        let params = json!({ "type": 1, "message": format!("heapwise: {message}") });
        self.send(Notification::new("window/logMessage".into(), params));
        let diagnostics = BTreeMap::from([(file.to_owned(), vec![show::about_file(message)])]);
        let findings = Findings { about: file.to_owned(), files: BTreeSet::new(), diagnostics };
        self.found(findings);
    }

    /// Answers requests that waited for a file.
    fn answer_waiting(&mut self, file: &str) {
        let (now, later) = std::mem::take(&mut self.waiting).into_iter().partition(|(f, _)| f == file);
        self.waiting = later;
        let now: Vec<(String, Request)> = now;
        for (file, request) in now {
            self.answer(&file, request);
        }
    }

    fn cancel_request(&mut self, id: &Value) {
        let Some(at) = self.waiting.iter().position(|(_, r)| to_value(&r.id) == *id) else { return };
        let (_, request) = self.waiting.swap_remove(at);
        let message = "the editor asked for it no more".to_owned();
        self.send(Response::new_err(request.id, ErrorCode::RequestCanceled as i32, message));
    }

    fn request(&mut self, request: Request) {
        let file = file_of(request.params["textDocument"]["uri"].as_str().unwrap_or_default());
        let is_coming = self.queue.contains(&file) || self.running.as_ref().is_some_and(|(f, _)| *f == file);
        if is_coming && !self.known.contains_key(&file) && ANSWERED.contains(&request.method.as_str()) {
            self.waiting.push((file, request));
        } else {
            self.answer(&file, request);
        }
    }

    fn answer(&self, file: &str, request: Request) {
        let Request { id, method, params, .. } = request;
        let at = |p: &Value| Position {
            line: p["line"].as_u64().unwrap_or(0) as u32 + 1,
            column: p["character"].as_u64().unwrap_or(0) as u32,
        };
        let known = self.known.get(file);
        let answer = match method.as_str() {
            HOVER => {
                let text = self.texts.get(file).map_or("", String::as_str);
                known.and_then(|k| show::hover(k, file, text, at(&params["position"]))).map(to_value)
            }
            LENS => known.map(|k| to_value(show::lenses(k, file))),
            ACTION => known.zip(uri_of(file)).map(|(k, uri)| {
                let text = self.texts.get(file).map_or("", String::as_str);
                to_value(show::actions(k, file, &uri, text, at(&params["range"]["start"])))
            }),
            _ => {
                let message = format!("{method} is not supported");
                self.send(Response::new_err(id, ErrorCode::MethodNotFound as i32, message));
                return;
            }
        };
        self.send(Response::new_ok(id, answer.unwrap_or(Value::Null)));
    }
}

const HOVER: &str = "textDocument/hover";
const LENS: &str = "textDocument/codeLens";
const ACTION: &str = "textDocument/codeAction";
/// Requests about files.
const ANSWERED: [&str; 3] = [HOVER, LENS, ACTION];

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
