//! Drafts written as they are typed, after a short pause, by one thread. Must not let an older text
//! land after a newer one, and must not end with a text unwritten.

use crate::{
    domain::capture::Id,
    driver::correct::{discard_draft, keep_draft},
    summary::correction::Said,
};
use std::{
    path::PathBuf,
    sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// The first key that is not on the disk yet waits so long at most; a crash loses no more.
const PAUSE: Duration = Duration::from_millis(300);

/// Orders for the thread.
enum Order {
    Keep(PathBuf, Box<Said>),
    Discard(PathBuf, Id),
    /// Write all, then answer.
    Flush(Sender<()>),
}

/// The thread that writes. Dropping it waits until everything is written.
pub struct Drafts {
    orders: Option<Sender<Order>>,
    thread: Option<JoinHandle<()>>,
}

/// A handle with which another thread can wait until everything is written.
pub struct Flush(Sender<Order>);

impl Drafts {
    /// Starts the thread; `failed` hears why a draft could not be written.
    pub fn start(failed: impl Fn(String) + Send + 'static) -> Self {
        let (orders, received) = channel();
        let body = move || write(&received, &failed);
        // Without a thread nothing is kept as it is typed; saving still works.
        let thread = thread::Builder::new().name("drafts".into()).spawn(body).ok();
        Self { orders: Some(orders), thread }
    }

    /// Keeps a draft below a root, soon.
    pub fn keep(&self, root: PathBuf, draft: Box<Said>) {
        self.order(Order::Keep(root, draft));
    }

    /// Forgets the draft of a thread, and what of it is not written yet.
    pub fn discard(&self, root: PathBuf, thread: Id) {
        self.order(Order::Discard(root, thread));
    }

    pub fn flush(&self) -> Option<Flush> {
        self.orders.clone().map(Flush)
    }

    fn order(&self, order: Order) {
        if let Some(orders) = &self.orders {
            // A thread that could not start hears nothing.
            let _ = orders.send(order);
        }
    }
}

impl Flush {
    /// Waits until what was ordered before is on the disk.
    pub fn wait(self) {
        let (done, heard) = channel();
        if self.0.send(Order::Flush(done)).is_ok() {
            let _ = heard.recv();
        }
    }
}

impl Drop for Drafts {
    fn drop(&mut self) {
        self.orders = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// What is not written yet: the newest text of each thread, and since when one waits.
#[derive(Default)]
struct Waiting {
    texts: Vec<(PathBuf, Box<Said>)>,
    since: Option<Instant>,
}

impl Waiting {
    fn take(&mut self, root: &PathBuf, thread: &Id) {
        self.texts.retain(|it| it.0 != *root || it.1.thread_id != *thread);
    }

    fn write(&mut self, failed: &impl Fn(String)) {
        self.since = None;
        for (root, draft) in self.texts.drain(..) {
            if let Err(cause) = keep_draft(&root, &draft) {
                failed(format!("what you type is not kept: {cause}"));
            }
        }
    }
}

fn write(received: &Receiver<Order>, failed: &impl Fn(String)) {
    let mut waiting = Waiting::default();
    loop {
        let order = match waiting.since {
            None => received.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(since) => received.recv_timeout(PAUSE.saturating_sub(since.elapsed())),
        };
        match order {
            Ok(Order::Keep(root, draft)) => {
                waiting.take(&root, &draft.thread_id);
                waiting.texts.push((root, draft));
                waiting.since.get_or_insert_with(Instant::now);
            }
            Ok(Order::Discard(root, thread)) => {
                waiting.take(&root, &thread);
                if let Err(cause) = discard_draft(&root, &thread) {
                    failed(format!("a draft could not be removed: {cause}"));
                }
            }
            Ok(Order::Flush(done)) => {
                waiting.write(failed);
                let _ = done.send(());
            }
            Err(RecvTimeoutError::Timeout) => waiting.write(failed),
            Err(RecvTimeoutError::Disconnected) => return waiting.write(failed),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        domain::{capture::Id, digest::Digest},
        driver::correct::load,
        summary::{correction::Said, discussion::Status},
        tui::drafts::Drafts,
    };
    use std::path::Path;

    fn said(text: &str) -> Said {
        Said {
            thread_id: Id::Number(1),
            source_digest: Digest::of("x"),
            comments_total: 1,
            status: Status::Noted,
            text: text.into(),
        }
    }

    fn texts(root: &Path) -> Vec<String> {
        load(root).expect("read").drafts.into_iter().map(|it| it.text).collect()
    }

    #[test]
    fn the_newest_text_is_kept_and_nothing_is_left_unwritten() {
        let root = tempfile::tempdir().expect("a temporary folder");
        let root = root.path();
        let drafts = Drafts::start(|it| panic!("{it}"));
        for at in 0..50 {
            drafts.keep(root.to_owned(), Box::new(said(&at.to_string())));
        }
        drafts.flush().expect("it runs").wait();
        assert_eq!(texts(root), ["49"]);
        drafts.keep(root.to_owned(), Box::new(said("more")));
        drafts.discard(root.to_owned(), Id::Number(1));
        drafts.flush().expect("it runs").wait();
        assert_eq!(texts(root), [""; 0]);
        drafts.keep(root.to_owned(), Box::new(said("last")));
        drop(drafts);
        assert_eq!(texts(root), ["last"]);
    }
}
