//! Where the database lies: a network or a program that copies folders about breaks what SQLite promises (D-04).
//!
//! Knows file systems by their numbers (statfs(2)) and synced folders by what such programs leave in them. Refuses to
//! judge a place that it does not know.

use std::path::Path;

/// File systems on which locks or syncs may mean nothing.
const FAR: [(u32, &str); 10] = [
    (0x6969, "NFS"),
    (0x517b, "SMB"),
    (0xff53_4d42, "SMB"),
    (0xfe53_4d42, "SMB"),
    (0x5346_414f, "AFS"),
    (0x00c3_6400, "Ceph"),
    (0x7375_7245, "Coda"),
    (0x0102_1997, "9P"),
    (0x786f_4256, "a shared folder of VirtualBox"),
    (0x6573_5546, "FUSE, which may be a network's"),
];

/// Folders of programs that copy what lies in them to other machines, file by file.
const SYNCED: [&str; 7] = [
    "Dropbox",
    "OneDrive",
    "Google Drive",
    "Nextcloud",
    "ownCloud",
    "Syncthing",
    "Mobile Documents",
];

/// What is wrong with the place of a database, each with what to do.
pub(crate) fn warnings(store: &Path) -> Vec<String> {
    let store = std::fs::canonicalize(store).unwrap_or_else(|_| store.to_owned());
    let mut warnings = Vec::new();
    // A place that cannot be asked about is not warned of.
    if let Ok(about) = rustix::fs::statfs(&store)
        && let Some(name) = far(u64::try_from(about.f_type).unwrap_or_default())
    {
        warnings.push(format!(
            "{} lies on {name}: a power cut or a second machine can damage it there; move it to a local disk",
            store.display()
        ));
    }
    if let Some(folder) = synced(&store) {
        warnings.push(format!(
            "{} lies in a folder that is synced ({folder}): a copy of half a write can damage it; move it out, and sync backups instead",
            store.display()
        ));
    }
    warnings
}

fn far(kind: u64) -> Option<&'static str> {
    FAR.iter()
        .find(|(number, _)| u64::from(*number) == kind & 0xffff_ffff)
        .map(|(_, name)| *name)
}

fn synced(store: &Path) -> Option<String> {
    store.ancestors().skip(1).find_map(|folder| {
        let name = folder.file_name()?.to_str()?;
        let is_known = SYNCED.iter().any(|known| name.starts_with(known));
        (is_known || folder.join(".stfolder").exists()).then(|| folder.display().to_string())
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn network_file_systems_are_known_by_their_numbers() {
        assert_eq!(far(0x6969), Some("NFS"));
        assert_eq!(far(0xff53_4d42), Some("SMB"));
        // Of 64 bits, or of 32 with a sign.
        assert_eq!(far(0xffff_ffff_ff53_4d42), Some("SMB"));
        let (ext4, btrfs, tmpfs, overlay) = (0xef53, 0x9123_683e, 0x0102_1994, 0x794c_7630);
        for local in [ext4, btrfs, tmpfs, overlay] {
            assert_eq!(far(local), None);
        }
    }

    #[test]
    fn a_synced_folder_is_noticed_and_any_other_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join("club/club.sqlite");
        std::fs::create_dir(folder.path().join("club")).unwrap();
        assert_eq!(synced(&store), None);
        assert_eq!(warnings(&store), Vec::<String>::new());
        std::fs::create_dir(folder.path().join(".stfolder")).unwrap();
        assert_eq!(synced(&store), Some(folder.path().display().to_string()));
        let cloud = Path::new("/home/a/Dropbox (Club)/club.sqlite");
        assert_eq!(synced(cloud).as_deref(), Some("/home/a/Dropbox (Club)"));
    }
}
