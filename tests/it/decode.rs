//! GitHub's recorded answers, decoded: nothing is lost, and no field that is null or missing costs
//! more than the item it stands in (promise B3).

use crate::shared::shared;
use base64::Engine as _;
use casefile::domain::{
    capture::{Comment, Id},
    text::outside::OutsideOption as _,
};
use casefile::forge::github::{
    convert,
    envelope::Envelope,
    plain,
    talk::{self, Gathered},
    wire::Node,
};
use serde_json::{Map, Value};
use std::{
    collections::BTreeMap,
    fs,
    io::Read as _,
    path::{Path, PathBuf},
};

/// Every JSON body below a folder, with the file it stands in.
fn bodies(folder: &Path) -> Vec<(PathBuf, Value)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let mut entries: Vec<_> = fs::read_dir(&folder)
            .expect("a folder")
            .map(|it| it.expect("an entry").path())
            .collect();
        entries.sort();
        for path in entries {
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = fs::read_to_string(&path).expect("text");
            let mut take = |body: &[u8]| {
                if let Ok(value) = serde_json::from_slice(body) {
                    found.push((path.clone(), value));
                }
            };
            match serde_json::from_str::<Value>(&text) {
                Ok(Value::Object(it)) if it.contains_key("http_interactions") => {
                    for exchange in it["http_interactions"].as_array().expect("a list") {
                        take(&recorded(&exchange["response"]["body"]));
                    }
                }
                Ok(_) => take(text.as_bytes()),
                // One exchange after the other, its body on a line of its own.
                Err(_) => text.lines().for_each(|it| take(it.as_bytes())),
            }
        }
    }
    found
}

/// A recorded body: as text, or in base64 and perhaps compressed.
fn recorded(body: &Value) -> Vec<u8> {
    if let Some(text) = body["string"].as_str().filter(|it| !it.is_empty()) {
        return text.as_bytes().to_vec();
    }
    let packed = body["base64_string"].as_str().unwrap_or_default().replace('\n', "");
    let bytes = base64::engine::general_purpose::STANDARD.decode(packed).unwrap_or_default();
    let mut whole = Vec::new();
    if flate2::read::GzDecoder::new(&bytes[..]).read_to_end(&mut whole).is_ok() {
        return whole;
    }
    bytes
}

/// What an object of an answer is, by the fields it has.
fn kind(object: &Map<String, Value>) -> Option<&'static str> {
    let has = |name: &str| object.contains_key(name);
    if has("filename") && has("status") {
        Some("file")
    } else if has("diff_hunk") && has("path") && has("original_commit_id") {
        Some("comment")
    } else if has("issue_url") && has("body") && has("created_at") && !has("head") {
        Some("remark")
    } else if has("state") && has("pull_request_url") && has("commit_id") {
        Some("review")
    } else if has("head") && has("base") && has("number") {
        Some("pull")
    } else {
        None
    }
}

fn text<'a>(value: &'a Value, name: &str) -> Option<&'a str> {
    value[name].as_str()
}

fn same_comment(raw: &Value, it: &Comment) {
    assert_eq!(it.id, raw["id"].as_u64().map(Id::Number));
    assert_eq!(it.node_id.as_deref(), text(raw, "node_id"));
    assert_eq!(it.body.raw(), text(raw, "body"));
    assert_eq!(it.author.raw(), raw["user"]["login"].as_str());
    assert_eq!(it.created_at.as_deref(), text(raw, "created_at"));
    assert_eq!(it.updated_at.as_deref(), text(raw, "updated_at"));
    assert_eq!(it.url.as_deref(), text(raw, "html_url"));
}

/// Decodes one object and holds it against the raw one.
fn faithful(kind: &str, raw: &Value) {
    let node = Node::new(raw).expect("an object");
    match kind {
        "file" => {
            let it = convert::file(node).expect("a file");
            assert_eq!(it.path.raw(), text(raw, "filename"));
            assert_eq!(it.patch.raw(), text(raw, "patch"));
            assert_eq!(it.status.raw(), text(raw, "status"));
            assert_eq!(
                (it.additions, it.deletions),
                (raw["additions"].as_u64(), raw["deletions"].as_u64())
            );
        }
        "comment" => {
            let (_, it) = plain::said(node).expect("a comment");
            assert_eq!(it.path.raw(), raw["path"].as_str().expect("a path"));
            assert_eq!(it.line, raw["line"].as_u64());
            assert_eq!(it.original_line, raw["original_line"].as_u64());
            assert_eq!(it.start_line, raw["start_line"].as_u64());
            assert_eq!(it.side.as_deref(), text(raw, "side"));
            assert_eq!(it.original_commit_id.as_deref(), text(raw, "original_commit_id"));
            assert_eq!(it.comments[0].diff_hunk.raw(), text(raw, "diff_hunk"));
            assert_eq!(
                it.comments[0].in_reply_to_id,
                raw["in_reply_to_id"].as_u64().map(Id::Number)
            );
            same_comment(raw, &it.comments[0]);
        }
        "remark" => same_comment(raw, &plain::remark(node).expect("a comment").1),
        "review" => {
            let (_, it) = plain::verdict(node).expect("a review");
            assert_eq!(it.state.raw(), text(raw, "state"));
            assert_eq!(it.body.raw(), text(raw, "body"));
            assert_eq!(it.author.raw(), raw["user"]["login"].as_str());
            assert_eq!(it.commit_id.as_deref(), text(raw, "commit_id"));
        }
        "pull" => {
            let it = plain::pull_request(node, 0);
            assert_eq!(Some(it.number), raw["number"].as_u64());
            assert_eq!(it.title.raw(), text(raw, "title"));
            assert_eq!(it.head.expect("a head").sha.as_deref(), raw["head"]["sha"].as_str());
        }
        other => unreachable!("{other}"),
    }
}

