//! What stands over a screen and takes the keys: typed lines, pickers, questions.
//! Must not nest: a prompt is state, not a loop.

use crate::app::{
    action::{Action, Scope, TABLE},
    correct::Editor,
    event::{Found, Request},
    fuzzy,
    input::Input,
    keymap::Keymap,
    reader::At,
};

/// The open prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Prompt {
    /// A search as it is typed; `before` is where Esc goes back to.
    Search {
        input: Input,
        before: At,
    },
    /// The filter of the list on the screen; `before` is what Esc restores.
    Filter {
        input: Input,
        before: String,
    },
    Command {
        input: Input,
    },
    /// A target to open; `fault` says what is wrong with what was typed.
    Add {
        input: Input,
        fault: Option<&'static str>,
    },
    Picker(Picker),
    /// A person corrects a summary.
    Correct(Box<Editor>),
    Question(Question),
    /// How things are set up, to be read; `found` comes when the request is answered.
    Setup {
        request: Request,
        found: Option<Vec<Found>>,
    },
}

/// A list of commands, narrowed by typing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picker {
    pub kind: PickerKind,
    pub input: Input,
    pub picked: usize,
    /// Everything that works where it was opened.
    pub choices: Vec<Action>,
    /// What the typed text keeps, best first.
    pub kept: Vec<Action>,
}

/// Which list it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PickerKind {
    Help,
    Palette,
}

/// A question that waits for one key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    /// Tasks run, or something is not saved.
    Quit,
}

impl Picker {
    /// The commands that work in these scopes.
    pub fn of(kind: PickerKind, scopes: &[Scope]) -> Self {
        let mut choices: Vec<Action> = Vec::new();
        for scope in scopes {
            let works = TABLE.iter().filter(|it| it.scopes.contains(scope));
            for entry in works {
                if !choices.contains(&entry.action) {
                    choices.push(entry.action);
                }
            }
        }
        Self { kind, input: Input::default(), picked: 0, kept: choices.clone(), choices }
    }

    /// Narrows the list to what the typed text fits.
    pub fn sift(&mut self, keymap: &Keymap) {
        let texts = self.choices.iter().map(|it| {
            let entry = it.entry();
            format!("{} {} {}", entry.name, entry.help, keymap.keys_of(*it).join(" "))
        });
        let kept = fuzzy::rank(&self.input.text, texts);
        self.kept = kept.into_iter().map(|it| self.choices[it]).collect();
        self.picked = 0;
    }

    pub fn step(&mut self, rows: i64) {
        let last = self.kept.len().saturating_sub(1);
        self.picked = self.picked.saturating_add_signed(rows as isize).min(last);
    }
}

impl Prompt {
    /// Whether a summary is being corrected.
    pub fn is_correct(&self) -> bool {
        matches!(self, Self::Correct(_))
    }

    /// The theme a command line names as it is typed: what the screen is painted with until then.
    pub fn theme(&self) -> Option<&str> {
        let Self::Command { input } = self else { return None };
        let name = input.text.trim_start().strip_prefix("theme ")?.trim();
        Some(name).filter(|it| !it.is_empty())
    }

    /// The line that is typed into, if there is one.
    pub fn input(&mut self) -> Option<&mut Input> {
        match self {
            Self::Search { input, .. }
            | Self::Filter { input, .. }
            | Self::Command { input }
            | Self::Add { input, .. } => Some(input),
            Self::Picker(picker) => Some(&mut picker.input),
            Self::Correct(_) | Self::Question(_) | Self::Setup { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::app::{input::Input, prompt::Prompt};

    #[test]
    fn a_command_line_names_the_theme_it_shows() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(Prompt::Command { input: Input::of(text) }.theme(), expected, "{text}");
        };
        check("theme dusk", Some("dusk"));
        check(" theme  dusk ", Some("dusk"));
        check("theme", None);
        check("theme ", None);
        check("themes", None);
        check("open theme dusk", None);
        assert_eq!(Prompt::Add { input: Input::of("theme dusk"), fault: None }.theme(), None);
    }
}
