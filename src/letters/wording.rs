//! The message catalogs: one file a language, embedded in the binary; what a language lacks is said in English.
//!
//! Knows keys and catalogs, and nothing of what is said with them.

use std::cell::RefCell;
use std::sync::LazyLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use include_dir::{Dir, include_dir};
use unic_langid::LanguageIdentifier;

/// The language that every catalog falls back to.
const FALLBACK: &str = "en";

static FILES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/templates/wording");

static CATALOGS: LazyLock<Vec<Catalog>> = LazyLock::new(|| {
    FILES
        .files()
        .filter_map(|file| Catalog::read(file.path().file_stem()?.to_str()?, file.contents_utf8()?))
        .collect()
});

struct Catalog {
    code: String,
    bundle: FluentBundle<FluentResource>,
}

impl Catalog {
    fn read(code: &str, source: &str) -> Option<Self> {
        let language: LanguageIdentifier = code.parse().ok()?;
        let mut bundle = FluentBundle::new_concurrent(vec![language]);
        // Isolation marks are invisible characters: they would end up in moves that players copy out of a letter.
        bundle.set_use_isolating(false);
        // A line that cannot be read is a sentence that is missing; a test sees to it that there is none.
        let resource =
            FluentResource::try_new(source.to_owned()).unwrap_or_else(|(partial, _)| partial);
        bundle.add_resource(resource).ok()?;
        Some(Catalog {
            code: code.to_owned(),
            bundle,
        })
    }

    fn format(&self, key: &str, args: &FluentArgs<'_>) -> Option<Result<String, String>> {
        let pattern = self.bundle.get_message(key)?.value()?;
        let mut errors = Vec::new();
        let said = self
            .bundle
            .format_pattern(pattern, Some(args), &mut errors)
            .into_owned();
        Some(match errors.first() {
            None => Ok(said),
            Some(error) => Err(format!("{}.ftl: {key}: {error}", self.code)),
        })
    }
}

/// Codes of the languages that letters can be written in, in alphabetical order.
#[must_use]
pub fn languages() -> Vec<&'static str> {
    let mut codes: Vec<_> = CATALOGS
        .iter()
        .map(|catalog| catalog.code.as_str())
        .collect();
    codes.sort_unstable();
    codes
}

/// The words of one language, and what went wrong while they were used.
pub(super) struct Wording {
    language: String,
    faults: RefCell<Vec<String>>,
}

impl Wording {
    pub(super) fn new(language: &str) -> Self {
        Wording {
            language: language.to_owned(),
            faults: RefCell::default(),
        }
    }

    /// The sentence of that key. A fault is kept for [`Wording::fault`], so that sentences can be strung together.
    pub(super) fn say(&self, key: &str, args: &[(&str, FluentValue<'_>)]) -> String {
        let args: FluentArgs<'_> = args
            .iter()
            .map(|(name, value)| (*name, value.clone()))
            .collect();
        let said = [self.language.as_str(), FALLBACK]
            .into_iter()
            .find_map(|code| {
                let catalog = CATALOGS.iter().find(|catalog| catalog.code == code)?;
                catalog.format(key, &args)
            });
        let fault = match said {
            Some(Ok(said)) => return said,
            Some(Err(fault)) => fault,
            None => format!("no catalog has {key}"),
        };
        self.faults.borrow_mut().push(fault);
        key.to_owned()
    }

    /// The code of the catalog that is used.
    pub(super) fn code(&self) -> &str {
        CATALOGS
            .iter()
            .map(|catalog| catalog.code.as_str())
            .find(|code| *code == self.language)
            .unwrap_or(FALLBACK)
    }

    /// The first fault, if there was one.
    pub(super) fn fault(&self) -> Option<String> {
        self.faults.borrow().first().cloned()
    }
}
