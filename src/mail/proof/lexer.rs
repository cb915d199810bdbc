//! The grammar of Authentication-Results (RFC 8601 section 2.2), strict: comments, quoted strings and results are told
//! apart as the RFC says, since regular expressions on this field have been fooled before (MAIL-25). It refuses to know
//! whom to believe.

/// One field, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Results {
    /// Who says it, in lower case.
    pub(super) authserv: String,
    /// What is said.
    pub(super) results: Vec<Method>,
    /// A comment holds a quote character: somebody's text has probably closed the comment, and what follows may be his.
    pub(super) suspicious: bool,
}

/// One `method=result` with its properties.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Method {
    /// `dkim`, `spf`, `dmarc` …, in lower case.
    pub(super) method: String,
    /// `pass`, `fail` …, in lower case.
    pub(super) result: String,
    /// `header.d` and the like, in lower case, with their values.
    pub(super) properties: Vec<(String, String)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Word(String),
    Quoted(String),
    Mark(char),
    Blank,
}

impl Results {
    /// Reads a field. None when comments or quotes do not end, or nobody says it.
    pub(super) fn read(value: &str) -> Option<Results> {
        let (tokens, suspicious) = tokens(value)?;
        let mut groups = tokens.split(|t| *t == Token::Mark(';'));
        let head = words(groups.next()?);
        let (authserv, version) = match head.as_slice() {
            [id] => (id, "1"),
            [id, version] => (id, version.as_str()),
            _ => return None,
        };
        if version != "1" {
            return None;
        }
        let results = groups.filter_map(method).collect();
        Some(Results {
            authserv: authserv.to_ascii_lowercase(),
            results,
            suspicious,
        })
    }
}

/// Takes the field apart; comments (RFC 5322 section 3.2.2) count as blanks.
fn tokens(value: &str) -> Option<(Vec<Token>, bool)> {
    let mut tokens = Vec::new();
    let mut suspicious = false;
    let mut chars = value.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '(' => {
                let mut depth = 1;
                while depth > 0 {
                    match chars.next()? {
                        '\\' => {
                            suspicious |= chars.next()? == '"';
                        }
                        '(' => depth += 1,
                        ')' => depth -= 1,
                        '"' => suspicious = true,
                        _ => {}
                    }
                }
                tokens.push(Token::Blank);
            }
            ')' => return None,
            '"' => {
                let mut text = String::new();
                loop {
                    match chars.next()? {
                        '\\' => text.push(chars.next()?),
                        '"' => break,
                        c => text.push(c),
                    }
                }
                tokens.push(Token::Quoted(text));
            }
            ';' | '=' => tokens.push(Token::Mark(c)),
            c if c.is_whitespace() => tokens.push(Token::Blank),
            c => {
                let mut word = String::from(c);
                while let Some(next) = chars
                    .next_if(|c| !c.is_whitespace() && !matches!(c, '(' | ')' | '"' | ';' | '='))
                {
                    word.push(next);
                }
                tokens.push(Token::Word(word));
            }
        }
    }
    Some((tokens, suspicious))
}

fn words(tokens: &[Token]) -> Vec<String> {
    let text = |t: &Token| match t {
        Token::Word(w) | Token::Quoted(w) => Some(w.clone()),
        Token::Mark(_) | Token::Blank => None,
    };
    tokens.iter().filter_map(text).collect()
}

/// `method[/version]=result [reason=…] ptype.property=value …`. A result with anything else in it is not believed at
/// all, but for the worst it can say: see [`super::judge`].
fn method(group: &[Token]) -> Option<Method> {
    let mut pairs = Vec::new();
    let mut rest = group;
    loop {
        rest = skip_blank(rest);
        let [first, ..] = rest else { break };
        let Token::Word(name) = first else {
            return None;
        };
        rest = skip_blank(rest.get(1..)?);
        let [Token::Mark('='), ..] = rest else {
            return None;
        };
        rest = skip_blank(rest.get(1..)?);
        // A value is a word or quoted, or an address whose local part may be quoted: no blank inside. A `=` inside
        // belongs to it: header.b of base64, header.i of odd addresses.
        let mut value = String::new();
        let mut any = false;
        while let [token, ..] = rest {
            match token {
                Token::Word(text) | Token::Quoted(text) => value.push_str(text),
                Token::Mark('=') if any => value.push('='),
                Token::Mark(_) | Token::Blank => break,
            }
            any = true;
            rest = rest.get(1..)?;
        }
        if !any {
            return None;
        }
        pairs.push((name.to_ascii_lowercase(), value));
    }
    let mut pairs = pairs.into_iter();
    let (name, result) = pairs.next()?;
    let method = name.split('/').next()?.to_owned();
    let properties: Vec<(String, String)> = pairs.collect();
    let plain = |n: &str| n == "reason" || n == "action" || n.contains('.');
    if method.contains('.') || !properties.iter().all(|(n, _)| plain(n)) {
        return None;
    }
    Some(Method {
        method,
        result: result.to_ascii_lowercase(),
        properties,
    })
}

fn skip_blank(tokens: &[Token]) -> &[Token] {
    let at = tokens
        .iter()
        .position(|t| *t != Token::Blank)
        .unwrap_or(tokens.len());
    tokens.get(at..).unwrap_or(&[])
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing)]
    use super::*;

    #[test]
    fn a_usual_field_is_read_with_comments_versions_and_quotes() {
        let read = Results::read(
            "\"MX.club.example\" 1 (our; one); dkim/1 = pass (2048-bit) reason=\"a; b\" header.d=Example.org header.b=ab=; spf=none; none",
        );
        let read = read.unwrap();
        assert_eq!(
            (read.authserv.as_str(), read.results.len(), read.suspicious),
            ("mx.club.example", 2, false)
        );
        assert_eq!(
            read.results[0].properties[1..],
            [
                ("header.d".into(), "Example.org".into()),
                ("header.b".into(), "ab=".into())
            ]
        );
    }

    #[test]
    fn what_breaks_the_grammar_says_nothing() {
        for value in [
            "",
            ";",
            "mx (open",
            "mx; x=\"open",
            "mx); dmarc=pass",
            "mx 2; dmarc=pass",
            "a b c; dmarc=pass",
        ] {
            assert_eq!(Results::read(value), None, "{value}");
        }
        for group in [
            "spf=pass dmarc=pass",
            "dmarc",
            "dmarc=",
            "=pass",
            "dmarc pass",
            "\"dmarc\"=pass",
            "smtp.x=pass",
        ] {
            assert!(
                Results::read(&format!("mx; {group}"))
                    .unwrap()
                    .results
                    .is_empty(),
                "{group}"
            );
        }
    }
}
