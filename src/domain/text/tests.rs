use crate::domain::text::{Surface, display};

#[test]
fn printable_ascii_is_borrowed() {
    assert!(matches!(display("plain", Surface::Prose), std::borrow::Cow::Borrowed("plain")));
}
