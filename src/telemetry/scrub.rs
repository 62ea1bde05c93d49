//! Text without credentials: whatever has the form of one, and the exact values this process
//! knows, as they are and in the encodings in which they travel.
//! Must not print, and must not hand a value back.

use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD, URL_SAFE},
};
use std::{
    borrow::Cow,
    fmt::Write as _,
    sync::{LazyLock, PoisonError, RwLock},
};

/// What stands in place of a credential.
pub const HIDDEN: &str = "[credential removed]";

/// How credentials of the forges and models begin.
const FORMS: [&str; 14] = [
    "ghp_",
    "gho_",
    "ghu_",
    "ghs_",
    "ghr_",
    "github_pat_",
    "glpat-",
    "sk-",
    "xoxb-",
    "xoxp-",
    "AKIA",
    "AIza",
    "Bearer ",
    "x-access-token:",
];

/// Shorter runs after such a beginning are words, not credentials.
const LEAST: usize = 12;

/// Shorter values would take ordinary words away.
const SHORTEST: usize = 8;

/// How the names of variables end that hold a credential.
const SECRET_NAMES: [&str; 5] = ["TOKEN", "API_KEY", "SECRET", "PASSWORD", "ACCESS_KEY"];

/// Every spelling of every value this process knows, the longest first. It begins with what the
/// environment holds; sign-in adds the rest.
static LIVE: LazyLock<RwLock<Vec<String>>> = LazyLock::new(|| {
    let secret = |name: &str| SECRET_NAMES.iter().any(|it| name.to_uppercase().ends_with(it));
    let mut live = Vec::new();
    for (name, value) in std::env::vars_os() {
        if secret(&name.to_string_lossy())
            && let Ok(value) = value.into_string()
        {
            learn(&mut live, value.trim());
        }
    }
    RwLock::new(live)
});

/// From now on no text that passes here holds this value. `config::secret::Secret` calls it for
/// every secret there is.
pub fn register(value: &str) {
    learn(&mut LIVE.write().unwrap_or_else(PoisonError::into_inner), value);
}

/// The text with every known value, and everything that looks like a credential, replaced.
pub fn without_credentials(text: &str) -> Cow<'_, str> {
    let live = LIVE.read().unwrap_or_else(PoisonError::into_inner);
    let mut text = Cow::Borrowed(text);
    for value in live.iter() {
        if text.contains(value.as_str()) {
            text = Cow::Owned(text.replace(value.as_str(), HIDDEN));
        }
    }
    for form in FORMS {
        without_form(&mut text, form);
    }
    text
}

fn without_form(text: &mut Cow<'_, str>, form: &str) {
    let mut from = 0;
    while let Some(found) = text[from..].find(form) {
        let at = from + found;
        let tail = at + form.len();
        let is_part = |c: char| c.is_ascii_alphanumeric() || "_-./+=~%".contains(c);
        let length = text[tail..].find(|c| !is_part(c)).unwrap_or(text.len() - tail);
        let inside_word = text[..at].ends_with(|c: char| c.is_ascii_alphanumeric());
        if length < LEAST || inside_word {
            from = tail;
            continue;
        }
        *text = Cow::Owned([&text[..at], HIDDEN, &text[tail + length..]].concat());
        from = at + HIDDEN.len();
    }
}

fn learn(live: &mut Vec<String>, value: &str) {
    if value.len() < SHORTEST {
        return;
    }
    for spelling in spellings(value) {
        if !live.contains(&spelling) {
            live.push(spelling);
        }
    }
    // A short spelling inside a long one must not leave the rest of it standing.
    live.sort_by_key(|it| std::cmp::Reverse(it.len()));
}

