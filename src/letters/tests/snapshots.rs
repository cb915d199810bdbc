//! Every sample as it is read, text and HTML: a change of wording or layout shows in the snapshots.

use super::{samples, written};

#[test]
fn letters_read_as_they_did() {
    let all = samples::all();
    assert!(all.len() > 100);
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false, snapshot_path => "../snapshots" }, {
        for (name, notice) in all {
            let letter = written(&notice);
            let whole = format!("Subject: {}\n\n{}\n=== HTML ===\n{}", letter.subject, letter.text, letter.html);
            insta::assert_snapshot!(name, whole);
        }
    });
}
