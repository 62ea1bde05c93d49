use crate::export::html::{prose::markdown, writer::Html};
use proptest::prelude::*;

fn render(body: &str) -> String {
    let mut html = Html::default();
    markdown(&mut html, body, &None);
    html.finish()
}

fn check(body: &str, expected: &str) {
    assert_eq!(render(body), expected, "{body}");
}

#[test]
fn writes_markdown() {
    check("a *b* **c** `d`", "<p>a <em>b</em> <b>c</b> <code>d</code></p>");
    check("a\nb", "<p>a<br>b</p>");
    check("- a\n- b", "<ul><li>a</li><li>b</li></ul>");
    check("3. a", "<ol start=\"3\"><li>a</li></ol>");
    check("# a", "<h5>a</h5>");
    check(
        "|a|b|\n|-|-:|\n|1|2|",
        "<table><tr><th>a</th><th class=\"right\">b</th></tr><tr><td>1</td><td class=\"right\">2</td></tr></table>",
    );
    check("```rust\nlet a = 1 < 2;\n```", "<pre class=\"code\">let a = 1 &lt; 2;\n</pre>");
    check("```diff\n-a\n+b\n```", "<pre class=\"code\"><del>-a</del>\n<ins>+b</ins>\n</pre>");
    check("- [x] a", "<ul><li>☑ a</li></ul>");
}

#[test]
fn links_and_images_fetch_nothing() {
    check(
        "[a](https://a.example)",
        "<p><a rel=\"noreferrer noopener\" href=\"https://a.example\">a</a></p>",
    );
    check("[a](javascript:x)", "<p><span class=\"dead\">a</span></p>");
    check(
        "![a](https://a.example/x.png)",
        "<p><span class=\"image\">🖼 <a rel=\"noreferrer noopener\" href=\"https://a.example/x.png\">a</a></span></p>",
    );
    check("![a](data:x)", "<p><span class=\"image\">🖼 a</span></p>");
    check("<img src=x onerror=alert(1) alt=\"cat\">", "<span class=\"image\">🖼 cat</span>");
}

#[test]
fn raw_html_is_a_fixed_vocabulary() {
    check(
        "<details open onclick=x><summary>S</summary>\n\n**b**\n\n</details>",
        "<details><summary>S</summary>\n<p><b>b</b></p></details>",
    );
    check(
        "a <script>alert(1)</script>",
        "<p>a <code>&lt;script&gt;</code>alert(1)<code>&lt;/script&gt;</code></p>",
    );
    check("<b>a</i></b>", "<p><b>a</b></p>");
    check("x <!-- secret --> y", "<p>x <i class=\"mark\">‹hidden comment, 6 characters›</i> y</p>");
    check("<div align=\"center\">\n\na\n\n</div>", "\n<p>a</p>");
}

#[test]
fn a_comment_stays_in_its_box() {
    check("</details></article>a", "<code>&lt;/article&gt;</code>a");
    check("<details>\n\n- a </details> b", "<details>\n<ul><li>a  b</li></ul></details>");
    check("- <b>a\n\nb", "<ul><li><b>a</b></li></ul><p>b</p>");
}

#[test]
fn suggestions_are_changes() {
    let mut html = Html::default();
    let covered = Some(vec!["old();".into()]);
    markdown(&mut html, "```suggestion\nnew();\n```", &covered);
    assert_eq!(
        html.finish(),
        "<div class=\"suggestion\"><b>Suggestion</b><pre class=\"code\"><del>−old();</del>\n<ins>+new();</ins>\n</pre></div>"
    );
    assert!(render("```suggestion\n```").contains("deletes these lines"));
    let fenced = render("````suggestion\n```sh\nx\n```\n````");
    assert!(fenced.contains("<ins>+```sh</ins>"), "{fenced}");
}

/// Panics unless every element of `html` closes in order; gives the names that occur.
fn balanced(html: &str) -> Vec<&str> {
    let (mut stack, mut names, mut rest) = (Vec::new(), Vec::new(), html);
    while let Some(at) = rest.find('<') {
        let end = rest[at..].find('>').expect("a tag ends") + at;
        let tag = &rest[at + 1..end];
        let name = tag.trim_start_matches('/').split(' ').next().expect("a name");
        if tag.starts_with('/') {
            assert_eq!(stack.pop(), Some(name), "{html}");
        } else if !["br", "hr"].contains(&name) {
            stack.push(name);
            names.push(name);
        }
        rest = &rest[end + 1..];
    }
    assert!(stack.is_empty(), "{html}");
    names
}

fn hostile() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "<details>",
        "</details>",
        "<summary>",
        "</summary>",
        "<b>",
        "</b>",
        "</article>",
        "<script>",
        "<!--",
        "-->",
        "<img src=x>",
        "<a href=\"javascript:x\">",
        "</a>",
        "- ",
        "> ",
        "\n",
        "\n\n",
        "```",
        "````suggestion\n",
        "|a|\n|-|\n",
        "**",
        "_",
        "[x](",
        "https://a.example",
        ")",
        "![",
        "](",
        "text ",
        "\u{1b}[31m",
        "\u{202e}",
        "&lt;",
        "\"",
        "'",
        "`",
        "    ",
        "1. ",
        "# ",
        "<",
        ">",
        "~~",
    ]);
    prop::collection::vec(piece, 0..40).prop_map(|it| it.concat())
}

proptest! {
    #[test]
    fn any_comment_is_balanced_and_of_the_vocabulary(body in hostile()) {
        const KNOWN: [&str; 28] = [
            "p", "b", "em", "del", "ins", "code", "pre", "i", "a", "span", "div", "ul", "ol", "li", "h5", "h6",
            "blockquote", "table", "tr", "td", "th", "details", "summary", "sub", "sup", "kbd", "hr", "br",
        ];
        let html = render(&body);
        for name in balanced(&html) {
            prop_assert!(KNOWN.contains(&name), "{name} in {html}");
        }
        prop_assert!(!html.contains("javascript:x\""), "{html}");
        prop_assert!(!html.chars().any(|it| it.is_control() && it != '\n'), "{html:?}");
    }
}