/// A value as it may turn up: itself, in a URL, inside JSON, and in base64.
fn spellings(value: &str) -> Vec<String> {
    let mut all = vec![value.to_owned(), percent(value, false), percent(value, true)];
    let json = serde_json::to_string(value).expect("a text is JSON");
    all.push(json[1..json.len() - 1].to_owned());
    for engine in [&STANDARD, &URL_SAFE] {
        all.push(engine.encode(value).trim_end_matches('=').to_owned());
        // Behind other bytes (`user:token`) base64 looks different, by their number modulo three.
        // The letters at both ends mix with the neighbours and are left out.
        for before in 0..3 {
            let padded = [&vec![0; before], value.as_bytes()].concat();
            let whole = padded.len() / 3 * 3;
            let encoded = engine.encode(&padded[..whole]);
            all.push(encoded[if before == 0 { 0 } else { 4 }..].to_owned());
        }
    }
    all.retain(|it| it.len() >= SHORTEST);
    all.sort();
    all.dedup();
    all
}

/// Percent-encoded but for letters, digits and `-._~` (RFC 3986), with upper or lower hex digits.
fn percent(value: &str, lower: bool) -> String {
    let mut text = String::new();
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            text.push(char::from(byte));
        } else {
            let written =
                if lower { write!(text, "%{byte:02x}") } else { write!(text, "%{byte:02X}") };
            written.expect("text takes all");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use crate::telemetry::scrub::{HIDDEN, register, without_credentials};
    use base64::{
        Engine as _,
        engine::general_purpose::{STANDARD, URL_SAFE},
    };

    fn check(text: &str, expected: &str) {
        assert_eq!(without_credentials(text), expected);
    }

    #[test]
    fn each_known_form_is_taken_out() {
        for form in ["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "sk-", "glpat-"] {
            let token = format!("{form}aB3dE5fG7hI9jK1lM3nO5pQ7");
            check(&format!("x {token}, y"), &format!("x {HIDDEN}, y"));
            check(&format!("{{\"t\":\"{token}\"}}"), &format!("{{\"t\":\"{HIDDEN}\"}}"));
            check(&format!("https://me:{token}@host/"), &format!("https://me:{HIDDEN}@host/"));
        }
        check(
            "sk-1 ghp_short task-force risk-assessment-of-everything",
            "sk-1 ghp_short task-force risk-assessment-of-everything",
        );
    }

    /// A value with no form of its own, in every encoding and behind every number of bytes.
    #[test]
    fn a_registered_value_is_found_in_every_encoding() {
        let value = "Zw9/q\"Kx+7=vT2?mB8&end";
        register(value);
        register("Zw9");
        check("Zw9 is too short to be one", "Zw9 is too short to be one");
        check(&format!("a {value} b"), &format!("a {HIDDEN} b"));
        let json = serde_json::json!({ "it": value }).to_string();
        check(&json, &format!("{{\"it\":\"{HIDDEN}\"}}"));
        let url = "Zw9%2Fq%22Kx%2B7%3DvT2%3FmB8%26end";
        check(&format!("?t={url}&u"), &format!("?t={HIDDEN}&u"));
        check(&url.to_lowercase().replace("zw9", "Zw9"), &url.to_lowercase().replace("zw9", "Zw9"));
        check("Zw9%2fq%22Kx%2b7%3dvT2%3fmB8%26end", HIDDEN);
        for before in ["", "u", "us", "usr:", "x-access:", "some longer name:"] {
            for after in ["", "1", "12", "\n"] {
                for engine in [&STANDARD, &URL_SAFE] {
                    let encoded = engine.encode(format!("{before}{value}{after}"));
                    let shown = without_credentials(&encoded).into_owned();
                    assert!(shown.contains(HIDDEN), "{encoded} stayed");
                    // What stays besides is too little to be of use.
                    let rest = shown.replace(HIDDEN, "").len();
                    assert!(rest <= before.len() * 4 / 3 + after.len() * 4 / 3 + 12, "{shown}");
                }
            }
        }
    }

    #[test]
    fn a_value_inside_a_longer_one_leaves_nothing_behind() {
        register("inner-value-123");
        register("outer-inner-value-123-outer");
        check("outer-inner-value-123-outer", HIDDEN);
        check("inner-value-123", HIDDEN);
    }
}
