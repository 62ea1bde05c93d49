//! Keys and news of the editor in which a person corrects a summary. What is typed is kept as a
//! draft by effects as it is typed; what is saved makes the dossier again.

use crate::{
    app::{
        correct::{self, Editor, area::Area, history::Saving},
        event::{Effect, Request},
        key::{Chord, Key},
        model::Model,
        prompt::Prompt,
        update::run,
    },
    domain::{actor::Identity, capture::Id},
    summary::correction::{self, Correction, Said},
};

/// Asks for what was written on the open review.
pub fn load(model: &mut Model) -> Vec<Effect> {
    let request = model.request();
    let Some(desk) = &mut model.desk else { return Vec::new() };
    desk.corrections.waits_for = Some(request);
    desk.corrections.asked = true;
    if let Some(Prompt::Correct(_)) = model.prompt {
        model.prompt = None;
        model.say("it was read again; what you typed is kept as a draft");
    }
    vec![Effect::LoadCorrections { request }]
}

/// Opens the editor on a thread.
pub fn open(model: &mut Model, thread: Option<u32>) -> Vec<Effect> {
    let Some((desk, at)) = model.desk.as_ref().zip(thread) else { return Vec::new() };
    match Editor::of(desk, at) {
        Some(editor) => model.prompt = Some(Prompt::Correct(Box::new(editor))),
        None if desk.discussion.as_ref().is_some_and(|it| it.pinned) => {
            model.say("a pinned review has no summaries to correct");
        }
        None => model.say("there is no summary to correct yet; S starts the run"),
    }
    Vec::new()
}

/// Goes back to the engine's text.
pub fn withdraw(model: &mut Model, thread: Option<u32>) -> Vec<Effect> {
    let Some(desk) = &model.desk else { return Vec::new() };
    let id = thread.and_then(|it| desk.review.capture.review_threads.get(it as usize));
    let Some(current) = id.and_then(|it| desk.corrections.current(&it.id)) else {
        model.say("nobody corrected this summary");
        return Vec::new();
    };
    let record = correction::withdrawal(current);
    save(model, record)
}

/// A key in the editor. Only `Ctrl-s` saves; `Esc` keeps the draft and leaves.
pub fn key(model: &mut Model, mut editor: Box<Editor>, chord: Chord) -> Vec<Effect> {
    let saving = model.desk.as_ref().is_some_and(|it| it.corrections.saving.is_some());
    if chord == Chord::plain(Key::Esc) || chord == Chord::ctrl('c') {
        return leave(model, &editor);
    }
    let mut effects = Vec::new();
    match chord.key {
        _ if saving => {}
        Key::Char('s') if chord.ctrl => return submit(model, editor),
        Key::Char('e') if chord.ctrl => {
            effects.push(Effect::EditText { text: editor.area.text().to_owned() });
        }
        Key::Char('p') if chord.ctrl => editor.turn(1),
        Key::Char('n') if chord.ctrl => editor.turn(-1),
        Key::Char('x') if chord.ctrl => effects = discard(model, &mut editor),
        Key::Tab => {
            editor.turn_status(chord.shift);
            effects = keep(model, &editor);
        }
        _ => {
            let before = editor.area.text().to_owned();
            editor.area.key(chord, correct::text_width(correct::place(model)));
            if before != editor.area.text() {
                editor.complaint = None;
                effects = keep(model, &editor);
            }
        }
    }
    model.prompt = Some(Prompt::Correct(editor));
    effects
}

/// A paste goes into the text.
pub fn paste(model: &mut Model, mut editor: Box<Editor>, text: &str) -> Vec<Effect> {
    let cut = editor.area.insert(text);
    editor.complaint = (cut > 0).then(|| format!("the paste was cut: {cut} bytes had no room"));
    let effects = keep(model, &editor);
    model.prompt = Some(Prompt::Correct(editor));
    effects
}

/// What `$EDITOR` made of the text.
pub fn edited(model: &mut Model, text: &str) -> Vec<Effect> {
    let Some(Prompt::Correct(mut editor)) = model.prompt.take_if(|it| it.is_correct()) else {
        return Vec::new();
    };
    editor.area = Area::default();
    paste(model, editor, text.trim_end())
}

