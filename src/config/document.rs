//! The file as TOML with the line of every value.
//!
//! Knows how to find a section, read one value of a plain type and point at its line; checks that every name in the
//! file is known. Refuses to know defaults, paths and the meaning of values.

use std::ops::RangeInclusive;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::config::error::ConfigError;
use crate::config::keys;

/// The parsed file.
pub(super) struct Document<'a> {
    file: &'a Path,
    text: &'a str,
    root: DeTable<'a>,
}

impl<'a> Document<'a> {
    /// Parses the text and checks all its names.
    ///
    /// # Errors
    /// Text that is not TOML, and every section or key that this program does not know.
    pub(super) fn parse(file: &'a Path, text: &'a str) -> Result<Document<'a>, ConfigError> {
        let root = DeTable::parse(text).map_err(|error| {
            let line = line_of(text, error.span().map_or(0, |span| span.start));
            let why = error.message().replace('\n', ", ");
            ConfigError::at(
                file,
                line,
                format!("this is not TOML ({why}); correct the line"),
            )
        })?;
        let document = Document {
            file,
            text,
            root: root.into_inner(),
        };
        document.check_names("", &document.root)?;
        Ok(document)
    }

    fn check_names(&self, above: &str, table: &DeTable<'_>) -> Result<(), ConfigError> {
        // The map is sorted by name; people correct a file from the top.
        let mut entries: Vec<_> = table.iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        for (key, value) in entries {
            let line = line_of(self.text, key.span().start);
            let word: &str = key.get_ref();
            if keys::keys_of(above).is_some_and(|known| known.contains(&word)) {
                continue;
            }
            let name = if above.is_empty() {
                word.to_owned()
            } else {
                format!("{above}.{word}")
            };
            match value.get_ref() {
                DeValue::Table(inner) if keys::leads_to_section(&name) => {
                    self.check_names(&name, inner)?;
                }
                _ if keys::leads_to_section(&name) => {
                    let nearest = keys::nearest_section(&name);
                    return Err(ConfigError::at(
                        self.file,
                        line,
                        format!(
                            "{name} is a section, not a key; write [{nearest}] on a line of its own"
                        ),
                    ));
                }
                DeValue::Table(_) => {
                    let nearest = keys::nearest_section(&name);
                    return Err(ConfigError::at(
                        self.file,
                        line,
                        format!(
                            "[{name}] is not a section of this program; the nearest one is [{nearest}]"
                        ),
                    ));
                }
                _ => {
                    let nearest = keys::nearest_key(above, word);
                    return Err(ConfigError::at(
                        self.file,
                        line,
                        format!(
                            "{name} is not a key of this program; the nearest one is {nearest}"
                        ),
                    ));
                }
            }
        }
        Ok(())
    }

    /// The section of that dotted name, which may be absent from the file.
    pub(super) fn section(&self, name: &'static str) -> Section<'_> {
        let mut table = Some(&self.root);
        let mut line = None;
        for part in name.split('.') {
            let entry = table.and_then(|table| entry_of(table, part));
            line = entry.map(|(key, _)| line_of(self.text, key));
            table = entry.and_then(|(_, value)| value.get_ref().as_table());
        }
        Section {
            file: self.file,
            text: self.text,
            name,
            table,
            line,
        }
    }
}

/// One section, present or not.
pub(super) struct Section<'a> {
    file: &'a Path,
    text: &'a str,
    name: &'static str,
    table: Option<&'a DeTable<'a>>,
    line: Option<usize>,
}

/// A value, with all that is needed to complain about it.
pub(super) struct Found<'a, T> {
    /// The value as read.
    pub(super) value: T,
    /// The file that it stands in.
    pub(super) file: &'a Path,
    /// Its line, counted from 1.
    pub(super) line: usize,
    /// The dotted name of its key.
    pub(super) key: String,
}

impl<T> Found<'_, T> {
    /// The error `file:line: key …`; `what` goes on with the sentence after the key's name.
    pub(super) fn wrong(&self, what: impl AsRef<str>) -> ConfigError {
        ConfigError::at(
            self.file,
            self.line,
            format!("{} {}", self.key, what.as_ref()),
        )
    }
}

impl<'a> Section<'a> {
    /// Whether the file has this section.
    pub(super) fn is_present(&self) -> bool {
        self.table.is_some()
    }

    /// An error about the section as a whole.
    pub(super) fn wrong(&self, sentence: impl Into<String>) -> ConfigError {
        match self.line {
            Some(line) => ConfigError::at(self.file, line, sentence),
            None => ConfigError::whole(self.file, sentence),
        }
    }

