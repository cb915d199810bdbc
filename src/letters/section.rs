//! One part of a letter in both its forms, as its two templates make it.

/// A part that is put into words and laid out.
#[derive(Clone, Debug, Default)]
pub(super) struct Section {
    /// For the text part: one line a paragraph, to be broken later.
    pub(super) text: String,
    /// For the HTML part: finished.
    pub(super) html: String,
}

/// Gives a view its two templates, in which it is called `view`.
macro_rules! templates {
    ($view:ty, $text:literal, $page:literal) => {
        impl $view {
            /// Lays the view out in both forms.
            pub(super) fn section(
                &self,
            ) -> Result<$crate::letters::section::Section, $crate::letters::ComposeError> {
                #[derive(askama::Template)]
                #[template(path = $text, escape = "none")]
                struct Text<'a> {
                    view: &'a $view,
                }
                #[derive(askama::Template)]
                #[template(path = $page)]
                struct Page<'a> {
                    view: &'a $view,
                }
                let text = askama::Template::render(&Text { view: self })?;
                let html = askama::Template::render(&Page { view: self })?;
                Ok($crate::letters::section::Section { text, html })
            }
        }
    };
}
pub(super) use templates;