/// Keeps what is typed as a draft, or forgets the draft when nothing differs any more.
fn keep(model: &mut Model, editor: &Editor) -> Vec<Effect> {
    if editor.is_unchanged() {
        return forget(model, &editor.thread);
    }
    let Some(desk) = &mut model.desk else { return Vec::new() };
    let draft = editor.said();
    desk.corrections().keep_draft(draft.clone());
    vec![Effect::KeepDraft { draft: Box::new(draft) }]
}

fn forget(model: &mut Model, thread: &Id) -> Vec<Effect> {
    let Some(desk) = &mut model.desk else { return Vec::new() };
    if desk.corrections.draft(thread).is_none() {
        return Vec::new();
    }
    desk.corrections().discard_draft(thread);
    vec![Effect::DiscardDraft { thread: thread.clone() }]
}

/// Throws the draft away; until the editor is left, `Ctrl-p` still has it.
fn discard(model: &mut Model, editor: &mut Editor) -> Vec<Effect> {
    editor.turn_to_summary();
    editor.complaint = Some("the draft is gone; Ctrl-p has it until you leave".to_owned());
    forget(model, &editor.thread)
}

fn leave(model: &mut Model, editor: &Editor) -> Vec<Effect> {
    let kept = model.desk.as_ref().is_some_and(|it| it.corrections.draft(&editor.thread).is_some());
    if kept {
        model.say("kept as a draft; e goes on with it");
    }
    Vec::new()
}

fn submit(model: &mut Model, mut editor: Box<Editor>) -> Vec<Effect> {
    if editor.is_unchanged() {
        model.say("nothing was changed");
        return forget(model, &editor.thread);
    }
    let Some(judged) = judge(model, &editor.said()) else { return Vec::new() };
    let effects = match judged {
        Ok(record) => save(model, record),
        Err(why) => {
            editor.complaint = Some(why);
            Vec::new()
        }
    };
    model.prompt = Some(Prompt::Correct(editor));
    effects
}

fn judge(model: &Model, said: &Said) -> Option<Result<Correction, String>> {
    let desk = model.desk.as_ref()?;
    let thread = &desk.review.capture.review_threads[desk.thread_of(&said.thread_id)? as usize];
    let judged = correction::judge(thread, said, &Identity::default());
    Some(judged.map_err(correction::Fault::words))
}

fn save(model: &mut Model, record: Correction) -> Vec<Effect> {
    let request = model.request();
    let Some(desk) = &mut model.desk else { return Vec::new() };
    if desk.corrections.saving.is_some() {
        return Vec::new();
    }
    let (thread, withdraws) = (record.thread_id.clone(), record.withdraws);
    desk.corrections.saving = Some(Saving { request, thread, withdraws });
    vec![Effect::SaveCorrection { request, correction: Box::new(record) }]
}

/// What was written on the open review, as it is kept.
pub fn loaded(
    model: &mut Model,
    request: Request,
    kept: Vec<Correction>,
    drafts: Vec<Said>,
) -> Vec<Effect> {
    let Some(desk) = &mut model.desk else { return Vec::new() };
    if desk.corrections.waits_for != Some(request) {
        return Vec::new();
    }
    let corrections = desk.corrections();
    corrections.waits_for = None;
    corrections.kept = kept;
    // What was typed since we asked is newer.
    for it in drafts {
        if corrections.draft(&it.thread_id).is_none() {
            corrections.drafts.push(it);
        }
    }
    // An editor opened before they came goes on with the draft, unless something was typed in it.
    if let Some(Prompt::Correct(open)) = &mut model.prompt
        && open.is_unchanged()
        && desk.corrections.draft(&open.thread).is_some()
        && let Some(at) = desk.thread_of(&open.thread)
        && let Some(editor) = Editor::of(desk, at)
    {
        **open = editor;
    }
    let waiting = desk.corrections.drafts.clone();
    let here = waiting.iter().filter(|it| desk.thread_of(&it.thread_id).is_some()).count();
    if here > 0 && !model.prompt.as_ref().is_some_and(Prompt::is_correct) {
        let what = if here == 1 { "a correction is" } else { "corrections are" };
        model.say(format!("{what} not saved yet; e on the thread goes on with it"));
    }
    Vec::new()
}

