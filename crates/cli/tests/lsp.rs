//! A scripted editor talks to `heapwise lsp` over its standard input and output.

mod common;

use common::{Scratch, heapwise};
use lsp_server::{Message, Notification, Request};
use serde_json::{Value, json};
use std::io::{BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

struct Editor {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    next: i32,
}

impl Editor {
    fn new() -> Editor {
        let mut child = heapwise().arg("lsp").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let mut editor = Editor { child, input, output, next: 1 };
        let answer = editor.ask("initialize", json!({ "capabilities": {} }));
        assert_eq!(answer["capabilities"]["hoverProvider"], true);
        editor.tell("initialized", json!({}));
        editor
    }
    fn send(&mut self, message: Message) {
        message.write(&mut self.input).unwrap();
        self.input.flush().unwrap();
    }
    fn tell(&mut self, method: &str, params: Value) {
        self.send(Notification::new(method.into(), params).into());
    }
    fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.next;
        self.next += 1;
        self.send(Request::new(id.into(), method.into(), params).into());
        loop {
            if let Message::Response(r) = Message::read(&mut self.output).unwrap().unwrap()
                && r.id == id.into()
            {
                return serde_json::to_value(r).unwrap()["result"].take();
            }
        }
    }
    /// The next diagnostics for a file.
    fn diagnostics(&mut self, uri: &str) -> Vec<Value> {
        loop {
            if let Message::Notification(n) = Message::read(&mut self.output).unwrap().unwrap()
                && n.method == "textDocument/publishDiagnostics"
                && n.params["uri"] == uri
            {
                return n.params["diagnostics"].as_array().unwrap().clone();
            }
        }
    }
    fn change(&mut self, uri: &str, text: &str) {
        let params =
            json!({ "textDocument": { "uri": uri, "version": 2 }, "contentChanges": [{ "text": text }] });
        self.tell("textDocument/didChange", params);
    }
    fn end(mut self) {
        self.ask("shutdown", Value::Null);
        self.tell("exit", Value::Null);
        assert!(self.child.wait().unwrap().success());
    }
}

const HEADER: &str =
    "struct node { struct node *next; int value; };\nstruct node *push(struct node *list);\n";
const PUSH: &str = "#include <stdlib.h>\n#include \"list.h\"\nstruct node *push(struct node *list)\n{\n    struct node *n = malloc(sizeof *n);\n    n->next = list;\n    n->value = LIMIT;\n    return n;\n}\n";
const MAIN: &str = "#include <stdlib.h>\n#include \"list.h\"\nextern int __VERIFIER_nondet_int(void);\nint main(void)\n{\n    struct node *list = 0;\n    while (__VERIFIER_nondet_int())\n        list = push(list);\n    while (list) {\n        struct node *next = list->next;\n        free(list);\n        list = next;\n    }\n    return 0;\n}\n";

/// A project of two files with flags of its own; the URI of its `main.c`.
fn project(scratch: &Scratch) -> String {
    let dir = scratch.dir.canonicalize().unwrap();
    std::fs::create_dir_all(dir.join("build")).unwrap();
    scratch.write("list.h", HEADER).write("push.c", PUSH).write("main.c", MAIN);
    let entry =
        |file: &str| json!({ "directory": dir, "file": file, "command": format!("cc -DLIMIT=3 -c {file}") });
    scratch.write("build/compile_commands.json", json!([entry("main.c"), entry("push.c")]).to_string());
    format!("file://{}/main.c", dir.display())
}