    /// A text.
    ///
    /// # Errors
    /// A value of another type, and an empty text.
    pub(super) fn text(
        &self,
        key: &'static str,
    ) -> Result<Option<Found<'a, &'a str>>, ConfigError> {
        let Some(found) = self.find(key) else {
            return Ok(None);
        };
        match found.value.as_str() {
            Some("") => Err(found.wrong("is empty; give it a value or leave the line out")),
            Some(text) => Ok(Some(found.with(text))),
            None => Err(found.wrong_type("a text in double quotes")),
        }
    }

    /// A text that must be there.
    ///
    /// # Errors
    /// As [`Section::text`], and a missing key; `example` shows how the line could look.
    pub(super) fn required(
        &self,
        key: &'static str,
        example: &str,
    ) -> Result<Found<'a, &'a str>, ConfigError> {
        match self.text(key)? {
            Some(found) => Ok(found),
            None if self.is_present() => Err(self.wrong(format!(
                "{}.{key} is missing; add a line such as {key} = \"{example}\" to [{}]",
                self.name, self.name
            ))),
            None => Err(self.wrong(format!(
                "{}.{key} is missing; add the section [{}] with a line such as {key} = \"{example}\"",
                self.name, self.name
            ))),
        }
    }

    /// `true` or `false`.
    ///
    /// # Errors
    /// A value of another type.
    pub(super) fn flag(&self, key: &'static str, default: bool) -> Result<bool, ConfigError> {
        let Some(found) = self.find(key) else {
            return Ok(default);
        };
        found
            .value
            .as_bool()
            .ok_or_else(|| found.wrong_type("true or false, without quotes"))
    }

    /// A whole number.
    ///
    /// # Errors
    /// A value of another type or outside `range`.
    pub(super) fn number(
        &self,
        key: &'static str,
        range: RangeInclusive<u32>,
    ) -> Result<Option<u32>, ConfigError> {
        let Some(found) = self.find(key) else {
            return Ok(None);
        };
        let wanted = format!(
            "a whole number from {} to {}, without quotes",
            range.start(),
            range.end()
        );
        let Some(digits) = found.value.as_integer() else {
            return Err(found.wrong_type(&wanted));
        };
        u32::from_str_radix(digits.as_str(), digits.radix())
            .ok()
            .filter(|number| range.contains(number))
            .map(Some)
            .ok_or_else(|| found.wrong(format!("must be {wanted}, not {}", digits.as_str())))
    }

    /// A list of texts, empty when the key is absent.
    ///
    /// # Errors
    /// A value of another type.
    pub(super) fn texts(&self, key: &'static str) -> Result<Vec<Found<'a, &'a str>>, ConfigError> {
        let Some(found) = self.find(key) else {
            return Ok(Vec::new());
        };
        let wanted = "a list of texts such as [\"mx.example.org\"]";
        let Some(items) = found.value.as_array() else {
            return Err(found.wrong_type(wanted));
        };
        items
            .iter()
            .map(|item| match item.get_ref().as_str() {
                Some(text) => Ok(Found {
                    value: text,
                    file: self.file,
                    line: line_of(self.text, item.span().start),
                    key: found.key.clone(),
                }),
                None => Err(found.wrong_type(wanted)),
            })
            .collect()
    }

    fn find(&self, key: &'static str) -> Option<Found<'a, &'a DeValue<'a>>> {
        debug_assert!(
            keys::keys_of(self.name).is_some_and(|known| known.contains(&key)),
            "{}.{key} is read but not listed",
            self.name
        );
        let (start, value) = entry_of(self.table?, key)?;
        Some(Found {
            value: value.get_ref(),
            file: self.file,
            line: line_of(self.text, start),
            key: format!("{}.{key}", self.name),
        })
    }
}

impl<'a> Found<'a, &'a DeValue<'a>> {
    fn with<T>(self, value: T) -> Found<'a, T> {
        Found {
            value,
            file: self.file,
            line: self.line,
            key: self.key,
        }
    }

    fn wrong_type(&self, wanted: &str) -> ConfigError {
        let is = match self.value {
            DeValue::String(_) => "a text",
            DeValue::Integer(_) => "a whole number",
            DeValue::Float(_) => "a number with a fraction",
            DeValue::Boolean(_) => "true or false",
            DeValue::Datetime(_) => "a date",
            DeValue::Array(_) => "a list",
            DeValue::Table(_) => "a section",
        };
        self.wrong(format!("must be {wanted}, but it is {is}"))
    }
}

/// The value of a key and the place of the key in the text.
fn entry_of<'a>(table: &'a DeTable<'a>, key: &str) -> Option<(usize, &'a Spanned<DeValue<'a>>)> {
    table
        .iter()
        .find(|(name, _)| name.get_ref() == key)
        .map(|(name, value)| (name.span().start, value))
}

/// The line of a byte, counted from 1.
fn line_of(text: &str, byte: usize) -> usize {
    1 + text
        .bytes()
        .take(byte)
        .filter(|byte| *byte == b'\n')
        .count()
}