/// A correction is on the disk: the dossier is made again with it.
pub fn saved(model: &mut Model, request: Request, kept: Vec<Correction>) -> Vec<Effect> {
    let Some(desk) = &mut model.desk else { return Vec::new() };
    let corrections = desk.corrections();
    let Some(saving) = corrections.saving.take_if(|it| it.request == request) else {
        return Vec::new();
    };
    corrections.kept = kept;
    let mut effects = Vec::new();
    if !saving.withdraws {
        // Also when the editor was left meanwhile.
        corrections.discard_draft(&saving.thread);
        let on_it =
            |it: &mut Prompt| matches!(it, Prompt::Correct(it) if it.thread == saving.thread);
        drop(model.prompt.take_if(on_it));
        effects.push(Effect::DiscardDraft { thread: saving.thread });
    }
    let withdrawn = saving.withdraws;
    model.say(if withdrawn { "back to the engine's text" } else { "the correction is saved" });
    effects.extend(run::run_again(model));
    effects
}

/// Takes a failure that concerns corrections; the text stays in the editor.
pub fn failed(model: &mut Model, request: Option<Request>, message: &str) -> bool {
    let Some(desk) = model.desk.as_mut().filter(|_| request.is_some()) else { return false };
    if desk.corrections.waits_for == request {
        desk.corrections.waits_for = None;
        model.complain(message);
        return true;
    }
    if desk.corrections.saving.take_if(|it| Some(it.request) == request).is_none() {
        return false;
    }
    match &mut model.prompt {
        Some(Prompt::Correct(editor)) => editor.complaint = Some(message.to_owned()),
        _ => model.complain(message),
    }
    true
}

#[cfg(test)]
mod tests {
    use crate::{
        app::{
            correct::{Editor, Source},
            event::{Effect, Event, RunReport},
            fixture::{model, press},
            key::{Chord, Key},
            model::Model,
            prompt::{Prompt, Question},
            update::update,
        },
        domain::{capture::Id, digest::Digest},
        summary::{
            correction::{Correction, Said, VERSION, withdrawal},
            discussion::Status,
        },
        view,
    };

    /// Compare on the first thread, its editor open.
    fn open(width: u16, height: u16) -> Model {
        let mut model = model(width, height);
        press(&mut model, "t t t t c e");
        model
    }

    fn editor(model: &Model) -> &Editor {
        match &model.prompt {
            Some(Prompt::Correct(editor)) => editor,
            other => panic!("no editor is open but {other:?}"),
        }
    }

    fn typed(model: &mut Model, text: &str) -> Vec<Effect> {
        let keys = text.chars().map(|it| Event::Key(Chord::char(it)));
        keys.flat_map(|it| update(model, it)).collect()
    }

    fn retype(model: &mut Model, text: &str) -> Vec<Effect> {
        press(model, "Ctrl-u");
        typed(model, text)
    }

    fn record(text: &str, digest: &str) -> Correction {
        Correction {
            version: VERSION,
            thread_id: Id::Text("t1".into()),
            source_digest: Digest::of(digest),
            status: Status::Noted,
            text: format!("Noted: {text}"),
            decision: None,
            open_question: None,
            cites: vec!["c2".into()],
            comments_total: 3,
            withdraws: false,
            author: "ann".into(),
            at: "2026-03-01T10:00:00Z".into(),
        }
    }

    fn know(model: &mut Model, kept: Vec<Correction>, drafts: Vec<Said>) -> Vec<Effect> {
        let request = model.desk.as_ref().and_then(|it| it.corrections.waits_for);
        let request = request.expect("the history was asked for");
        update(model, Event::Corrections { request, kept, drafts })
    }

    fn saving(effects: &[Effect]) -> (u64, &Correction) {
        match effects {
            [Effect::SaveCorrection { request, correction }] => (*request, correction),
            other => panic!("nothing is saved: {other:?}"),
        }
    }

    /// An editor can be opened before the drafts were read from the disk.
    #[test]
    fn a_draft_that_comes_late_is_gone_on_with_unless_something_was_typed() {
        let late = |keys: &str| {
            let mut model = open(160, 48);
            let draft = Said { text: "from before".into(), ..editor(&model).said() };
            for key in keys.split_whitespace() {
                press(&mut model, key);
            }
            know(&mut model, Vec::new(), vec![draft]);
            editor(&model).area.text().to_owned()
        };
        assert_eq!(late(""), "from before");
        assert!(late("x").ends_with('x'), "what was typed since is newer");
    }

