//! The marks by which mail programs tell quotes in HTML, and other things that are not their user's words. A seed, with
//! the rules for text behind it; `<blockquote>` alone is no mark (freescout#4460). It knows tags only.

use crate::mail::html::tags::Tag;
use crate::mail::newtext::Rule;

/// What a tag says about the text in it or after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    /// What is in it is not new.
    Container(Rule),
    /// What is in it is not shown.
    Hidden,
    /// Nothing from here on is new.
    Rest,
}

/// Classes and ids of elements that hold a quote or the line over it.
const CONTAINERS: &[&str] = &[
    "gmail_quote",
    "gmail_quote_container",
    "gmail_attr", // Gmail
    "moz-cite-prefix",
    "moz-forward-container",
    "moz-email-headers-table", // Thunderbird
    "protonmail_quote",
    "tutanota_quote",
    "zmail_extra", // Proton, Tuta, Zoho
    "reply-intro",
    "mail-quote-collapse",
    "ms-outlook-mobile-reference-message",
];

/// Classes and ids after which nothing is new: the quote follows beside them.
const RESTS: &[&str] = &[
    "divrplyfwdmsg",
    "appendonsend",
    "mail-editor-reference-message-container", // Outlook
    "olk_src_body_section",                    // Outlook for Mac
    "zwchr",                                   // Zimbra
];

/// Classes and ids of signatures.
const SIGNATURES: &[&str] = &[
    "gmail_signature",
    "gmail_signature_prefix",
    "moz-signature",
    "composer_signature",
    "ms-outlook-mobile-signature",
    "ymail_android_signature",
    "protonmail_signature_block",
    "signature",
    "apple-mail-signature",
];

/// Reads the marks of a tag.
pub(super) fn mark(tag: &Tag) -> Option<Mark> {
    let quote = Some(Mark::Container(Rule::HtmlQuote));
    let names = || {
        ["class", "id"]
            .into_iter()
            .filter_map(|a| tag.attribute(a))
            .flat_map(str::split_ascii_whitespace)
            .map(bare)
    };
    if names().any(|n| RESTS.contains(&n.as_str()))
        || tag.attribute("data-marker") == Some("__DIVIDER__")
    {
        return Some(Mark::Rest);
    }
    if names().any(|n| CONTAINERS.contains(&n.as_str()) || n.contains("yahoo_quoted")) {
        return quote;
    }
    let is = |attribute: &str, value: &str| {
        tag.attribute(attribute)
            .is_some_and(|v| v.eq_ignore_ascii_case(value))
    };
    if (tag.name == "blockquote" && is("type", "cite"))
        || is("name", "quote")
        || is("name", "messageReplySection")
        || is("data-marker", "__QUOTED_TEXT__")
        || is("data-marker", "__HEADERS__")
        || tag.attribute("fairemail").is_some()
    {
        return quote;
    }
    if names().any(|n| SIGNATURES.contains(&n.as_str())) || is("data-smartmail", "gmail_signature")
    {
        return Some(Mark::Container(Rule::Signature));
    }
    if tag.attribute("hidden").is_some() {
        return Some(Mark::Hidden);
    }
    let style = tag.style()?;
    if style.contains("display:none") || style.contains("mso-hide:all") {
        return Some(Mark::Hidden);
    }
    // Word writes its header into a box with a line above: border-top:solid #E1E1E1 or #B5C4DF, other colours in
    // other years.
    (style.contains("border:none;border-top:solid")
        || style.contains("border-top:solid#e1e1e1")
        || style.contains("border-top:solid#b5c4df"))
    .then_some(Mark::Rest)
}

/// The name in lower case, without the `x_` that Outlook puts before foreign names, once for each time it was quoted.
fn bare(name: &str) -> String {
    let lower = name.to_ascii_lowercase();
    let mut rest = lower.as_str();
    while let Some(shorter) = rest.strip_prefix("x_") {
        rest = shorter;
    }
    rest.to_owned()
}
