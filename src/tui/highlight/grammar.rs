//! The state of one side of a hunk while its lines go by, and the grammar for a file.
//! Must not know the diff; it is fed displayed lines.

use crate::tui::highlight::{colours::Run, lead::lead, markdown::Fence, scopes::Scopes};
use std::path::Path;
use syntect::parsing::{ParseState, ScopeStack, SyntaxReference, SyntaxSet};

/// Longer lines stay plain, in bytes: grammars take seconds for minified code.
const LONGEST: usize = 2_000;

/// How a file is coloured. The index is into the syntax set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grammar {
    Plain,
    Markdown,
    Shared(usize),
}

/// Where one side stands: all that the next line depends on.
#[derive(Clone, PartialEq)]
pub enum State {
    Plain,
    Markdown(Fence),
    Shared(Box<(ParseState, ScopeStack)>),
}

impl Grammar {
    /// The grammar for a file, by its name, then its extension, then its first line.
    pub fn of(path: &str, first_line: Option<&str>, set: &SyntaxSet) -> Self {
        let name = Path::new(path).file_name().and_then(|it| it.to_str()).unwrap_or(path);
        let extension = Path::new(path).extension().and_then(|it| it.to_str()).unwrap_or("");
        let found = (set.find_syntax_by_extension(name))
            .or_else(|| set.find_syntax_by_extension(extension))
            .or_else(|| set.find_syntax_by_extension(&extension.to_lowercase()))
            .or_else(|| set.find_syntax_by_first_line(first_line?));
        found.map_or(Self::Plain, |it| Self::named(it, set))
    }

    fn named(syntax: &SyntaxReference, set: &SyntaxSet) -> Self {
        match syntax.name.as_str() {
            "Plain Text" => Self::Plain,
            "Markdown" | "MultiMarkdown" => Self::Markdown,
            _ => {
                let at = set.syntaxes().iter().position(|it| std::ptr::eq(it, syntax));
                at.map_or(Self::Plain, Self::Shared)
            }
        }
    }

    /// The state before the first of `lines`, which are those of one side of a hunk.
    pub fn start<'a>(
        self,
        lines: impl Iterator<Item = &'a str> + Clone,
        set: &SyntaxSet,
        scopes: &mut Scopes,
    ) -> State {
        match self {
            Self::Plain => State::Plain,
            Self::Markdown => State::Markdown(Fence::at_start(lines)),
            Self::Shared(at) => {
                let syntax = &set.syntaxes()[at];
                let mut state =
                    State::Shared(Box::new((ParseState::new(syntax), ScopeStack::new())));
                let lead = lead(&syntax.name, lines);
                if !lead.is_empty() {
                    state.line(lead.trim_end(), set, scopes);
                }
                state
            }
        }
    }
}

impl State {
    /// The runs of the next line, displayed, without its line end.
    pub fn line(&mut self, line: &str, set: &SyntaxSet, scopes: &mut Scopes) -> Box<[Run]> {
        if line.len() > LONGEST {
            return Box::default();
        }
        match self {
            Self::Plain => Box::default(),
            Self::Markdown(fence) => fence.line(line),
            Self::Shared(state) => shared(state, line, set, scopes),
        }
    }
}

fn shared(
    (parse, stack): &mut (ParseState, ScopeStack),
    line: &str,
    set: &SyntaxSet,
    scopes: &mut Scopes,
) -> Box<[Run]> {
    let Ok(ops) = parse.parse_line(&format!("{line}\n"), set) else {
        return Box::default();
    };
    let mut runs: Vec<Run> = Vec::new();
    let mut from = 0;
    let mut end = 0;
    let mut push = |to: usize, class| {
        let to = to.min(line.len());
        if to > from {
            end += line[from..to].chars().count();
            from = to;
            match runs.last_mut().filter(|it| it.class == class) {
                Some(last) => last.end = end as u16,
                None => runs.push(Run { end: end as u16, class }),
            }
        }
    };
    let mut reached = 0;
    for (at, op) in &ops {
        // Many steps stand at one place; the scopes matter where there is text between two.
        if *at > reached {
            push(*at, scopes.class(stack.as_slice()));
            reached = *at;
        }
        if stack.apply(op).is_err() {
            return Box::default();
        }
    }
    push(line.len(), scopes.class(stack.as_slice()));
    runs.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::theme::Syntax;

    fn set() -> SyntaxSet {
        two_face::syntax::extra_newlines()
    }

    /// The class of each character, as one letter a class.
    fn classes(path: &str, text: &str) -> Vec<String> {
        let set = set();
        let mut scopes = Scopes::default();
        let grammar = Grammar::of(path, text.lines().next(), &set);
        let mut state = grammar.start(text.lines(), &set, &mut scopes);
        let lines = text.lines().map(|it| state.line(it, &set, &mut scopes));
        lines.map(|it| letters(&it)).collect()
    }

    fn letters(runs: &[Run]) -> String {
        let mut from = 0;
        let mut out = String::new();
        for run in runs {
            let letter = match run.class {
                None => '·',
                Some(Syntax::Comment) => '/',
                Some(Syntax::String) => '"',
                Some(Syntax::Keyword) => 'k',
                Some(Syntax::Function) => 'f',
                Some(Syntax::Number) => '1',
                Some(Syntax::Property) => 'p',
                Some(_) => 'x',
            };
            out.extend(std::iter::repeat_n(letter, usize::from(run.end - from)));
            from = run.end;
        }
        out
    }

    #[test]
    fn code_is_coloured() {
        let check = |path: &str, text: &str, expected: &[&str]| {
            assert_eq!(classes(path, text), expected, "{path}: {text}");
        };
        check("a.rs", "fn f() { 1 } // é", &["kk·fxx·x·1·x·////"]);
        check("a.py", "x = 'é' # no", &["··x·\"\"\"·////"]);
        check("x.json", "{\"a\": \"b\"}", &["xpppx·\"\"\"x"]);
        check("a.ts", "let a = `t`;", &["kkk···x·\"\"\"x"]);
        check("a.unknown", "let a", &[""]);
        check("bin/run", "#!/bin/sh", &["/////////"]);
    }

    #[test]
    fn a_hunk_inside_a_comment_or_a_string_does_not_leak() {
        let check = |path: &str, text: &str, expected: &[&str]| {
            let found = classes(path, text);
            let first: Vec<_> = found.iter().map(|it| it.chars().next().unwrap_or(' ')).collect();
            let expected: Vec<_> =
                expected.iter().map(|it| it.chars().next().expect("a letter")).collect();
            assert_eq!(first, expected, "{path}: {text}");
        };
        check("a.rs", "it's text\nmore */\nfn f() {}", &["/", "/", "k"]);
        check("a.java", "* it's text\n* more\n*/\nreturn 1;", &["/", "/", "/", "k"]);
        check("a.py", "it's text.\"\"\"\nreturn 1", &["/", "k"]);
        check("a.js", "it's text\n`;\nreturn 1", &["\"", "\"", "k"]);
    }

    #[test]
    fn a_long_line_stays_plain() {
        let long = format!("let a = {};", "1+".repeat(2_000));
        assert_eq!(classes("a.rs", &long), [""]);
    }
}
