//! HTML taken into tags and text, as forgivingly as a browser does it and in one pass. It knows the shape of tags and
//! the names of characters; it refuses to know what any tag means.

use mail_parser::decoders::html::add_html_token;

/// A piece of HTML.
#[derive(Debug)]
pub(super) enum Piece {
    /// Characters, references decoded.
    Text(String),
    /// A start tag.
    Start(Tag),
    /// An end tag, name in lower case.
    End(String),
}

/// A start tag.
#[derive(Debug)]
pub(super) struct Tag {
    /// In lower case.
    pub(super) name: String,
    /// It says itself that it is empty, `<br/>`; believed where HTML believes it not, for `<o:p/>` of Word.
    pub(super) closed: bool,
    attributes: Vec<(String, String)>,
    style: Option<String>,
}

impl Tag {
    /// The value of an attribute; its name in lower case.
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes
            .iter()
            .find(|(n, _)| n == name)
            .map(|(_, v)| v.as_str())
    }

    /// The style, in lower case and without blanks.
    pub(super) fn style(&self) -> Option<&str> {
        self.style.as_deref()
    }
}

/// Elements whose content is no HTML.
const RAW: &[&str] = &[
    "script", "style", "title", "xmp", "noembed", "noframes", "iframe",
];
/// Most attributes of one tag that are looked at.
const ATTRIBUTES_MAX: usize = 40;

/// All pieces, in order.
pub(super) fn pieces(html: &str) -> impl Iterator<Item = Piece> {
    let mut rest = html;
    std::iter::from_fn(move || {
        while !rest.is_empty() {
            let Some(after) = rest.strip_prefix('<') else {
                let at = rest.find('<').unwrap_or(rest.len());
                let (text, after) = rest.split_at_checked(at)?;
                rest = after;
                return Some(Piece::Text(decode(text)));
            };
            let next = after.chars().next();
            if let Some(comment) = after.strip_prefix("!--") {
                rest = comment.split_once("-->").map_or("", |(_, r)| r);
            } else if matches!(next, Some('!' | '?')) {
                rest = after.split_once('>').map_or("", |(_, r)| r);
            } else if let Some(name) = after
                .strip_prefix('/')
                .filter(|r| r.starts_with(|c: char| c.is_ascii_alphabetic()))
            {
                let (inside, after) = name.split_once('>').unwrap_or((name, ""));
                rest = after;
                let end = inside
                    .find(|c: char| c.is_ascii_whitespace() || c == '/')
                    .unwrap_or(inside.len());
                return Some(Piece::End(
                    inside.get(..end).unwrap_or("").to_ascii_lowercase(),
                ));
            } else if next.is_some_and(|c| c.is_ascii_alphabetic()) {
                let (tag, after) = start(after);
                rest = after;
                if RAW.contains(&tag.name.as_str()) && !tag.closed {
                    rest = skip_raw(rest, &tag.name);
                    continue;
                }
                return Some(Piece::Start(tag));
            } else {
                // A lone `<` is text: `if a < b`.
                rest = after;
                return Some(Piece::Text("<".to_owned()));
            }
        }
        None
    })
}

/// What follows the end tag of a raw element.
fn skip_raw<'a>(html: &'a str, name: &str) -> &'a str {
    let mut rest = html;
    while let Some((_, after)) = rest.split_once("</") {
        if after
            .get(..name.len())
            .is_some_and(|n| n.eq_ignore_ascii_case(name))
        {
            return after.split_once('>').map_or("", |(_, r)| r);
        }
        rest = after;
    }
    ""
}

