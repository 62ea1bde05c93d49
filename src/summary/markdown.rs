//! Untrusted text inside Markdown we write: shown whole, unable to break the page's structure.
//! Must not decide what is written.

use crate::domain::text::{Surface, display};

/// Prose on one line. Code spans stay code spans, everything else that Markdown or HTML would
/// act on is escaped.
pub fn prose(text: &str) -> String {
    let text = display(text, Surface::Inline);
    let text = text.trim();
    let paired = !text.contains("``") && text.matches('`').count().is_multiple_of(2);
    let mut out = String::with_capacity(text.len() + 8);
    for (at, part) in text.split('`').enumerate() {
        if at > 0 {
            out.push_str(if paired { "`" } else { "\\`" });
        }
        if paired && at % 2 == 1 {
            out.push_str(part);
        } else {
            escape(part, at == 0, &mut out);
        }
    }
    out
}

fn escape(text: &str, opens: bool, out: &mut String) {
    let chars: Vec<char> = text.chars().collect();
    for (at, it) in chars.iter().copied().enumerate() {
        let before = at.checked_sub(1).map(|it| chars[it]);
        let after = chars.get(at + 1).copied();
        let word = |it: Option<char>| it.is_some_and(char::is_alphanumeric);
        let acts = match it {
            '\\' | '*' | '~' => true,
            // A link needs "](" or "]["; no definitions stand on our pages.
            '[' => text.contains("](") || text.contains("][") || opens && at == 0,
            '_' => !(word(before) && word(after)),
            '<' => after.is_some_and(|it| it.is_alphabetic() || "/!?".contains(it)),
            '&' => after.is_some_and(|it| it.is_alphanumeric() || it == '#'),
            '#' | '>' | '+' | '-' | '=' => opens && at == 0,
            '.' | ')' => opens && chars[..at].iter().all(char::is_ascii_digit) && at > 0,
            _ => false,
        };
        if acts {
            out.push('\\');
        }
        out.push(it);
    }
}

/// Text whole in a code span, whatever backticks it holds.
pub fn code(text: &str) -> String {
    let text = display(text, Surface::Code { tab_width: 4 });
    let longest = text.split(|it| it != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let pad =
        if text.starts_with('`') || text.ends_with('`') || text.is_empty() { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// A block of text in a fence it cannot close, at most `room` characters; the cut is marked.
pub fn block(text: &str, room: usize) -> String {
    let shown = display(text, Surface::Prose);
    let kept: String = shown.chars().take(room).collect();
    let left = shown.chars().count() - kept.chars().count();
    let longest = kept.split(|it| it != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let cut = if left > 0 { format!("\n[… {left} characters left out]") } else { String::new() };
    format!("{fence}text\n{}{cut}\n{fence}\n", kept.trim_end())
}

#[cfg(test)]
mod tests {
    use crate::summary::markdown::{block, code, prose};

    #[test]
    fn structure_cannot_be_broken() {
        let check = |text: &str, expected: &str| assert_eq!(prose(text), expected, "{text}");
        check("plain words, max_size", "plain words, max_size");
        check("use `a*b` and *c*", "use `a*b` and \\*c\\*");
        check("odd ` tick", "odd \\` tick");
        check("```js", "\\`\\`\\`js");
        check("# head\n## more", "\\# head ## more");
        check("<script>x</script> [a](b)", "\\<script>x\\</script> \\[a](b)");
        check("1. item", "1\\. item");
        check("a &amp; b < c", "a \\&amp; b < c");
        assert!(!prose("\u{1b}[31mred").contains('\u{1b}'));
    }

    #[test]
    fn paths_stand_whole_in_code_spans() {
        assert_eq!(code("src/a b.rs"), "`src/a b.rs`");
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(code("`a"), "`` `a ``");
        assert!(!code("a\u{1b}b\u{202e}c").contains(['\u{1b}', '\u{202e}']));
    }

    #[test]
    fn a_block_cannot_be_closed_from_inside() {
        let it = block("a\n````\nb", 100);
        assert!(it.starts_with("`````text\n") && it.ends_with("`````\n"), "{it}");
        assert!(block("abcdef", 3).contains("[… 3 characters left out]"));
    }
}
