//! What a GraphQL answer is: data, perhaps only in part, and errors with their kind and place.
//! Must not judge the errors; `answer` does.

use serde::Deserialize;
use serde_json::Value;

/// A GraphQL answer, taken apart.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Envelope {
    /// `None`: absent or null. Parts of it may be null where an error stands.
    pub data: Option<Value>,
    pub errors: Vec<Fault>,
}

/// One error of an answer.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
pub struct Fault {
    /// `NOT_FOUND`, `FORBIDDEN`, `RATE_LIMITED`, … as GitHub spells it; it sends it at the top of
    /// an error, not among the extensions.
    #[serde(default, rename = "type")]
    pub kind: Option<String>,
    #[serde(default)]
    pub message: Option<String>,
    /// Field names and list indices down to what is missing.
    #[serde(default)]
    pub path: Option<Vec<Value>>,
    #[serde(default)]
    pub extensions: Option<Value>,
}

/// Why a body is no GraphQL answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EnvelopeError {
    #[error("the answer is not JSON ({0})")]
    NotJson(String),
    #[error("the answer has neither data nor errors")]
    Neither,
}

impl Envelope {
    /// Takes an answer's body apart. What of an error has another form than GitHub's is left out
    /// of it; the error itself stays.
    pub fn read(body: &[u8]) -> Result<Self, EnvelopeError> {
        let value: Value =
            serde_json::from_slice(body).map_err(|it| EnvelopeError::NotJson(it.to_string()))?;
        let Value::Object(mut fields) = value else { return Err(EnvelopeError::Neither) };
        let (data, errors) = (fields.remove("data"), fields.remove("errors"));
        let errors: Vec<Fault> = match errors {
            Some(Value::Array(list)) => list.into_iter().map(fault).collect(),
            // `{"message": "Bad credentials"}` is how a request without sign-in is refused.
            _ => fields.remove("message").map(fault).into_iter().collect(),
        };
        let data = data.filter(|it| !it.is_null());
        if data.is_none() && errors.is_empty() {
            return Err(EnvelopeError::Neither);
        }
        Ok(Self { data, errors })
    }

    /// A part of the data, out of reach of a null on the way.
    pub fn at(&self, path: &[&str]) -> Option<&Value> {
        let mut at = self.data.as_ref()?;
        for name in path {
            at = at.get(name)?;
        }
        (!at.is_null()).then_some(at)
    }

    /// Takes a part of the data out.
    pub fn take(&mut self, path: &[&str]) -> Option<Value> {
        let mut at = self.data.as_mut()?;
        for name in path {
            at = at.get_mut(name)?;
        }
        Some(at.take()).filter(|it| !it.is_null())
    }
}

fn fault(value: Value) -> Fault {
    match value {
        Value::String(message) => Fault { message: Some(message), ..Fault::default() },
        Value::Object(ref fields) => {
            let text = |name: &str| fields.get(name).and_then(Value::as_str).map(str::to_owned);
            let inner = fields.get("extensions");
            let kind = text("type").or_else(|| {
                Some(inner?.get("type").or_else(|| inner?.get("code"))?.as_str()?.to_owned())
            });
            Fault {
                kind,
                message: text("message"),
                path: fields.get("path").and_then(Value::as_array).cloned(),
                extensions: inner.cloned(),
            }
        }
        other => Fault { message: Some(other.to_string()), ..Fault::default() },
    }
}

#[cfg(test)]
mod tests {
    use crate::forge::github::envelope::Envelope;

    fn check(body: &str, expected: &str) {
        let got = match Envelope::read(body.as_bytes()) {
            Err(error) => error.to_string(),
            Ok(it) => {
                let kinds = it.errors.iter().map(|it| it.kind.as_deref().unwrap_or("-"));
                let kinds: Vec<_> = kinds.collect();
                let data = if it.data.is_some() { "data" } else { "no data" };
                format!("{data}, errors [{}]", kinds.join(" "))
            }
        };
        assert_eq!(got, expected, "{body}");
    }

    #[test]
    fn partial_data_and_kinds_are_kept() {
        check(r#"{"data":{"a":1}}"#, "data, errors []");
        check(
            r#"{"data":{"a":null},"errors":[{"type":"FORBIDDEN","path":["a"]}]}"#,
            "data, errors [FORBIDDEN]",
        );
        check(
            r#"{"data":{"a":[1,null]},"errors":[{"message":"x","path":["a",1]}]}"#,
            "data, errors [-]",
        );
        check(
            r#"{"errors":[{"type":"RATE_LIMITED","message":"x"}]}"#,
            "no data, errors [RATE_LIMITED]",
        );
        check(r#"{"data":null,"errors":[{"message":"x"}]}"#, "no data, errors [-]");
        check(r#"{"data":{"a":1},"errors":[]}"#, "data, errors []");
        check(
            r#"{"data":{"a":1},"errors":[{"extensions":{"code":"undefinedField"}}]}"#,
            "data, errors [undefinedField]",
        );
        check(r#"{"message":"Bad credentials","status":"401"}"#, "no data, errors [-]");
        check(r#"{"data":null}"#, "the answer has neither data nor errors");
        check("[]", "the answer has neither data nor errors");
        check("<html>", "the answer is not JSON (expected value at line 1 column 1)");
        check(
            r#"{"data":{"#,
            "the answer is not JSON (EOF while parsing an object at line 1 column 9)",
        );
    }
}
