//! Which characters a reader cannot see, or a terminal would obey, and how each is marked.
//! Must not measure or lay out; it judges one character with its neighbours.
//!
//! The lists: C0, DEL and C1; the twelve `Bidi_Control` points; characters of no width; the tag
//! block; fillers; variation selectors where they select nothing; and whatever the standard
//! library's table calls unprintable, which covers unassigned, private and format characters.

use std::fmt::Write as _;
use unicode_segmentation::UnicodeSegmentation as _;

pub(crate) const JOINER: char = '\u{200D}';
const NON_JOINER: char = '\u{200C}';
const KEYCAP: char = '\u{20E3}';

/// What becomes of one character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    /// Drawn as it is.
    Keep,
    /// Drawn as another character that looks the same.
    Stand(char),
    /// A control character: a terminal would act on it.
    Control,
    /// Drawn as nothing, or moves what stands around it.
    Hidden,
}

/// The fate of `c` when nothing around it can save it.
pub(crate) fn fate(c: char) -> Fate {
    match c {
        ' '..='~' => Fate::Keep,
        '\0'..='\u{1F}' | '\u{7F}'..='\u{9F}' => Fate::Control,
        // The half-width sound marks: ratatui gives each two cells where terminals give one, and
        // the cell between would keep what the last frame left in it. Their wide forms take two
        // cells everywhere.
        '\u{FF9E}' => Fate::Stand('\u{309B}'),
        '\u{FF9F}' => Fate::Stand('\u{309C}'),
        _ if hidden(c) => Fate::Hidden,
        _ => Fate::Keep,
    }
}

#[expect(clippy::match_same_arms, reason = "one arm a kind of character reads better")]
fn hidden(c: char) -> bool {
    match c {
        // Common scripts first, so that plain prose in them costs a comparison or two. None of
        // these holds an invisible or unassigned character.
        '\u{A0}'..='\u{AC}'
        | '\u{AE}'..='\u{2FF}'
        | '\u{400}'..='\u{52F}'
        | '\u{3041}'..='\u{3096}'
        | '\u{4E00}'..='\u{9FFF}'
        | '\u{AC00}'..='\u{D7A3}' => false,
        // Soft hyphen, the twelve bidi controls, characters of no width.
        '\u{AD}' | '\u{61C}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' => true,
        '\u{2060}'..='\u{206F}'
        | '\u{FEFF}'
        | '\u{2028}'
        | '\u{2029}'
        | '\u{FFF9}'..='\u{FFFB}' => true,
        // Fillers that look like nothing, the blank Braille cell among them.
        '\u{34F}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{3164}' => true,
        '\u{FFA0}' | '\u{2800}' => true,
        // Variation selectors and the whole plane of tags.
        '\u{180B}'..='\u{180F}' | '\u{FE00}'..='\u{FE0F}' | '\u{E0000}'..='\u{E0FFF}' => true,
        _ if c.is_whitespace() => false,
        _ => unprintable(c),
    }
}

/// Whether the standard library's table knows no printable character here. The letter in front
/// keeps combining marks, which are printable on a base, out of it.
fn unprintable(c: char) -> bool {
    let mut pair = [0_u8; 5];
    pair[0] = b'a';
    let len = 1 + c.encode_utf8(&mut pair[1..]).len();
    std::str::from_utf8(&pair[..len])
        .is_ok_and(|it| it.escape_debug().nth(1) == Some('\\') && c != '\\')
}

/// Whether `c`, hidden by itself, does honest work between its neighbours: a joiner between two
/// emoji, a selector behind a character that has such a form. `run` is what is kept before it.
pub(crate) fn earns_its_place(run: &str, c: char, after: Option<char>, prose: bool) -> bool {
    let Some(before) = run.chars().next_back() else { return false };
    match c {
        JOINER => {
            let base = run.chars().rfind(|it| !modifies(*it));
            let emoji = base.is_some_and(pictographic) && after.is_some_and(pictographic);
            prose && (emoji || virama(before))
        }
        // Persian and its neighbours cannot be spelled without it.
        NON_JOINER => prose && (virama(before) || arabic(before)),
        '\u{FE0E}' | '\u{FE0F}' => {
            pictographic(before) || (after == Some(KEYCAP) && "0123456789#*".contains(before))
        }
        '\u{FE00}'..='\u{FE02}' | '\u{E0100}'..='\u{E01EF}' => {
            matches!(before, '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{323AF}')
        }
        _ => false,
    }
}

/// The sign that takes a consonant's vowel away: behind it a joiner chooses the letter's form.
fn virama(c: char) -> bool {
    let main = [0x94D, 0x9CD, 0xA4D, 0xACD, 0xB4D, 0xBCD, 0xC4D, 0xCCD, 0xD4D, 0xDCA];
    main.contains(&(c as u32))
}

/// A letter of the Arabic script, which joins its neighbours.
fn arabic(c: char) -> bool {
    matches!(c, '\u{620}'..='\u{64A}' | '\u{66E}'..='\u{6D3}' | '\u{6FA}'..='\u{6FF}' | '\u{750}'..='\u{77F}')
}

/// A skin tone or an emoji selector, which may stand between an emoji and a joiner.
fn modifies(c: char) -> bool {
    matches!(c, '\u{FE0F}' | '\u{1F3FB}'..='\u{1F3FF}')
}

/// `Extended_Pictographic`, asked of the segmentation tables: only such a character, a joiner and
/// another emoji make one grapheme (rule GB11).
fn pictographic(c: char) -> bool {
    if c.is_ascii() {
        return false;
    }
    let probe: String = [c, JOINER, '\u{1F469}'].iter().collect();
    probe.graphemes(true).nth(1).is_none()
}

/// Writes the visible mark of a character that is not drawn as it is: the control pictures for
/// C0 and DEL, `<U+202E>` for the rest.
pub(crate) fn write_mark(out: &mut String, c: char) {
    match c {
        '\0'..='\u{1F}' => {
            let picture = char::from_u32(0x2400 + c as u32);
            out.push(picture.expect("control pictures are contiguous"));
        }
        '\u{7F}' => out.push('\u{2421}'),
        _ => write!(out, "<U+{:04X}>", c as u32).expect("writing to a String cannot fail"),
    }
}