    #[test]
    fn each_key_keeps_a_draft_and_ctrl_s_saves_and_runs_again() {
        let mut model = open(160, 48);
        assert_eq!(editor(&model).area.text().split(' ').next(), Some("bob"));
        let effects = press(&mut model, "x Tab");
        let drafts: Vec<_> = effects
            .iter()
            .map(|it| match it {
                Effect::KeepDraft { draft } => (draft.status, draft.text.chars().last()),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(drafts, [(Status::Unresolved, Some('x')), (Status::Settled, Some('x'))]);
        retype(&mut model, "settled: network errors alone,  says c2");
        let effects = press(&mut model, "Ctrl-s");
        let (request, correction) = saving(&effects);
        assert_eq!(correction.text, "Settled: network errors alone, says c2");
        assert_eq!((correction.cites.join(" "), correction.status), ("c2".into(), Status::Settled));
        assert!(view::tests::words(&model).contains("saving"));
        assert_eq!(press(&mut model, "x"), [], "nothing is typed while it is saved");
        let kept = vec![correction.clone()];
        let id = Id::Text("t1".into());
        let effects = update(&mut model, Event::Corrected { request, kept });
        assert_eq!(effects, [Effect::DiscardDraft { thread: id }]);
        assert_eq!((model.prompt.is_none(), model.drafts()), (true, 0));
        let run = model.work.request.expect("a run goes on");
        let ended = Event::Run { request: run, report: RunReport::Ended { error: None } };
        let effects = update(&mut model, ended.clone());
        assert!(matches!(effects[..], [Effect::StartRun { request }] if request != run));
        let run = model.work.request.expect("the second run");
        let ended = Event::Run { request: run, report: RunReport::Ended { error: None } };
        assert_eq!(update(&mut model, ended), [], "once is enough");
    }

    #[test]
    fn what_cannot_stand_is_said_and_stays_in_the_editor() {
        let mut model = open(160, 48);
        press(&mut model, "Ctrl-u");
        assert_eq!(press(&mut model, "Ctrl-s"), []);
        assert!(editor(&model).complaint.as_ref().is_some_and(|it| it.contains("nothing to save")));
        update(&mut model, Event::Paste("word \u{1b}[31m".repeat(60)));
        assert_eq!(press(&mut model, "Ctrl-s"), []);
        let complaint = editor(&model).complaint.clone().unwrap_or_default();
        assert!(complaint.contains("too many"), "{complaint}");
        assert!(!editor(&model).area.text().contains('\u{1b}'));
        retype(&mut model, "<!-- x");
        assert_eq!(press(&mut model, "Ctrl-s"), []);
        assert!(view::tests::words(&model).contains("`<!--` would hide"));
    }

    #[test]
    fn esc_keeps_the_draft_and_e_goes_on_with_it() {
        let mut model = open(80, 24);
        press(&mut model, "! Esc");
        assert!(
            model.prompt.is_none() && model.notice().is_some_and(|it| it.text.contains("draft"))
        );
        assert!(view::tests::words(&model).contains("not saved yet"));
        press(&mut model, "e");
        assert!(editor(&model).area.text().ends_with('!'));
        let id = Id::Text("t1".into());
        let gone = [Effect::DiscardDraft { thread: id.clone() }];
        assert_eq!(press(&mut model, "Backspace"), gone, "as it was, so there is nothing to keep");
        press(&mut model, "? Esc e");
        assert_eq!(press(&mut model, "Ctrl-x"), [Effect::DiscardDraft { thread: id }]);
        assert!(editor(&model).is_unchanged());
        press(&mut model, "Ctrl-n");
        assert!(editor(&model).area.text().ends_with('?'), "until it is left, it can be had back");
        press(&mut model, "Ctrl-p");
        assert_eq!(press(&mut model, "Ctrl-s"), []);
        assert!(model.prompt.is_none(), "nothing was changed");
    }

    #[test]
    fn an_editor_left_while_it_saves_leaves_no_draft() {
        let mut model = open(80, 24);
        typed(&mut model, " or not");
        let effects = press(&mut model, "Ctrl-s");
        let (request, correction) = saving(&effects);
        press(&mut model, "Esc");
        let (kept, thread) = (vec![correction.clone()], correction.thread_id.clone());
        let effects = update(&mut model, Event::Corrected { request, kept });
        assert_eq!((effects, model.drafts()), (vec![Effect::DiscardDraft { thread }], 0));
    }

    #[test]
    fn a_failed_save_keeps_the_text() {
        let mut model = open(80, 24);
        typed(&mut model, " or not");
        let (request, _) = saving(&press(&mut model, "Ctrl-s"));
        let message = "the disk is full".to_owned();
        update(&mut model, Event::Failed { request: Some(request), message });
        assert!(view::tests::words(&model).contains("the disk is full"));
        assert!(editor(&model).area.text().ends_with(" or not"));
        assert!(matches!(press(&mut model, "Ctrl-s")[..], [Effect::SaveCorrection { .. }]));
    }

    #[test]
    fn a_draft_from_before_a_crash_is_offered() {
        let mut model = model(80, 24);
        let draft = Said {
            thread_id: Id::Text("t1".into()),
            source_digest: Digest::of("older"),
            comments_total: 2,
            status: Status::Settled,
            text: "half a sent".into(),
        };
        know(&mut model, Vec::new(), vec![draft]);
        assert!(model.notice().is_some_and(|it| it.text.contains("not saved yet")));
        press(&mut model, "t t t t c e");
        assert_eq!(
            (editor(&model).area.text(), editor(&model).status),
            ("half a sent", Status::Settled)
        );
        assert!(view::tests::words(&model).contains("went on since you wrote this"));
        typed(&mut model, "ence");
        let effects = press(&mut model, "Ctrl-s");
        let (_, correction) = saving(&effects);
        assert_ne!(correction.source_digest, Digest::of("older"), "it rests on what is seen now");
        press(&mut model, "Esc q");
        assert_eq!(model.prompt, Some(Prompt::Question(Question::Quit)), "a draft is open");
    }

    #[test]
    fn a_stale_correction_is_shown_and_offered() {
        let mut model = model(160, 48);
        know(&mut model, vec![record("one", "x"), record("two", "older")], Vec::new());
        press(&mut model, "t t t t c");
        let words = view::tests::words(&model);
        assert!(
            words.contains("stale, the thread") && words.contains("before: Noted: one"),
            "{words}"
        );
        press(&mut model, "e");
        let sources =
            |it: &Editor| it.offers.iter().map(|it| it.source.clone()).collect::<Vec<_>>();
        let older = Source::Correction { author: "ann".into(), day: "2026-03-01".into() };
        assert_eq!(sources(editor(&model)), [Source::Summary, older.clone(), older]);
        typed(&mut model, "!");
        press(&mut model, "Ctrl-p Ctrl-p");
        assert_eq!((editor(&model).area.text(), editor(&model).status), ("two", Status::Noted));
        press(&mut model, "Ctrl-n Ctrl-n");
        assert!(editor(&model).area.text().ends_with('!'), "what was typed is not lost");
    }

    #[test]
    fn a_correction_is_taken_back_by_a_record() {
        let mut model = model(160, 48);
        press(&mut model, "t t t t c");
        assert_eq!(press(&mut model, "E"), []);
        know(&mut model, vec![record("one", "x")], Vec::new());
        let effects = press(&mut model, "E");
        let (request, correction) = saving(&effects);
        assert_eq!(*correction, withdrawal(&record("one", "x")));
        assert_eq!(press(&mut model, "E"), [], "it is on its way");
        let kept = vec![record("one", "x"), correction.clone()];
        update(&mut model, Event::Corrected { request, kept });
        assert!(model.work.again);
        assert!(view::tests::words(&model).contains("went back to"));
        assert_eq!(press(&mut model, "E"), []);
    }

    #[test]
    fn e_corrects_from_the_list_of_threads_and_comes_back_from_the_editor() {
        let mut model = model(80, 24);
        press(&mut model, "g t e");
        assert!(editor(&model).offers.len() == 1);
        assert_eq!(
            press(&mut model, "Ctrl-e"),
            [Effect::EditText { text: "nobody answered yet.".into() }]
        );
        let effects = update(&mut model, Event::Edited { text: "carol answered\n".into() });
        assert!(matches!(effects[..], [Effect::KeepDraft { .. }]));
        assert_eq!(editor(&model).area.text(), "carol answered");
        press(&mut model, "Esc");
        assert_eq!(update(&mut model, Event::Edited { text: "late".into() }), []);
    }

    #[test]
    fn the_editor_fits_every_size() {
        for (width, height) in [(40, 10), (41, 11), (84, 14), (120, 30), (200, 60)] {
            let mut model = open(width, height);
            update(&mut model, Event::Paste("word 漢字 \u{202e}\n".repeat(80)));
            for key in [Key::Up, Key::PageUp, Key::PageDown, Key::Home] {
                update(&mut model, Event::Key(Chord::plain(key)));
                view::tests::cells_of(&model);
                assert!(view::screen(&model, width, height).cursor.is_some());
            }
        }
    }
}
