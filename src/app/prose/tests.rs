//! Comments in, lines of words out.

use crate::app::prose::{Mark, Setting, lay};

fn setting(width: usize) -> Setting<'static> {
    Setting { width, covered: None, open: &[] }
}

fn check(body: &str, width: usize, expected: &[&str]) {
    let lines: Vec<_> =
        lay(body, setting(width)).iter().map(crate::app::prose::Line::text).collect();
    assert_eq!(lines, expected, "{body}");
}

#[test]
fn blocks_read_as_on_the_forge() {
    check("one\ntwo", 40, &["one", "two"]);
    check("a *b* **c** `d`, e", 40, &["a b c d, e"]);
    check("one two three", 8, &["one two", "three"]);
    check("p\n\n- a\n- b\n  1. c\n\nq", 40, &["p", "", "• a", "• b", "  1. c", "", "q"]);
    check("> said\n> so\n\nno", 40, &["▎ said", "▎ so", "", "no"]);
    check("- [x] done\n- [ ] not", 40, &["• [x] done", "• [ ] not"]);
    check("```rust\nlet a;\n```", 40, &["  let a;"]);
    check("~~~~\n```\ninside\n```\n~~~~", 40, &["  ```", "  inside", "  ```"]);
    check("```\nopen to the end", 40, &["  open to the end"]);
    check("![a cat](https://x/y.png)", 40, &["[image: a cat]"]);
    check("[text](https://example.org)", 40, &["text"]);
    check("  \n\n", 40, &[]);
    check("漢字漢字漢字", 9, &["漢字漢字", "漢字"]);
    check("abcdefghijklmnop q", 8, &["abcdefgh", "ijklmnop", "q"]);
}

#[test]
fn a_blank_has_the_mark_it_was_written_with() {
    let check = |body: &str, expected: &[(&str, Mark)]| {
        let lines = lay(body, setting(40));
        let got: Vec<_> = lines[0].runs.iter().map(|it| (it.text.as_str(), it.mark)).collect();
        assert_eq!(got, expected, "{body}");
    };
    check("a `b` c", &[("a ", Mark::Plain), ("b", Mark::Code), (" c", Mark::Plain)]);
    check("`a b`", &[("a b", Mark::Code)]);
    check("`a` `b`", &[("a", Mark::Code), (" ", Mark::Plain), ("b", Mark::Code)]);
    check("`a` **b c**", &[("a", Mark::Code), (" ", Mark::Plain), ("b c", Mark::Strong)]);
}

#[test]
fn tables_stand_in_columns_when_they_fit() {
    let table = "| a | b |\n|---|---|\n| long cell | 2 |";
    check(table, 40, &["a         │ b", "─────────────", "long cell │ 2"]);
    check(table, 9, &["a │ b", "────────", "long cell", "│ 2"]);
}

#[test]
fn html_leaves_its_words_and_folds_its_details() {
    check("a<br>b <sub>c</sub> &lt;", 40, &["a", "b c <"]);
    check("<!-- secret -->", 60, &["<!-- 6 characters not shown -->"]);
    let body = "<details><summary>More</summary>\n\ninside\n\n<details>\n<summary>Deep</summary>\nx\n</details>\n\n</details>\n\nafter";
    check(body, 40, &["▸ More", "", "after"]);
    let open = Setting { open: &[0], ..setting(40) };
    let lines: Vec<_> = lay(body, open).iter().map(|it| (it.text(), it.details)).collect();
    let line = |text: &str, details| (text.to_owned(), details);
    assert_eq!(lines[0], line("▾ More", Some(0)));
    assert!(lines.contains(&line("inside", None)) && lines.contains(&line("▸ Deep", Some(1))));
    assert_eq!(lines.last(), Some(&line("after", None)));
}

#[test]
fn hostile_text_becomes_marks() {
    check("a\u{1b}[31mb", 40, &["a␛[31mb"]);
    check("&#27;[2J", 40, &["␛[2J"]);
    check("`\u{202e}x`", 40, &["<U+202E>x"]);
}

#[test]
fn nesting_made_to_hurt_costs_no_more_than_its_text() {
    let body = format!("{}a\n{}", ">".repeat(20_000), "b\n".repeat(5_000));
    let lines = lay(&body, setting(40));
    let runs: usize = lines.iter().map(|it| it.runs.len()).sum();
    assert!(lines.len() >= 5_000 && runs < 12 * lines.len(), "{runs} runs");
}

#[test]
fn suggestions_are_drawn_against_what_they_cover() {
    let covered = ["let a = 1;".to_owned(), "let b = 2;".to_owned()];
    let check = |body: &str, expected: &[(&str, Mark)]| {
        let lines = lay(body, Setting { covered: Some(&covered), ..setting(40) });
        let runs: Vec<_> = lines.iter().flat_map(|it| &it.runs).collect();
        let got: Vec<_> = runs.iter().map(|it| (it.text.as_str(), it.mark)).collect();
        assert_eq!(got, expected, "{body}");
    };
    check(
        "```suggestion\nlet a = 1;\nlet b = 3;\n```",
        &[
            ("suggestion", Mark::Muted),
            ("  let a = 1;", Mark::Block),
            ("- let b = 2;", Mark::Removed),
            ("+ let b = 3;", Mark::Added),
        ],
    );
    check(
        "```suggestion\n```",
        &[
            ("suggestion: deletes these lines", Mark::Muted),
            ("- let a = 1;", Mark::Removed),
            ("- let b = 2;", Mark::Removed),
        ],
    );
    let two = lay("```suggestion\nx\n```\n\n````suggestion\n```\n````", setting(60));
    let heads: Vec<_> =
        two.iter().map(crate::app::prose::Line::text).filter(|it| it.contains(" of ")).collect();
    assert_eq!(heads.len(), 2, "{two:?}");
}

proptest::proptest! {
    #[test]
    fn any_text_at_any_width_is_laid_out(body in "[a-z *_`#>|<!/\\-\n\u{202e}漢]{0,120}", width in 0..60_usize) {
        for line in lay(&body, setting(width)) {
            for run in line.runs {
                proptest::prop_assert!(!run.text.chars().any(char::is_control), "{:?}", run.text);
            }
        }
    }
}