#[test]
fn recorded_answers_decode_without_loss() {
    let mut counts = BTreeMap::new();
    for folder in ["real/raw", "real/recordings"] {
        let Some(folder) = shared(folder) else { return };
        for (_, value) in bodies(&folder) {
            let mut rows: Vec<&Value> = match &value {
                Value::Array(rows) => rows.iter().collect(),
                other => vec![other],
            };
            // A backup holds several lists.
            for list in ["comments", "pull"] {
                match value.get(list) {
                    Some(Value::Array(inner)) => rows.extend(inner),
                    Some(inner @ Value::Object(_)) => rows.push(inner),
                    _ => {}
                }
            }
            for raw in rows {
                if let Some(kind) = raw.as_object().and_then(kind) {
                    faithful(kind, raw);
                    *counts.entry(kind).or_insert(0) += 1;
                }
            }
        }
    }
    println!("decoded without loss: {counts:?}");
    for (kind, least) in
        [("comment", 271), ("file", 5), ("pull", 50), ("remark", 129), ("review", 78)]
    {
        assert!(counts.get(kind) >= Some(&least), "{kind}: {counts:?}");
    }
}

/// The connection of threads in a recorded GraphQL answer.
const THREADS: [&str; 3] = ["repository", "pullRequest", "reviewThreads"];

#[test]
fn recorded_threads_decode_without_loss() {
    for name in ["aidotnet-393", "opcua-3918", "sonde-533"] {
        let Some(path) = shared(&format!("real/raw/gql-threads-{name}.json")) else { return };
        let body = fs::read(&path).expect("an answer");
        let envelope = Envelope::read(&body).expect("an answer");
        let raw = &envelope.at(&THREADS).expect("threads")["nodes"];
        let raw = raw.as_array().expect("a list");
        let mut threads = Gathered::default();
        let pull = envelope.at(&THREADS[..2]).and_then(Node::new).expect("a pull request");
        threads.take(pull.page("reviewThreads"), talk::thread);
        // These recordings name the path with the comments, where it was not asked of the thread.
        let with_path = raw.iter().filter(|it| it["path"].is_string()).count();
        assert_eq!(threads.items.len(), with_path, "{name}");
        assert_eq!(threads.items.len() as u64 + threads.skipped, raw.len() as u64, "{name}");
        let said: usize = threads.items.iter().map(|it| it.comments.items.len()).sum();
        let there = raw.iter().filter(|it| it["path"].is_string());
        let there: usize =
            there.map(|it| it["comments"]["nodes"].as_array().map_or(0, Vec::len)).sum();
        assert_eq!(said, there, "{name}");
    }
}

/// Every place in a value, as keys and indices; of a list the first two items.
fn places(value: &Value, at: &mut Vec<String>, found: &mut Vec<Vec<String>>) {
    let mut inside = |key: String, inner: &Value, found: &mut Vec<Vec<String>>| {
        at.push(key);
        found.push(at.clone());
        places(inner, at, found);
        at.pop();
    };
    match value {
        Value::Object(fields) => fields.iter().for_each(|(key, it)| inside(key.clone(), it, found)),
        Value::Array(items) => {
            items.iter().take(2).enumerate().for_each(|(at, it)| inside(at.to_string(), it, found));
        }
        _ => {}
    }
}

