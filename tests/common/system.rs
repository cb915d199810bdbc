//! Processes, owners and certificates for the test servers.
//!
//! Knows the commands of the system; refuses to know what they are for.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

/// Name and state of a process; a zombie has the state Z and is as good as gone.
pub(super) fn state(pid: u32) -> Option<(String, char)> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (name, rest) = stat.split_once('(')?.1.rsplit_once(") ")?;
    Some((name.to_owned(), rest.chars().next()?))
}

/// Sends a signal such as `-TERM` to a process.
pub fn signal(signal: &str, pid: u32) {
    // It may have ended by itself.
    let _ = Command::new("kill")
        .args([signal, &pid.to_string()])
        .stderr(Stdio::null())
        .status();
}

pub(super) fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

pub(super) fn own(owner: &str, path: &Path) {
    let status = Command::new("chown").args(["-R", owner]).arg(path).status();
    assert!(status.unwrap().success(), "chown {owner}: are we root?");
}

/// An authority and a certificate of it: a certificate that is its own authority would not be accepted for a server.
pub(super) fn make_certificate(tls: &Path) {
    make_authority(tls, "ca");
    let about = "subjectAltName=DNS:localhost\nbasicConstraints=critical,CA:FALSE\nextendedKeyUsage=serverAuth\n";
    fs::write(tls.join("ext"), about).unwrap();
    openssl(
        tls,
        "ecparam -name prime256v1 -genkey -noout -out server.key",
    );
    openssl(
        tls,
        "req -new -key server.key -subj /CN=localhost -out server.csr",
    );
    certify(tls, 30);
}

/// Makes out the certificate of the servers anew, for so many days; with a negative number it has expired already.
pub(super) fn certify(tls: &Path, days: i32) {
    openssl(
        tls,
        &format!(
            "x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days {days} -extfile ext -out server.pem"
        ),
    );
}

pub(super) fn make_authority(tls: &Path, name: &str) {
    openssl(
        tls,
        &format!("ecparam -name prime256v1 -genkey -noout -out {name}.key"),
    );
    openssl(
        tls,
        &format!("req -x509 -new -key {name}.key -days 30 -subj /CN={name} -out {name}.pem"),
    );
}

pub(super) fn openssl(tls: &Path, arguments: &str) {
    let output = Command::new("openssl")
        .args(arguments.split(' '))
        .current_dir(tls)
        .output()
        .unwrap();
    assert!(output.status.success(), "openssl {arguments}: {output:?}");
}
