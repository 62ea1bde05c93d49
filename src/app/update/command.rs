//! The command line: every action by name, and the few commands that take words.
//! Must not know keys.

use crate::app::{
    action::{Action, TABLE},
    event::Effect,
    keymap,
    model::Model,
    update::run,
};

/// Commands that take words, with what they take.
pub const WORDED: &[(&str, &str)] = &[("open", "TARGET"), ("theme", "NAME")];

/// Runs a command line: a number goes to that line of the file, a name runs its action.
pub fn run(model: &mut Model, line: &str) -> Vec<Effect> {
    let line = line.trim();
    if line.is_empty() {
        return Vec::new();
    }
    if let Ok(number) = line.parse::<u32>() {
        return go_to_number(model, number);
    }
    let (name, words) = line.split_once(' ').unwrap_or((line, ""));
    match (name, words.trim()) {
        ("open", "") => {
            model.complain("`open` wants a target: a file, a URL, owner/repo#1, a range");
        }
        ("open", target) => return vec![model.open(target.to_owned())],
        ("theme", "") => {
            let names = model.themes.join(", ");
            model.complain(format!("`theme` wants a name: {names}"));
        }
        ("theme", name) => return vec![Effect::Theme { name: name.to_owned() }],
        ("q", _) => return run::run(model, Action::Quit, None),
        (name, _) => return by_name(model, name),
    }
    Vec::new()
}

fn by_name(model: &mut Model, name: &str) -> Vec<Effect> {
    let Some(action) = Action::named(name) else {
        let nearest = keymap::nearest(name);
        model.complain(format!("`{name}` is no command; did you mean `{nearest}`?"));
        return Vec::new();
    };
    let scopes = model.scopes();
    if !action.entry().scopes.iter().any(|it| scopes.contains(it)) {
        model.complain(format!("`{name}` does not work here"));
        return Vec::new();
    }
    run::run(model, action, None)
}

fn go_to_number(model: &mut Model, number: u32) -> Vec<Effect> {
    let Some(desk) = &mut model.desk else { return Vec::new() };
    let Some(file) = desk.current_file() else { return Vec::new() };
    let diff = &desk.review.diff.files[file as usize];
    let right = diff.find(crate::domain::diff::Side::Right, number);
    match right.or_else(|| diff.find(crate::domain::diff::Side::Left, number)) {
        Some(line) => desk.go_to_line(file, line),
        None => model.complain(format!("no hunk of this file shows line {number}")),
    }
    Vec::new()
}

/// The command line with its first word completed as far as it is certain, or with the next theme
/// that fits.
pub fn complete(line: &str, themes: &[String]) -> String {
    if let Some(typed) =
        line.strip_prefix("theme").filter(|it| it.is_empty() || it.starts_with(' '))
    {
        let next = next_theme(typed.trim(), themes);
        return next.map_or_else(|| line.to_owned(), |it| format!("theme {it}"));
    }
    if line.contains(' ') {
        return line.to_owned();
    }
    let names = TABLE.iter().map(|it| it.name).chain(WORDED.iter().map(|it| it.0));
    let fitting: Vec<&str> = names.filter(|it| it.starts_with(line)).collect();
    let Some(first) = fitting.first() else { return line.to_owned() };
    let common = fitting.iter().fold(first.len(), |common, it| {
        first.bytes().zip(it.bytes()).take(common).take_while(|(a, b)| a == b).count()
    });
    first[..common].to_owned()
}

/// After a whole name the one behind it, round and round; else the first that begins as typed.
fn next_theme<'a>(typed: &str, themes: &'a [String]) -> Option<&'a str> {
    let next = match themes.iter().position(|it| it == typed) {
        Some(at) => themes.get((at + 1) % themes.len()),
        None => themes.iter().find(|it| it.starts_with(typed)),
    };
    next.map(String::as_str)
}

#[cfg(test)]
mod tests {
    use crate::app::update::command::complete;

    #[test]
    fn completion_goes_as_far_as_it_is_certain() {
        let themes = ["dark", "dusk", "light"].map(str::to_owned);
        let check = |line, expected| assert_eq!(complete(line, &themes), expected);
        check("go-t", "go-t");
        check("go-th", "go-threads");
        check("spl", "split");
        check("zzz", "zzz");
        check("open x", "open x");
        check("them", "theme");
        check("theme", "theme dark");
        check("theme du", "theme dusk");
        check("theme dusk", "theme light");
        check("theme light", "theme dark");
        check("theme zzz", "theme zzz");
    }
}
