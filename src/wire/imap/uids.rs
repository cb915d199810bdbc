//! Sets of UIDs as IMAP writes them.
//!
//! Knows ranges and how long a command may be; refuses to know what the UIDs stand for.

/// The longest set in one command, in bytes: well below the 8,000 that servers accept (RFC 7162 4, RFC 9051 4).
const LONGEST: usize = 4000;

/// Writes UIDs, sorted, as sets such as `3:7,9`: one, unless they are so scattered that a command would grow too long.
pub(super) fn sets(uids: &[u32]) -> Vec<String> {
    let mut sets: Vec<String> = Vec::new();
    for run in uids.chunk_by(|last, next| last.checked_add(1) == Some(*next)) {
        let (Some(first), Some(last)) = (run.first(), run.last()) else {
            continue;
        };
        let range = if first == last {
            first.to_string()
        } else {
            format!("{first}:{last}")
        };
        match sets.last_mut() {
            Some(set) if set.len() + range.len() < LONGEST => {
                set.push(',');
                set.push_str(&range);
            }
            _ => sets.push(range),
        }
    }
    sets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_become_ranges() {
        assert_eq!(sets(&[]), Vec::<String>::new());
        assert_eq!(
            sets(&[1, 3, 4, 5, 9, 10, u32::MAX]),
            ["1,3:5,9:10,4294967295"]
        );
    }

    #[test]
    fn scattered_uids_are_cut_into_several_commands() {
        let uids: Vec<u32> = (0..5000).map(|n| 1_000_000 + 2 * n).collect();
        let sets = sets(&uids);
        assert!(sets.len() > 1 && sets.iter().all(|set| set.len() <= LONGEST));
        assert_eq!(sets.join(",").split(',').count(), uids.len());
    }
}
