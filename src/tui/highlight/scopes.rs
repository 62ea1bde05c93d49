//! From the scope names grammars give to the few classes themes colour.
//! Must not know a grammar; the names are the convention editors share.

use crate::tui::theme::Syntax;
use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
};
use syntect::parsing::Scope;

/// What a scope says about the text in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Says {
    /// Nothing: ask the scope around it.
    Nothing,
    /// Plain, whatever stands around it (code inside a string).
    Plain,
    Class(Syntax),
}

/// Scope prefixes and their class. Of several that fit the longest one counts.
const TABLE: &[(&str, Says)] = {
    use Says::{Class, Nothing, Plain};
    &[
        ("source", Plain),
        ("meta.interpolation", Plain),
        ("meta.template.expression", Plain),
        ("text.html.embedded", Plain),
        ("comment", Class(Syntax::Comment)),
        ("string", Class(Syntax::String)),
        ("string.unquoted", Nothing),
        ("string.regexp", Class(Syntax::Escape)),
        ("punctuation.definition.string", Class(Syntax::String)),
        ("punctuation.definition.comment", Class(Syntax::Comment)),
        ("constant", Class(Syntax::Constant)),
        ("constant.numeric", Class(Syntax::Number)),
        ("constant.character.escape", Class(Syntax::Escape)),
        ("constant.other.placeholder", Class(Syntax::Escape)),
        ("keyword", Class(Syntax::Keyword)),
        ("keyword.operator", Class(Syntax::Operator)),
        ("keyword.operator.word", Class(Syntax::Keyword)),
        ("keyword.operator.logical.python", Class(Syntax::Keyword)),
        ("keyword.other.template", Class(Syntax::String)),
        ("keyword.other.substitution", Class(Syntax::Escape)),
        ("storage", Class(Syntax::Keyword)),
        ("storage.type.go", Class(Syntax::Type)),
        ("storage.modifier.lifetime", Class(Syntax::Attribute)),
        ("variable.language", Class(Syntax::Keyword)),
        ("variable.parameter", Class(Syntax::Parameter)),
        ("variable.function", Class(Syntax::Function)),
        ("variable.annotation", Class(Syntax::Attribute)),
        ("variable.other.member", Class(Syntax::Property)),
        ("variable.other.property", Class(Syntax::Property)),
        ("variable.other.object.property", Class(Syntax::Property)),
        ("meta.object-literal.key", Class(Syntax::Property)),
        ("meta.mapping.key", Class(Syntax::Property)),
        ("entity.name", Class(Syntax::Type)),
        ("entity.name.function", Class(Syntax::Function)),
        ("entity.name.method", Class(Syntax::Function)),
        ("entity.name.macro", Class(Syntax::Macro)),
        ("entity.name.label", Class(Syntax::Attribute)),
        ("entity.name.constant", Class(Syntax::Constant)),
        ("entity.name.namespace", Class(Syntax::Namespace)),
        ("entity.name.module", Class(Syntax::Namespace)),
        ("entity.name.tag", Class(Syntax::Tag)),
        ("entity.name.tag.toml", Class(Syntax::Property)),
        ("entity.name.tag.yaml", Class(Syntax::Property)),
        ("entity.name.section", Class(Syntax::Heading)),
        ("entity.other.inherited-class", Class(Syntax::Type)),
        ("entity.other.attribute-name", Class(Syntax::Attribute)),
        ("meta.annotation", Class(Syntax::Attribute)),
        ("meta.decorator", Class(Syntax::Attribute)),
        ("support", Class(Syntax::Type)),
        ("support.function", Class(Syntax::Function)),
        ("support.macro", Class(Syntax::Macro)),
        ("support.constant", Class(Syntax::Constant)),
        ("support.variable", Class(Syntax::Property)),
        ("support.type.property-name", Class(Syntax::Property)),
        ("support.module", Class(Syntax::Namespace)),
        ("punctuation", Class(Syntax::Punctuation)),
        ("punctuation.definition.annotation", Class(Syntax::Attribute)),
        ("punctuation.section.interpolation", Class(Syntax::Escape)),
        ("markup.heading", Class(Syntax::Heading)),
        ("markup.bold", Class(Syntax::Bold)),
        ("markup.italic", Class(Syntax::Emphasis)),
        ("markup.raw", Class(Syntax::Raw)),
        ("markup.underline.link", Class(Syntax::Link)),
        ("markup.inserted", Class(Syntax::Inserted)),
        ("markup.deleted", Class(Syntax::Deleted)),
    ]
};

/// The table with the answers found so far; there are a few hundred scopes in use.
#[derive(Debug, Default)]
pub struct Scopes {
    known: HashMap<Scope, Says, BuildHasherDefault<Mix>>,
}

/// A scope is two numbers already, and looked up several times a word: mixing them is enough.
#[derive(Debug, Default)]
struct Mix(u64);

impl Hasher for Mix {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u64(&mut self, it: u64) {
        self.0 = (self.0.rotate_left(29) ^ it).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }
}

impl Scopes {
    /// The class of text inside these scopes, outermost first.
    pub fn class(&mut self, stack: &[Scope]) -> Option<Syntax> {
        for at in (0..stack.len()).rev() {
            match self.says(stack[at]) {
                Says::Nothing => {}
                Says::Plain => return None,
                Says::Class(Syntax::String) if self.is_key(&stack[..at]) => {
                    return Some(Syntax::Property);
                }
                Says::Class(it) => return Some(it),
            }
        }
        None
    }

    /// Whether a string stands as a key, as in JSON.
    fn is_key(&mut self, around: &[Scope]) -> bool {
        let around = around.iter().rev().take(2);
        around.into_iter().any(|it| self.says(*it) == Says::Class(Syntax::Property))
    }

    fn says(&mut self, scope: Scope) -> Says {
        *self.known.entry(scope).or_insert_with(|| look_up(&scope.build_string()))
    }
}

fn look_up(scope: &str) -> Says {
    let fits = |prefix: &str| {
        scope.strip_prefix(prefix).is_some_and(|it| it.is_empty() || it.starts_with('.'))
    };
    let best = TABLE.iter().filter(|it| fits(it.0)).max_by_key(|it| it.0.len());
    best.map_or(Says::Nothing, |it| it.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_scope_that_says_something_counts() {
        let check = |scopes: &str, expected: Option<Syntax>| {
            let stack: Vec<_> =
                scopes.split(' ').map(|it| Scope::new(it).expect("a scope")).collect();
            assert_eq!(Scopes::default().class(&stack), expected, "{scopes}");
        };
        check("source.rust", None);
        check("source.rust comment.line.double-slash.rust", Some(Syntax::Comment));
        check("source.rust meta.block.rust keyword.operator.rust", Some(Syntax::Operator));
        check("source.js string.template.js meta.interpolation.js", None);
        check("source.js string.quoted.js constant.character.escape.js", Some(Syntax::Escape));
        check("source.json meta.mapping.key.json string.quoted.json", Some(Syntax::Property));
        check("source.json meta.mapping.value.json string.quoted.json", Some(Syntax::String));
        check("source.x stringly.y", None);
    }
}
