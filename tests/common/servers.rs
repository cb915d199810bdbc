//! The configuration of the test servers: as small as it gets, as private as it must be.
//!
//! Knows the keys of Dovecot 2.3 and Postfix 3.7; refuses to start anything.

use std::fs;
use std::time::{Duration, SystemTime};

use super::stack::{DOMAIN, MailStack};
use super::system::{own, set_mode};

impl MailStack {
    pub(super) fn configure_dovecot(&self, users: &[&str]) {
        let passwords: String = users
            .iter()
            .map(|user| format!("{user}:{{PLAIN}}{}::::::\n", MailStack::password(user)))
            .collect();
        fs::write(self.path("users"), passwords).unwrap();
        for user in users {
            fs::create_dir(self.path(&format!("home/{user}"))).unwrap();
        }
        own("mail:mail", &self.path("home"));
        own("root:dovecot", &self.path("users"));
        set_mode(&self.path("users"), 0o640);
        let root = self.root.path().display();
        let MailStack {
            imap,
            imaps,
            lmtp,
            auth,
            ..
        } = self;
        let text = format!(
            "protocols = imap lmtp
listen = 127.0.0.1
base_dir = {root}/run
state_dir = {root}/state
log_path = {root}/log/dovecot.log
first_valid_uid = 1
mail_uid = mail
mail_gid = mail
mail_location = maildir:~/Maildir
mail_fsync = never
mail_max_userip_connections = 1000
auth_mechanisms = plain login
auth_username_format = %n
auth_username_chars =
auth_failure_delay = 0
disable_plaintext_auth = no
recipient_delimiter = +
ssl = yes
ssl_cert = <{root}/tls/server.pem
ssl_key = <{root}/tls/server.key
passdb {{
  driver = passwd-file
  args = username_format=%n {root}/users
}}
userdb {{
  driver = static
  args = home={root}/home/%n
}}
namespace inbox {{
  inbox = yes
  separator = /
}}
protocol lmtp {{
  postmaster_address = postmaster@{DOMAIN}
}}
service anvil {{
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service imap-login {{
  service_count = 0
  process_min_avail = 1
  inet_listener imap {{
    port = {imap}
  }}
  inet_listener imaps {{
    port = {imaps}
    ssl = yes
  }}
}}
service lmtp {{
  inet_listener lmtp {{
    address = 127.0.0.1
    port = {lmtp}
  }}
}}
service auth {{
  inet_listener sasl {{
    address = 127.0.0.1
    port = {auth}
  }}
}}
"
        );
        fs::write(self.path("dovecot.conf"), text).unwrap();
    }

    pub(super) fn configure_postfix(&self, users: &[&str]) {
        let (etc, spool, data) = ("pf/etc", "pf/spool", "pf/data");
        for folder in [etc, data] {
            fs::create_dir_all(self.path(folder)).unwrap();
        }
        own("postfix", &self.path(data));
        set_mode(&self.path(data), 0o700);
        for queue in [
            "active", "bounce", "corrupt", "defer", "deferred", "flush", "hold", "incoming",
            "private", "saved", "trace", "maildrop", "public", "pid",
        ] {
            let path = self.path(&format!("{spool}/{queue}"));
            fs::create_dir_all(&path).unwrap();
            let (owner, mode) = match queue {
                "pid" => ("root", 0o755),
                "maildrop" => ("postfix:postdrop", 0o730),
                "public" => ("postfix:postdrop", 0o710),
                _ => ("postfix", 0o700),
            };
            own(owner, &path);
            set_mode(&path, mode);
        }
        let root = self.root.path().display();
        let MailStack {
            lmtp,
            auth,
            smtp,
            submission,
            smtps,
            ..
        } = self;
        let main = format!(
            "compatibility_level = 3.6
config_directory = {root}/pf/etc
queue_directory = {root}/pf/spool
data_directory = {root}/pf/data
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
mail_owner = postfix
setgid_group = postdrop
maillog_file = {root}/log/postfix.log
maillog_file_prefixes = {root}/log
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks =
myhostname = mail.{DOMAIN}
mydomain = {DOMAIN}
myorigin = {DOMAIN}
mydestination =
alias_maps =
alias_database =
smtp_host_lookup = native
smtpd_peername_lookup = no
virtual_mailbox_domains = {DOMAIN}
virtual_mailbox_maps = texthash:{root}/pf/etc/vmailbox
virtual_transport = lmtp:inet:127.0.0.1:{lmtp}
default_transport = error:5.1.2 this test server has no outside
relay_transport = error:5.1.2 this test server has no outside
local_transport = error:5.1.1 no local users
recipient_delimiter = +
in_flow_delay = 0
message_size_limit = 1000000
smtpd_client_connection_count_limit = 0
smtpd_error_sleep_time = 0
smtpd_sasl_auth_enable = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = inet:127.0.0.1:{auth}
smtpd_relay_restrictions = permit_sasl_authenticated, reject_unauth_destination
smtpd_recipient_restrictions = check_recipient_access texthash:{root}/pf/etc/rcpt_access
smtpd_tls_security_level = may
smtpd_tls_cert_file = {root}/tls/server.pem
smtpd_tls_key_file = {root}/tls/server.key
smtp_tls_security_level = none
minimal_backoff_time = 2s
maximal_backoff_time = 5s
queue_run_delay = 2s
"
        );
        // max_use=1: each connection has a process of its own, which reads the access map anew.
        // Who may write without a login can do so while Dovecot, which knows the passwords, is down.
        let open = "-o smtpd_sasl_auth_enable=no -o max_use=1";
        let login = "-o smtpd_relay_restrictions=permit_sasl_authenticated,reject -o max_use=1";
        let master = format!(
            "127.0.0.1:{smtp} inet n - n - - smtpd {open}
127.0.0.1:{submission} inet n - n - - smtpd {login}
127.0.0.1:{smtps} inet n - n - - smtpd -o smtpd_tls_wrappermode=yes {login}
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
lmtp unix - - n - - lmtp
smtp unix - - n - - smtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
"
        );
        let mailboxes: String = users
            .iter()
            .map(|user| format!("{user}@{DOMAIN} {user}\n"))
            .collect();
        let long_ago = SystemTime::now() - Duration::from_secs(60);
        for (name, text) in [
            ("main.cf", main),
            ("master.cf", master),
            ("vmailbox", mailboxes),
            ("rcpt_access", String::new()),
        ] {
            let path = self.path(&format!("{etc}/{name}"));
            fs::write(&path, text).unwrap();
            // Postfix lets fresh configuration cool down for two seconds.
            let file = fs::File::options().write(true).open(&path).unwrap();
            file.set_modified(long_ago).unwrap();
        }
    }
}
