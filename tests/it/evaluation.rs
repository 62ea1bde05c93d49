//! Quality of the extractive summaries on real threads that two people labelled, one figure a
//! capture and one for all. The figures and how they were found: `docs/evaluation.md`.

use crate::shared::shared;
use casefile::{
    domain::{actor::Identity, capture::Capture},
    summary::{
        discussion::{NextActor, Status, ThreadSummary},
        extract::extract,
    },
};
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};

#[derive(Deserialize)]
struct Label {
    capture: String,
    thread_id: String,
    status: String,
    deciding: Vec<String>,
    next_actor: Option<String>,
    must_mention: Vec<String>,
    confidence: String,
}

/// Right answers of all answers.
#[derive(Clone, Copy, Default)]
struct Share {
    right: u32,
    all: u32,
}

impl Share {
    fn count(&mut self, right: bool) {
        self.right += u32::from(right);
        self.all += 1;
    }

    fn value(self) -> f64 {
        f64::from(self.right) / f64::from(self.all.max(1))
    }
}

#[derive(Clone, Copy, Default)]
struct Figures {
    settled: Share,
    unresolved: Share,
    deciding: Share,
    mention: Share,
    actor: Share,
}

impl Figures {
    fn balanced(&self) -> f64 {
        f64::midpoint(self.settled.value(), self.unresolved.value())
    }

    fn count(&mut self, label: &Label, summary: &ThreadSummary) -> bool {
        let status = match summary.status {
            Status::Settled => "settled",
            Status::Unresolved => "unresolved",
            Status::Noted => "noted",
        };
        let right = status == label.status;
        match label.status.as_str() {
            "settled" => self.settled.count(right),
            "unresolved" => self.unresolved.count(right),
            _ => {}
        }
        if label.status == "settled" && !label.deciding.is_empty() {
            let cited = label.deciding.iter().any(|it| summary.cites.contains(it));
            self.deciding.count(cited && summary.cites.len() <= 3);
        }
        if !label.must_mention.is_empty() {
            self.mention.count(mentions(label, summary));
        }
        if let Some(actor) = &label.next_actor {
            let next = match summary.next_actor {
                NextActor::Author => "author",
                NextActor::Reviewer => "reviewer",
                NextActor::None => "none",
            };
            self.actor.count(next == actor);
        }
        right
    }
}

fn mentions(label: &Label, summary: &ThreadSummary) -> bool {
    let text = summary.text.raw().to_lowercase();
    text.chars().count() <= 400
        && (label.must_mention.is_empty()
            || label.must_mention.iter().any(|it| text.contains(&it.to_lowercase())))
}

/// The figures of every capture, and of all.
fn table(by_capture: &BTreeMap<String, Figures>, all: &Figures) -> String {
    let share = |it: Share| format!("{}/{}", it.right, it.all);
    let row = |(name, it): (&String, &Figures)| {
        let (settled, open) = (share(it.settled), share(it.unresolved));
        let (cited, mention) = (share(it.deciding), share(it.mention));
        format!("{name:18} settled {settled} unresolved {open} cited {cited} mentioned {mention}")
    };
    let mut rows: Vec<String> = by_capture.iter().map(row).collect();
    rows.push(format!(
        "settled {:.3} unresolved {:.3} balanced {:.3} cited {:.3} mentioned {:.3} next {:.3}",
        all.settled.value(),
        all.unresolved.value(),
        all.balanced(),
        all.deciding.value(),
        all.mention.value(),
        all.actor.value()
    ));
    rows.join("\n")
}

#[test]
fn extractive_summaries_of_labelled_threads_are_right() {
    let Some(folder) = shared("real/eval") else { return };
    let read = |name: &str| {
        std::fs::read_to_string(folder.join(name)).expect("the evaluation folder is whole")
    };
    let labels = read("labels.jsonl");
    let labels = labels.lines().map(|it| serde_json::from_str::<Label>(it).expect("a label"));
    let mut summaries: HashMap<String, Vec<ThreadSummary>> = HashMap::new();
    let mut by_capture: BTreeMap<String, Figures> = BTreeMap::new();
    let mut all = Figures::default();
    for label in labels.filter(|it| it.confidence != "low") {
        let made = summaries.entry(label.capture.clone()).or_insert_with(|| {
            let capture: Capture = serde_json::from_str(&read(&label.capture)).expect("a capture");
            extract(&capture, &Identity::default())
        });
        let it = made
            .iter()
            .find(|it| it.thread_id.to_string() == label.thread_id)
            .expect("every thread is summarised");
        let part = label.capture.split('.').next().unwrap_or_default().to_owned();
        by_capture.entry(part).or_default().count(&label, it);
        let right = all.count(&label, it);
        let uncited =
            label.status == "settled" && !label.deciding.iter().any(|c| it.cites.contains(c));
        if !right || uncited || !mentions(&label, it) {
            println!(
                "{} {} wanted {} {:?} got {:?} {:?} | {}",
                label.capture,
                label.thread_id,
                label.status,
                label.must_mention,
                it.status,
                it.cites,
                it.text.raw()
            );
        }
    }
    println!("{}", table(&by_capture, &all));
    assert!(all.balanced() >= 0.93, "balanced accuracy {:.3}", all.balanced());
    assert!(all.deciding.value() >= 0.95, "deciding cited {:.3}", all.deciding.value());
    assert!(all.mention.value() >= 0.90, "must mention {:.3}", all.mention.value());
}