#[test]
fn an_editor_sees_findings_shapes_and_contracts() {
    let scratch = Scratch::new("lsp_project");
    let uri = project(&scratch);
    let mut editor = Editor::new();
    let document = json!({ "textDocument": { "uri": uri, "languageId": "c", "version": 1, "text": MAIN } });
    editor.tell("textDocument/didOpen", document);
    assert_eq!(editor.diagnostics(&uri), Vec::<Value>::new());

    let hover = editor.ask(
        "textDocument/hover",
        json!({ "textDocument": { "uri": uri }, "position": { "line": 8, "character": 12 } }),
    );
    let text = hover["contents"]["value"].as_str().unwrap();
    assert!(text.contains("list of `struct node` through `next`"), "{text}");
    assert!(text.contains("![memory](data:image/svg+xml,"), "{text:.200}");
    let nowhere = editor.ask(
        "textDocument/hover",
        json!({ "textDocument": { "uri": uri }, "position": { "line": 0, "character": 0 } }),
    );
    assert_eq!(nowhere, Value::Null);

    let lenses = editor.ask("textDocument/codeLens", json!({ "textDocument": { "uri": uri } }));
    assert!(lenses[0]["command"]["title"].as_str().unwrap().starts_with("called when"), "{lenses}");
    // The callee has a contract that holds for every caller.
    let other = uri.replace("main.c", "push.c");
    let document = json!({ "textDocument": { "uri": other, "languageId": "c", "version": 1, "text": PUSH } });
    editor.tell("textDocument/didOpen", document);
    let lenses = editor.ask("textDocument/codeLens", json!({ "textDocument": { "uri": other } }));
    let title = lenses[0]["command"]["title"].as_str().unwrap();
    assert!(title.starts_with("contract found: requires emp; ensures \\result -> struct node"), "{title}");
    let range = json!({ "start": { "line": 6, "character": 4 }, "end": { "line": 6, "character": 4 } });
    let actions = editor.ask(
        "textDocument/codeAction",
        json!({ "textDocument": { "uri": uri }, "range": range, "context": { "diagnostics": [] } }),
    );
    let edit = &actions[0]["edit"]["changes"][&uri][0];
    assert!(edit["newText"].as_str().unwrap().starts_with("/* Called when: "), "{actions}");
    assert_eq!(edit["range"]["start"]["line"], 3);

    // An edit that is not saved: a use after free, with where it was allocated and freed.
    let broken = MAIN.replace("free(list);\n        list = next;", "free(list);\n        list = list->next;");
    editor.change(&uri, &broken);
    let found = editor.diagnostics(&uri);
    assert_eq!(
        (&found[0]["code"], &found[0]["range"]["start"]["line"]),
        (&"use-after-free".into(), &11.into())
    );
    let related = found[0]["relatedInformation"].as_array().unwrap();
    assert!(
        related.iter().any(|r| r["location"]["uri"].as_str().unwrap().ends_with("push.c")),
        "{related:?}"
    );
    assert!(related.iter().any(|r| r["message"] == "freed here"), "{related:?}");

    // Two edits at once: the first is given up, the last one counts.
    editor.change(&uri, &MAIN.replace("return 0;", "return *list;"));
    editor.change(&uri, MAIN);
    let mut last = editor.diagnostics(&uri);
    if !last.is_empty() {
        last = editor.diagnostics(&uri);
    }
    assert_eq!(last, Vec::<Value>::new());

    // What is no C is told in its place, and what is not supported is refused.
    editor.change(&uri, &MAIN.replace("return 0;", "return x;"));
    assert_eq!(editor.diagnostics(&uri)[0]["code"], "undeclared");
    assert_eq!(editor.ask("textDocument/rename", json!({ "textDocument": { "uri": uri } })), Value::Null);
    editor.end();
}

/// Functions of a library: no program is around them.
const LIBRARY: &str = "#include <stdlib.h>\nstruct node { struct node *next; int value; };\nint\nsum(struct node *list)\n{\n    int s = 0;\n    for (; list; list = list->next)\n        s += list->value;\n    return s;\n}\nvoid drop(struct node *list)\n{\n    while (list) {\n        struct node *rest = list->next;\n        free(list);\n        list = rest;\n    }\n}\n";

