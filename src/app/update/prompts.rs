//! Keys while a prompt is open. Esc closes it and undoes what it previewed; Enter is never yes.

use crate::app::{
    event::Effect,
    input::Input,
    key::{Chord, Key},
    model::{Model, Screen},
    prompt::{Prompt, Question},
    search::Search,
    update::{command, correct, home, run, seek},
};

/// Applies a key to the open prompt.
pub fn key(model: &mut Model, chord: Chord) -> Vec<Effect> {
    let Some(prompt) = model.prompt.take() else { return Vec::new() };
    let prompt = match prompt {
        Prompt::Correct(editor) => return correct::key(model, editor, chord),
        prompt => prompt,
    };
    let escape = chord == Chord::plain(Key::Esc) || chord == Chord::ctrl('c');
    if escape {
        return cancel(model, prompt);
    }
    match prompt {
        Prompt::Question(question) => answer(model, question, chord),
        Prompt::Setup { .. } => Vec::new(),
        Prompt::Picker(picker) => picker_key(model, picker, chord),
        prompt if chord.key == Key::Enter => accept(model, prompt),
        prompt => line_key(model, prompt, chord),
    }
}

/// A paste goes into the open line as one insertion, and nowhere else.
pub fn paste(model: &mut Model, text: &str) -> Vec<Effect> {
    let mut prompt = match model.prompt.take() {
        None => return Vec::new(),
        Some(Prompt::Correct(editor)) => return correct::paste(model, editor, text),
        Some(prompt) => prompt,
    };
    let Some(input) = prompt.input() else {
        model.prompt = Some(prompt);
        return Vec::new();
    };
    input.insert(text);
    let effects = changed(model, &prompt);
    if let Prompt::Picker(picker) = &mut prompt {
        picker.sift(&model.keymap);
    }
    model.prompt = Some(prompt);
    effects
}

fn line_key(model: &mut Model, mut prompt: Prompt, chord: Chord) -> Vec<Effect> {
    if chord.key == Key::Tab
        && let Prompt::Command { input } = &mut prompt
    {
        *input = Input::of(&command::complete(&input.text, &model.themes));
    }
    let empty = prompt.input().is_some_and(|it| it.text.is_empty());
    if empty && chord.key == Key::Backspace {
        return cancel(model, prompt);
    }
    let changed_text = prompt.input().is_some_and(|it| it.key(chord));
    if let Prompt::Add { fault, .. } = &mut prompt {
        *fault = fault.filter(|_| !changed_text);
    }
    let effects = if changed_text { changed(model, &prompt) } else { Vec::new() };
    model.prompt = Some(prompt);
    effects
}

/// What a changed text previews.
fn changed(model: &mut Model, prompt: &Prompt) -> Vec<Effect> {
    match prompt {
        Prompt::Search { input, before } => return seek::typed(model, &input.text, *before),
        Prompt::Filter { input, .. } => filter(model, &input.text),
        _ => {}
    }
    Vec::new()
}

fn filter(model: &mut Model, text: &str) {
    match (model.screen, &mut model.desk) {
        (Screen::Threads, Some(desk)) => {
            text.clone_into(&mut desk.threads.filter.text);
            desk.threads.stale();
        }
        (Screen::Home, _) => {
            text.clone_into(&mut model.home.filter);
            home::filter(model);
        }
        _ => {}
    }
}

fn cancel(model: &mut Model, prompt: Prompt) -> Vec<Effect> {
    match prompt {
        Prompt::Search { before, .. } => {
            if let Some(desk) = &mut model.desk {
                desk.search = Search::default();
                let height = desk.reader.at.height;
                desk.reader.at = crate::app::reader::At { height, ..before };
            }
        }
        Prompt::Filter { before, .. } => filter(model, &before),
        _ => {}
    }
    Vec::new()
}

fn accept(model: &mut Model, prompt: Prompt) -> Vec<Effect> {
    match prompt {
        Prompt::Search { input, .. } => {
            let found = model.desk.as_ref().is_some_and(|it| !it.search.hits.is_empty());
            if !found && !input.text.is_empty() {
                seek::next(model, 1);
            }
            Vec::new()
        }
        Prompt::Command { input } => command::run(model, &input.text),
        Prompt::Add { input, .. } if !input.text.trim().is_empty() => home::add(model, input),
        _ => Vec::new(),
    }
}

fn picker_key(
    model: &mut Model,
    mut picker: crate::app::prompt::Picker,
    chord: Chord,
) -> Vec<Effect> {
    match chord.key {
        Key::Enter => {
            let action = picker.kept.get(picker.picked).copied();
            return action.map_or_else(Vec::new, |it| run::run(model, it, None));
        }
        Key::Down => picker.step(1),
        Key::Up => picker.step(-1),
        Key::Char('n' | 'j') if chord.ctrl => picker.step(1),
        Key::Char('p' | 'k') if chord.ctrl => picker.step(-1),
        Key::PageDown => picker.step(10),
        Key::PageUp => picker.step(-10),
        _ => {
            if picker.input.key(chord) {
                picker.sift(&model.keymap);
            }
        }
    }
    model.prompt = Some(Prompt::Picker(picker));
    Vec::new()
}

fn answer(model: &mut Model, question: Question, chord: Chord) -> Vec<Effect> {
    let Question::Quit = question;
    let chord = chord.latin().unwrap_or(chord);
    match chord.typed() {
        Some('y') => vec![Effect::CancelTask { task: None }, Effect::Quit],
        Some('w') if model.work.running() > 0 => {
            model.options.quit_when_done = true;
            model.say("casefile quits when the work is done");
            Vec::new()
        }
        Some('h') if model.work.to_hand_over().is_some() => {
            let run = model.work.to_hand_over().unwrap_or_default().to_owned();
            vec![Effect::HandOver { run }, Effect::CancelTask { task: None }, Effect::Quit]
        }
        Some('n') => Vec::new(),
        _ => {
            model.prompt = Some(Prompt::Question(question));
            Vec::new()
        }
    }
}
