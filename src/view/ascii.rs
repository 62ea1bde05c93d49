//! The drawing characters of a screen in ASCII, one for one, for terminals without the others.
//! Must not touch code; what is left there and elsewhere, the painter shows as `?`, cell by cell.

use crate::view::line::Screen;

const TABLE: &[(char, char)] = &[
    ('│', '|'),
    ('─', '-'),
    ('┌', '+'),
    ('┐', '+'),
    ('└', '+'),
    ('┘', '+'),
    ('┃', '|'),
    ('┊', ':'),
    ('▌', '|'),
    ('▎', '|'),
    ('▐', '|'),
    ('▸', '>'),
    ('▾', 'v'),
    ('▶', '>'),
    ('⚑', '!'),
    ('✓', '*'),
    ('◌', 'o'),
    ('●', '@'),
    ('✗', 'x'),
    ('·', '.'),
    ('•', '-'),
    ('«', '<'),
    ('»', '>'),
    ('↪', '>'),
    ('→', '>'),
    ('←', '<'),
    ('−', '-'),
    ('…', '~'),
    ('⊘', '!'),
    ('×', 'x'),
    ('–', '-'),
    ('≈', '~'),
    ('⟨', '<'),
    ('⟩', '>'),
    ('“', '"'),
    ('”', '"'),
    ('„', '"'),
    ('‘', '\''),
    ('’', '\''),
    ('—', '-'),
    ('\u{a0}', ' '),
];

/// Replaces what has a replacement, outside code.
pub fn only(screen: &mut Screen) {
    let lines = screen.blocks.iter_mut().flat_map(|it| &mut it.lines);
    let spans = lines.flat_map(|it| &mut it.spans).filter(|it| it.code.is_none());
    for span in spans.filter(|it| !it.text.is_ascii()) {
        let plain = |it: char| TABLE.iter().find(|row| row.0 == it).map_or(it, |row| row.1);
        span.text = span.text.chars().map(plain).collect();
    }
}
