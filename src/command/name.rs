//! Names of members inside a line.

/// A name as it is written in a command: in quotation marks.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{name}\"")
}
