//! What a hunk begins inside of. A hunk shows the middle of a file, so it may open in a comment
//! or a string whose start is not shown; colours would then be inside out. Must not parse: these
//! are cheap guesses from the hunk's own lines, and no guess leaves the grammar's start state.

/// What to feed a grammar before the first line, so that it stands where the hunk does.
/// `language` is the grammar's name; `lines` are those of one side, from the hunk's start.
pub fn lead<'a>(language: &str, lines: impl Iterator<Item = &'a str> + Clone) -> &'static str {
    match language {
        "PHP" if !inline_php(lines.clone()) => {
            let inside = inside_block(lines, "/*", "*/") == Some(true);
            if inside { "<?php /*\n" } else { "<?php\n" }
        }
        "HTML" | "XML" | "Vue" | "Svelte" => match inside_block(lines, "<!--", "-->") {
            Some(true) => {
                "<!--
"
            }
            _ => "",
        },
        "Python" => ["\"\"\"", "'''"]
            .into_iter()
            .find(|it| inside_quotes(lines.clone(), it, closes_docstring))
            .map_or("", |it| if it == "'''" { "'''\n" } else { "\"\"\"\n" }),
        it if SLASH_STAR.contains(&it) => {
            let starred = || lines.clone().next().is_some_and(is_doc_line);
            let comment = inside_block(lines.clone(), "/*", "*/").unwrap_or_else(starred);
            let template = |it: &str| it.starts_with("JavaScript") || it.starts_with("TypeScript");
            if comment {
                "/*\n"
            } else if template(it) && inside_quotes(lines, "`", closes_template) {
                "`\n"
            } else {
                ""
            }
        }
        _ => "",
    }
}

/// Grammars whose block comments are `/* … */`.
const SLASH_STAR: &[&str] = &[
    "Rust",
    "C",
    "C++",
    "C#",
    "CSS",
    "D",
    "Dart",
    "Go",
    "GraphQL",
    "Groovy",
    "Java",
    "JavaScript",
    "JavaScript (Babel)",
    "Kotlin",
    "Less",
    "LESS",
    "Objective-C",
    "Objective-C++",
    "Protocol Buffer",
    "SCSS",
    "SQL",
    "Scala",
    "Swift",
    "TypeScript",
    "TypeScriptReact",
];

/// `Some(true)` when the block's end comes before any start of one; `None` when neither comes.
fn inside_block<'a>(
    lines: impl Iterator<Item = &'a str>,
    opens: &str,
    closes: &str,
) -> Option<bool> {
    for line in lines {
        match (line.find(opens), line.find(closes)) {
            (None, Some(_)) => return Some(true),
            (Some(open), Some(close)) => return Some(close < open),
            (Some(_), None) => return Some(false),
            (None, None) => {}
        }
    }
    None
}

/// ` * text`, as the lines of a doc comment go on. A pointer or a product has no blank after it.
fn is_doc_line(line: &str) -> bool {
    let line = line.trim();
    line == "*" || line.starts_with("* ") && !line.ends_with([';', '{', ','])
}

/// Whether the first of an odd number of quotes closes what began before the hunk.
fn inside_quotes<'a>(
    lines: impl Iterator<Item = &'a str> + Clone,
    quote: &str,
    closes: impl Fn(Option<&str>, &str, &str) -> bool,
) -> bool {
    let odd = lines.clone().map(|it| it.matches(quote).count()).sum::<usize>() % 2 == 1;
    if !odd {
        return false;
    }
    let mut above = None;
    for line in lines {
        if let Some((before, after)) = line.split_once(quote) {
            return closes(above, before, after);
        }
        above = Some(line).filter(|it| !it.trim().is_empty()).or(above);
    }
    false
}

/// A docstring's end has its text before it; its start stands first, under a `def` or an `=`.
fn closes_docstring(above: Option<&str>, before: &str, after: &str) -> bool {
    let before = before.trim();
    if !before.is_empty() {
        return after.trim().is_empty() && !before.ends_with(['=', '(', ',', '[', 'r', 'f', 'b']);
    }
    after.trim().is_empty() && above.is_some_and(|it| !it.trim_end().ends_with([':', '(', '=']))
}

/// A template's end is followed by what ends an expression; its start follows what begins one.
fn closes_template(_above: Option<&str>, before: &str, after: &str) -> bool {
    let follows = after.trim_start().starts_with([';', ')', ',', ']', '}']);
    let begins = before.trim_end().ends_with(['=', '(', '[', ',', ':', '{', '+', '?', '>', '|']);
    let words = ["return", "html", "css", "gql", "sql", "graphql", "raw"];
    let tagged = words.iter().any(|it| before.trim_end().ends_with(it));
    !begins && !tagged && (follows || after.trim().is_empty())
}

/// Whether the lines say themselves where PHP begins.
fn inline_php<'a>(mut lines: impl Iterator<Item = &'a str>) -> bool {
    lines.any(|it| it.contains("<?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hunk_that_begins_inside_something_is_found_out() {
        let check = |language: &str, text: &str, expected: &str| {
            assert_eq!(lead(language, text.lines()), expected, "{language}: {text}");
        };
        check("Rust", "text of it\n   */\nfn f() {}", "/*\n");
        check("Rust", "fn f() {}\n/* x */", "");
        check("Rust", "/* x\n*/", "");
        check("Java", " * says what\n * it does", "/*\n");
        check("C", "* pointer = 1;", "");
        check("Rust", "let a = b\n    * c;", "");
        check("HTML", "old -->\n<p>", "<!--\n");
        check("Python", "    ends here.\"\"\"\n    x = 1", "\"\"\"\n");
        check("Python", "def f():\n    \"\"\"Starts here\n    and", "");
        check("Python", "    prose\n    \"\"\"\n    x = 1", "\"\"\"\n");
        check("Python", "def f():\n    \"\"\"\n    prose", "");
        check("Python", "    '''Whole.'''\n    x", "");
        check("TypeScript", "  text ${a}\n`;\nlet b = 1", "`\n");
        check("TypeScript", "let a = `text\n  more", "");
        check("TypeScript", "let a = `text`;", "");
        check("TypeScript", "return html`<p>\n", "");
        check("PHP", "$a = 1;", "<?php\n");
        check("PHP", "of it */\n$a = 1;", "<?php /*\n");
        check("PHP", "<?php echo 1 ?>", "");
        check("JSON", "*/", "");
    }
}