/// A start tag behind its `<`, and what follows it.
fn start(html: &str) -> (Tag, &str) {
    let end = html
        .find(|c: char| c.is_ascii_whitespace() || c == '>' || c == '/')
        .unwrap_or(html.len());
    let (name, mut rest) = html.split_at_checked(end).unwrap_or((html, ""));
    let mut tag = Tag {
        name: name.to_ascii_lowercase(),
        closed: false,
        attributes: Vec::new(),
        style: None,
    };
    loop {
        let slashed = rest.trim_start_matches(|c: char| c.is_ascii_whitespace());
        rest = slashed.trim_start_matches(|c: char| c == '/' || c.is_ascii_whitespace());
        if rest.is_empty() {
            return (tag, rest);
        }
        if let Some(after) = rest.strip_prefix('>') {
            tag.closed = slashed.starts_with('/');
            return (tag, after);
        }
        let skip = usize::from(rest.starts_with('='));
        let end = rest
            .char_indices()
            .skip(skip)
            .find(|(_, c)| c.is_ascii_whitespace() || matches!(c, '=' | '>' | '/'))
            .map_or(rest.len(), |(at, _)| at);
        let (name, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
        let (value, after) = value(after);
        rest = after;
        if tag.attributes.len() < ATTRIBUTES_MAX {
            let name = name.to_ascii_lowercase();
            let value = decode(value);
            if name == "style" && tag.style.is_none() {
                let squeezed = value.chars().filter(|c| !c.is_whitespace());
                tag.style = Some(squeezed.collect::<String>().to_ascii_lowercase());
            }
            tag.attributes.push((name, value));
        }
    }
}

/// `= value`, quoted or not, if there is one; and what follows.
fn value(html: &str) -> (&str, &str) {
    let Some(after) = html
        .trim_start_matches(|c: char| c.is_ascii_whitespace())
        .strip_prefix('=')
    else {
        return ("", html);
    };
    let after = after.trim_start_matches(|c: char| c.is_ascii_whitespace());
    for quote in ['"', '\''] {
        if let Some(inside) = after.strip_prefix(quote) {
            return inside.split_once(quote).unwrap_or((inside, ""));
        }
    }
    let end = after
        .find(|c: char| c.is_ascii_whitespace() || c == '>')
        .unwrap_or(after.len());
    after.split_at_checked(end).unwrap_or((after, ""))
}

/// Character references decoded; what is none stays.
fn decode(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        out.push_str(before);
        // The longest name has 31 letters.
        let name = after
            .char_indices()
            .take(33)
            .take_while(|(_, c)| c.is_ascii_alphanumeric() || *c == '#')
            .count();
        match after.get(..name) {
            Some(entity) if name > 0 && after.get(name..).is_some_and(|r| r.starts_with(';')) => {
                add_html_token(&mut out, format!("&{entity};").as_bytes(), false);
                rest = after.get(name + 1..).unwrap_or("");
            }
            // `&nbsp` and its like without the semicolon.
            _ => {
                let bare = [("nbsp", "\u{a0}"), ("lt", "<"), ("gt", ">"), ("amp", "&")];
                match bare
                    .iter()
                    .find_map(|(n, c)| after.strip_prefix(n).map(|r| (c, r)))
                {
                    Some((c, after)) => {
                        out.push_str(c);
                        rest = after;
                    }
                    None => {
                        out.push('&');
                        rest = after;
                    }
                }
            }
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_decoded_and_what_is_none_stays() {
        assert_eq!(
            decode("a&nbsp;b&#x2013;&#8211;&gt;&Uuml;&amp;&nosuch;&&nbsp c&"),
            "a\u{a0}b––>Ü&&nosuch;&\u{a0} c&"
        );
    }

    #[test]
    fn attributes_are_read_quoted_unquoted_and_bare() {
        let (tag, rest) = start("DIV Class='a b' id=c hidden data-x = \"&lt;>\"/>t");
        assert_eq!((tag.name.as_str(), rest, tag.closed), ("div", "t", true));
        assert_eq!(tag.attribute("class"), Some("a b"));
        assert_eq!(tag.attribute("id"), Some("c"));
        assert_eq!(tag.attribute("hidden"), Some(""));
        assert_eq!(tag.attribute("data-x"), Some("<>"));
    }
}
