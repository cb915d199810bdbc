//! Reads the HTML that the templates write: whether its tags match, and what a reader sees of it.

/// The visible text without any white space, or what is wrong.
pub(super) fn seen(html: &str) -> Result<String, String> {
    let body = html.split_once("<body").ok_or("no body")?.1;
    let mut rest = body.split_once('>').ok_or("the body does not open")?.1;
    let (mut seen, mut open) = (String::new(), vec!["html".to_owned(), "body".to_owned()]);
    while let Some((text, tail)) = rest.split_once('<') {
        seen.push_str(&unescaped(text)?);
        let (tag, tail) = tail.split_once('>').ok_or("a tag does not end")?;
        rest = tail;
        match tag.strip_prefix('/') {
            Some(name) if open.pop().as_deref() == Some(name) => {}
            Some(name) => return Err(format!("</{name}> closes nothing")),
            None if tag == "br" => {}
            None => {
                let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
                if !["p", "pre", "b"].contains(&name)
                    || !(attributes.is_empty() || attributes.starts_with("style=\""))
                {
                    return Err(format!("<{tag}>"));
                }
                open.push(name.to_owned());
            }
        }
    }
    if !open.is_empty() {
        return Err(format!("{open:?} stay open"));
    }
    Ok(seen.split_whitespace().collect())
}

fn unescaped(text: &str) -> Result<String, String> {
    let known = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&amp;", "&"),
    ];
    let plain = known.iter().fold(text.to_owned(), |plain, (entity, sign)| {
        plain.replace(entity, sign)
    });
    let entities: usize = known
        .iter()
        .map(|(entity, _)| text.matches(entity).count())
        .sum();
    if text.contains('>') || text.matches('&').count() != entities {
        return Err(format!("not escaped: {text}"));
    }
    Ok(plain)
}
