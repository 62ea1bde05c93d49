//! Whether a folder is on a network file system, where `SQLite`'s WAL corrupts databases
//! (hazards, rule 10). Must only look.

use std::path::Path;

/// File systems by the name the kernel gives them. FUSE ones that reach over a network are named
/// after the dot; `fuseblk` is a local disk.
const NETWORK: [&str; 16] = [
    "nfs",
    "nfs4",
    "cifs",
    "smb3",
    "smbfs",
    "afs",
    "ceph",
    "lustre",
    "gpfs",
    "glusterfs",
    "afpfs",
    "webdav",
    "fuse.sshfs",
    "fuse.rclone",
    "fuse.s3fs",
    "fuse.gcsfuse",
];

/// The name of the file system when it is a network one.
pub fn network_kind(folder: &Path) -> Option<String> {
    kind(folder).filter(|it| is_network(it))
}

fn is_network(kind: &str) -> bool {
    NETWORK.contains(&kind)
        || ["fuse.glusterfs", "fuse.ceph", "fuse.davfs", "fuse.nfs", "fuse.smb", "fuse.curlftpfs"]
            .iter()
            .any(|it| kind.starts_with(it))
}

/// A test says which file system it wants.
#[cfg(feature = "test-support")]
fn kind(folder: &Path) -> Option<String> {
    std::env::var("CASEFILE_TEST_FILE_SYSTEM").ok().or_else(|| kernel_kind(folder))
}

#[cfg(not(feature = "test-support"))]
fn kind(folder: &Path) -> Option<String> {
    kernel_kind(folder)
}

/// `statfs` first; a FUSE mount does not say what is behind it, so the mount table is asked.
#[cfg(target_os = "linux")]
fn kernel_kind(folder: &Path) -> Option<String> {
    // Numbers from statfs(2).
    const KNOWN: [(i64, &str); 7] = [
        (0x6969, "nfs"),
        (0xFF53_4D42, "cifs"),
        (0xFE53_4D42, "smb3"),
        (0x517B, "smbfs"),
        (0x00C3_6400, "ceph"),
        (0x5346_414F, "afs"),
        (0x0BD0_0BD3, "lustre"),
    ];
    const FUSE: i64 = 0x6573_5546;
    let number = i64::from(rustix::fs::statfs(folder).ok()?.f_type as u32);
    if number != FUSE {
        return KNOWN.iter().find(|it| it.0 == number).map(|it| it.1.to_owned());
    }
    let table = std::fs::read_to_string("/proc/self/mountinfo").ok()?;
    mounted(&table, &folder.canonicalize().ok()?)
}

/// The type of the innermost mount that holds a path, from a mount table (proc(5)).
#[cfg(target_os = "linux")]
fn mounted(table: &str, path: &Path) -> Option<String> {
    let mounts = table.lines().filter_map(|line| {
        let (before, after) = line.split_once(" - ")?;
        let point = before.split(' ').nth(4)?.replace("\\040", " ");
        path.starts_with(&point).then(|| (point.len(), after.split(' ').next()))
    });
    mounts.max_by_key(|it| it.0)?.1.map(str::to_owned)
}

#[cfg(not(target_os = "linux"))]
fn kernel_kind(_folder: &Path) -> Option<String> {
    None
}

#[cfg(test)]
mod tests {
    use crate::store::ledger::disk::{is_network, mounted, network_kind};
    use std::path::Path;

    #[test]
    fn names() {
        for kind in ["nfs", "nfs4", "cifs", "fuse.sshfs", "smb3", "fuse.davfs2"] {
            assert!(is_network(kind), "{kind}");
        }
        for kind in ["ext4", "btrfs", "tmpfs", "overlay", "fuseblk", "fuse.encfs", "xfs", "apfs"] {
            assert!(!is_network(kind), "{kind}");
        }
    }

    #[test]
    fn the_innermost_mount_counts() {
        let table = "27 1 254:0 / / rw - ext4 /dev/vda rw\n\
            30 27 0:5 / /home/me/far rw shared:1 - fuse.sshfs me@host: rw\n\
            31 30 0:6 / /home/me/far\\040off rw - tmpfs tmpfs rw\n";
        let check = |path: &str, expected: &str| {
            assert_eq!(mounted(table, Path::new(path)).as_deref(), Some(expected), "{path}");
        };
        check("/home/me", "ext4");
        check("/home/me/far/x", "fuse.sshfs");
        check("/home/me/far off/x", "tmpfs");
        check("/home/me/farther", "ext4");
    }

    #[test]
    fn this_disk_is_local() {
        assert_eq!(network_kind(&std::env::temp_dir()), None);
    }
}
