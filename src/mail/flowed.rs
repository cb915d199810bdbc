//! format=flowed undone (RFC 3676, MAIL-14): soft line ends are joined before anybody looks for quotes. It knows blanks
//! and quote depth; it refuses to know what is quoted.

/// The lines as their writer meant them. Quoted lines keep one `>` for each level before them.
pub(crate) fn unflow(text: &str, delsp: bool) -> String {
    let mut out: Vec<(usize, String)> = Vec::new();
    let mut open = false;
    for line in text.split('\n') {
        let line = line.strip_suffix('\r').unwrap_or(line);
        let inner = line.trim_start_matches('>');
        let depth = line.len() - inner.len();
        // Section 4.4: one blank was put before what could be misread.
        let inner = inner.strip_prefix(' ').unwrap_or(inner);
        // Section 4.3: the line of a signature is never soft, nor is it joined to what is before it.
        let signature = inner == "-- ";
        let soft = inner.ends_with(' ') && !signature;
        let content = match inner.strip_suffix(' ') {
            Some(shorter) if soft && delsp => shorter,
            _ => inner,
        };
        match out.last_mut() {
            // Section 4.5: a soft line end before another depth is a mistake, and is taken as a hard one.
            Some((before, joined)) if open && *before == depth && !signature => {
                joined.push_str(content)
            }
            _ => out.push((depth, content.to_owned())),
        }
        open = soft;
    }
    let mut text = String::new();
    for (at, (depth, content)) in out.iter().enumerate() {
        if at > 0 {
            text.push('\n');
        }
        if *depth > 0 {
            text.push_str(&">".repeat(*depth));
            text.push(' ');
        }
        text.push_str(content);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn soft_ends_are_joined_with_and_without_delsp() {
        assert_eq!(unflow("one \r\ntwo\r\nthree", false), "one two\nthree");
        assert_eq!(
            unflow("Er \nklärung drängt  \nheute", true),
            "Erklärung drängt heute"
        );
    }

    #[test]
    fn quotes_of_another_depth_and_signatures_are_never_joined() {
        assert_eq!(
            unflow("text \n> quoted \n> on\nmine", false),
            "text \n> quoted on\nmine"
        );
        assert_eq!(unflow("soft \n-- \nAnna", false), "soft \n-- \nAnna");
    }

    #[test]
    fn stuffed_lines_lose_their_blank() {
        assert_eq!(unflow(" From here\n  b3-c3", false), "From here\n b3-c3");
    }
}