/// The value with the place nulled, dropped, or of another form.
fn mutants(value: &Value, place: &[String]) -> Vec<Value> {
    let (last, way) = place.split_last().expect("a place");
    let escaped = |it: &String| it.replace('~', "~0").replace('/', "~1");
    let pointer = way.iter().fold(String::new(), |to, it| to + "/" + &escaped(it));
    let change = |how: &dyn Fn(&mut Value)| {
        let mut mutant = value.clone();
        how(mutant.pointer_mut(&pointer).expect("the place is there"));
        mutant
    };
    let set = |to: Value| {
        change(&move |it| match it {
            Value::Object(fields) => drop(fields.insert(last.clone(), to.clone())),
            Value::Array(items) => items[last.parse::<usize>().expect("an index")] = to.clone(),
            _ => unreachable!("only objects and lists have places"),
        })
    };
    let dropped = change(&|it| match it {
        Value::Object(fields) => drop(fields.remove(last)),
        Value::Array(items) => drop(items.remove(last.parse().expect("an index"))),
        _ => unreachable!("only objects and lists have places"),
    });
    vec![set(Value::Null), set(Value::from("other")), set(Value::from(7)), dropped]
}

/// How many rows of a list are decoded, and how many are told as skipped.
fn decoded(rows: &[Value], kind: &str) -> (usize, usize) {
    let one = |value: &Value| {
        let node = Node::new(value)?;
        match kind {
            "file" => convert::file(node).map(drop),
            "comment" => plain::said(node).map(drop),
            "remark" => plain::remark(node).map(drop),
            "review" => plain::verdict(node).map(drop),
            _ => unreachable!("{kind}"),
        }
    };
    let good = rows.iter().filter_map(one).count();
    (good, rows.len() - good)
}

/// Promise B3: 20 lists, every place nulled, dropped and given another form: never more than one
/// item is lost, and a lost one is counted.
#[test]
fn no_field_costs_more_than_its_item() {
    let (mut lists, mut tried) = (0, 0);
    for folder in ["real/raw", "real/recordings"] {
        let Some(folder) = shared(folder) else { return };
        for (path, value) in bodies(&folder) {
            let Value::Array(mut rows) = value else { continue };
            let Some(kind) = rows.first().and_then(Value::as_object).and_then(kind) else {
                continue;
            };
            if kind == "pull" || rows.len() < 2 || lists >= 20 {
                continue;
            }
            rows.truncate(4);
            lists += 1;
            let whole = rows.len();
            let value = Value::Array(rows);
            let mut found = Vec::new();
            places(&value, &mut Vec::new(), &mut found);
            for place in found {
                for mutant in mutants(&value, &place) {
                    let rows = mutant.as_array().expect("still a list");
                    let (good, skipped) = decoded(rows, kind);
                    tried += 1;
                    assert!(good + 1 >= whole, "{}: {place:?} cost {skipped}", path.display());
                    assert_eq!(good + skipped, rows.len());
                }
            }
        }
    }
    println!("{lists} lists, {tried} mutants");
    assert!(lists >= 10 && tried >= 4_000, "{lists} lists, {tried} mutants");
}

/// The same for GraphQL: a thread is lost alone; what is lost above it shows as missing.
#[test]
fn no_field_of_a_graphql_answer_costs_more_than_its_item() {
    let mut tried = 0;
    for name in ["aidotnet-393", "opcua-3918", "sonde-533"] {
        let Some(path) = shared(&format!("real/raw/gql-threads-{name}.json")) else { return };
        let mut value: Value =
            serde_json::from_slice(&fs::read(path).expect("an answer")).expect("JSON");
        let pointer = "/data/repository/pullRequest/reviewThreads";
        let connection = value.pointer_mut(pointer).expect("threads");
        let nodes = connection["nodes"].as_array_mut().expect("a list");
        nodes.truncate(4);
        for node in nodes.iter_mut() {
            node["path"] = "src/a.rs".into();
            let id = node["id"].clone();
            for comment in node["comments"]["nodes"].as_array_mut().expect("comments") {
                comment["id"] = format!("{id}{}", comment["body"]).into();
            }
        }
        let whole = nodes.len();
        connection["totalCount"] = whole.into();
        let mut found = Vec::new();
        places(&value, &mut Vec::new(), &mut found);
        for place in found {
            for mutant in mutants(&value, &place) {
                tried += 1;
                let body = serde_json::to_vec(&mutant).expect("JSON");
                let Ok(envelope) = Envelope::read(&body) else { continue };
                let Some(pull) = envelope.at(&THREADS[..2]).and_then(Node::new) else { continue };
                let mut threads = Gathered::default();
                threads.take(pull.page("reviewThreads"), talk::thread);
                let extent = threads.extent();
                let here = threads.items.len();
                let told = extent.total > extent.fetched || extent.note.is_some();
                assert!(here + 1 >= whole || told, "{name}: {place:?} lost {}", whole - here);
                assert!(here == whole || told || place.len() == 6, "{name}: {place:?} is silent");
            }
        }
    }
    println!("{tried} mutants");
    assert!(tried > 500, "{tried}");
}
