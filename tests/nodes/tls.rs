//! Encrypted connections to the database: with a server that shows the certificate it should, or none at all.

use crate::fleet::command;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;
use test_support::postgres::{Cluster, Disk};
use test_support::program::run;
use test_support::{Program, dice};

/// Somebody who issues certificates, with a folder for them.
struct Authority(TempDir);

impl Authority {
    fn new() -> Self {
        let authority = Self(tempfile::tempdir().expect("a folder"));
        authority.issue("authority", &["-addext", "basicConstraints=critical,CA:TRUE"]);
        authority
    }

    /// Makes a key, and a certificate for this machine's address.
    fn certify(&self) -> (PathBuf, PathBuf) {
        let [certificate, key] = ["authority.crt", "authority.key"].map(|name| self.0.path().join(name));
        let [certificate, key] = [&certificate, &key].map(|path| path.to_str().expect("plain"));
        let names = ["-addext", "subjectAltName=IP:127.0.0.1", "-addext", "basicConstraints=critical,CA:FALSE"];
        self.issue("server", &[&["-CA", certificate, "-CAkey", key][..], &names].concat());
        (self.0.path().join("server.crt"), self.0.path().join("server.key"))
    }

    fn certificate(&self) -> PathBuf {
        self.0.path().join("authority.crt")
    }

    fn issue(&self, name: &str, how: &[&str]) {
        let mut openssl = Command::new("openssl");
        openssl.args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]);
        openssl.args(["-subj", &format!("/CN={name}"), "-keyout", &format!("{name}.key")]);
        openssl.args(["-out", &format!("{name}.crt")]).args(how).current_dir(&self.0);
        let output = run(openssl);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

/// The program, trusting certificates of one authority.
fn trusting(authority: &Path, data: &TempDir, url: &str) -> Command {
    let mut command = command(data, url);
    command.env("SSL_CERT_FILE", authority);
    command
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_sslmode_require_every_connection_is_encrypted_and_the_server_is_who_it_should_be() {
    let (authority, another) = (Authority::new(), Authority::new());
    let cluster = Cluster::start(Disk::Lazy);
    let (certificate, key) = authority.certify();
    cluster.encrypt(&certificate, &key);
    let data = tempfile::tempdir().expect("a folder");
    let url = format!("{}?sslmode=require", cluster.url("postgres"));
    let [one, two] = [(); 2].map(|()| Program::spawn(trusting(&authority.certificate(), &data, &url)));
    let table = one.table(2).await;
    let mut stream = table.spectator().at(&two).follows(&table.game).await;
    table.play_to_the_end(&mut dice(6)).await;
    assert_eq!(stream.rest().await.len() as u64, table.version().await);
    let ours = "FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'ludotheque'";
    let count = |which: &str| cluster.ask(&format!("SELECT count(*)::text {ours} AND {which}"));
    assert_eq!(count("NOT ssl"), "0");
    assert_ne!(count("ssl"), "0");

    let by_name = url.replace("127.0.0.1", "localhost");
    // A server without a certificate is not spoken to in the clear.
    let cluster = Cluster::start(Disk::Lazy);
    let plain = format!("{}?sslmode=require", cluster.url("postgres"));
    for (authority, url, why) in
        [(&another, &url, "certificate"), (&authority, &by_name, "certificate"), (&authority, &plain, "TLS")]
    {
        let mut command = trusting(&authority.certificate(), &data, url);
        command.arg("migrate");
        let output = run(command);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains(why), "{url}: {said}");
    }
}
