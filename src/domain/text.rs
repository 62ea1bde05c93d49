//! The one boundary for untrusted text: whatever a pull request or a model wrote becomes visible
//! cells here, and nowhere else. Must not lose anything silently: what cannot be shown is marked.
