//! A secret: a token or key. It shows itself nowhere: no form of printing or serialising gives its
//! content, and from its first moment the scrubber takes it out of every text.
//! Must not decide where a secret may go; whoever calls `expose` does, once, at the wire.

use crate::telemetry::scrub;
use secrecy::{ExposeSecret as _, SecretString};
use std::fmt;

/// A token or key. Its memory is wiped when it goes.
#[derive(Clone)]
pub struct Secret(SecretString);

impl Secret {
    /// Takes a secret in. White space around it (the newline of a file or of a helper's answer) is
    /// not part of it. `None` when nothing is left.
    pub fn new(value: &str) -> Option<Self> {
        let value = value.trim();
        if value.is_empty() {
            return None;
        }
        scrub::register(value);
        Some(Self(SecretString::from(value)))
    }

    /// The content, for the one header it belongs in.
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }

    /// A copy for the client that puts it into that header, as secret as this one.
    pub fn for_wire(&self) -> SecretString {
        self.0.clone()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use crate::{config::secret::Secret, telemetry::clean};

    #[test]
    fn it_shows_itself_nowhere() {
        let secret = Secret::new(" k7Qz-unformed-canary\n").expect("something");
        assert_eq!(secret.expose(), "k7Qz-unformed-canary");
        assert_eq!(
            format!("{secret:?} {:#?}", Some(&secret)),
            "Secret(…) Some(\n    Secret(…),\n)"
        );
        assert_eq!(clean("told k7Qz-unformed-canary"), "told [credential removed]");
        assert!(Secret::new(" \n").is_none());
    }

    /// Does not compile once a secret can be printed or serialised: then two traits fit.
    const _: fn() = || {
        trait Otherwise<Way> {
            fn only_one_fits() {}
        }
        struct Printed;
        struct Serialised;
        impl<T> Otherwise<()> for T {}
        impl<T: std::fmt::Display> Otherwise<Printed> for T {}
        impl<T: serde::Serialize> Otherwise<Serialised> for T {}
        let _ = <Secret as Otherwise<_>>::only_one_fits;
    };
}