#[test]
fn a_contract_is_inserted_and_holds() {
    let scratch = Scratch::new("lsp_library");
    scratch.write("list.c", LIBRARY);
    let file = scratch.dir.canonicalize().unwrap().join("list.c");
    let uri = format!("file://{}", file.display());
    let mut editor = Editor::new();
    let document =
        json!({ "textDocument": { "uri": uri, "languageId": "c", "version": 1, "text": LIBRARY } });
    editor.tell("textDocument/didOpen", document);
    // Asked before anything is known: the answer comes when it is.
    let hover = editor.ask(
        "textDocument/hover",
        json!({ "textDocument": { "uri": uri }, "position": { "line": 6, "character": 11 } }),
    );
    let text = hover["contents"]["value"].as_str().unwrap_or_else(|| panic!("{hover}"));
    assert!(text.contains("list of `struct node` through `next`"), "{text}");
    let mut text: Vec<String> = LIBRARY.lines().map(str::to_owned).collect();
    for line in [12, 6] {
        let range =
            json!({ "start": { "line": line, "character": 4 }, "end": { "line": line, "character": 4 } });
        let actions = editor.ask(
            "textDocument/codeAction",
            json!({ "textDocument": { "uri": uri }, "range": range, "context": { "diagnostics": [] } }),
        );
        assert!(actions[0]["title"].as_str().unwrap().starts_with("Insert the contract of"), "{actions}");
        let edit = &actions[0]["edit"]["changes"][&uri][0];
        let at = edit["range"]["start"]["line"].as_u64().unwrap() as usize;
        text.insert(at, edit["newText"].as_str().unwrap().trim_end().to_owned());
        // What is inserted second must not declare the same predicate again.
        editor.change(&uri, &(text.join("\n") + "\n"));
        assert_eq!(editor.diagnostics(&uri), Vec::<Value>::new());
        while editor
            .ask("textDocument/codeLens", json!({ "textDocument": { "uri": uri } }))
            .to_string()
            .matches("contract: ")
            .count()
            == 0
        {}
    }
    let text = text.join("\n");
    assert_eq!(text.matches("predicate ").count(), 1, "{text}");
    assert!(text.contains("*/\nint\nsum("), "before the whole definition: {text}");
    scratch.write("list.c", &text);
    for function in ["sum", "drop"] {
        let answer = scratch.heapwise(&format!("check --function {function} list.c"));
        assert_eq!((answer.code, answer.stdout.as_str()), (Some(0), "proved\n"), "{}", answer.stderr);
    }
    // There is nothing to insert twice.
    let range = json!({ "start": { "line": 9, "character": 4 }, "end": { "line": 9, "character": 4 } });
    let actions = editor.ask(
        "textDocument/codeAction",
        json!({ "textDocument": { "uri": uri }, "range": range, "context": { "diagnostics": [] } }),
    );
    assert_eq!(actions, json!([]));
    editor.end();
}

#[test]
fn programs_of_a_database_are_kept_apart() {
    let scratch = Scratch::new("lsp_programs");
    let dir = scratch.dir.canonicalize().unwrap();
    let bad =
        "#include <stdlib.h>\nint main(void)\n{\n    char *p = malloc(1);\n    free(p);\n    return *p;\n}\n";
    scratch.write("one.c", bad).write("two.c", bad);
    let entry = |file: &str| json!({ "directory": dir, "file": file, "command": format!("cc -c {file}") });
    scratch.write("compile_commands.json", json!([entry("one.c"), entry("two.c")]).to_string());
    let uri = |file: &str| format!("file://{}/{file}", dir.display());
    let mut editor = Editor::new();
    for file in ["one.c", "two.c"] {
        let document =
            json!({ "textDocument": { "uri": uri(file), "languageId": "c", "version": 1, "text": bad } });
        editor.tell("textDocument/didOpen", document);
        let found = editor.diagnostics(&uri(file));
        assert_eq!(found[0]["code"], "use-after-free", "{found:?}");
    }
    // What is found in one program does not take back what was found in the other.
    editor.change(&uri("two.c"), "int main(void) { return 0; }\n");
    loop {
        let Some(Message::Notification(n)) = Message::read(&mut editor.output).unwrap() else { continue };
        if n.method == "textDocument/publishDiagnostics" {
            assert_eq!(n.params["uri"], uri("two.c"), "{n:?}");
            assert_eq!(n.params["diagnostics"], json!([]));
            break;
        }
    }
    editor.end();
}

#[test]
fn what_is_no_protocol_is_told() {
    let scratch = Scratch::new("lsp_bad");
    let mut command = heapwise();
    let answer = scratch.run(command.arg("lsp").stdin(Stdio::null()));
    assert_eq!(answer.code, Some(3));
    assert!(answer.stderr.contains("language server"), "{}", answer.stderr);
}

#[test]
fn a_message_that_comes_too_early_is_called_by_its_method() {
    let mut command = heapwise();
    command.arg("lsp").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let document = json!({ "textDocument": { "uri": "file:///a.c", "text": "int secret;" } });
    let hello = Request::new(1.into(), "initialize".into(), json!({ "capabilities": {} }));
    Message::from(hello).write(&mut input).unwrap();
    Message::from(Notification::new("textDocument/didOpen".into(), document)).write(&mut input).unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.contains("`initialized` is expected, not `textDocument/didOpen`"), "{told}");
    assert!(!told.contains("secret"), "{told}");
}
