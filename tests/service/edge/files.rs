//! The files of the operator: whom they belong to, and what the commands do to them.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};
use test_support::{Program, folder, ludotheque};

/// What others may do with a file or a folder, or anything in it.
fn open_to_others(path: &Path) -> Vec<String> {
    let metadata = fs::symlink_metadata(path).unwrap();
    let mode = metadata.permissions().mode() & 0o777;
    let is_private = [0o600, 0o700].contains(&mode);
    let mut found = if is_private { Vec::new() } else { vec![format!("{mode:o} {}", path.display())] };
    if metadata.is_dir() {
        found.extend(fs::read_dir(path).unwrap().flat_map(|entry| open_to_others(&entry.unwrap().path())));
    }
    found
}

/// Lets everybody read a folder and all that is in it, as the program once left them.
fn open_up(path: &Path) {
    let is_folder = path.is_dir();
    for entry in fs::read_dir(path).into_iter().flatten().filter(|_| is_folder) {
        open_up(&entry.unwrap().path());
    }
    fs::set_permissions(path, Permissions::from_mode(if is_folder { 0o755 } else { 0o644 })).unwrap();
}

/// The program as somebody starts it whose files are for everybody to read.
fn with_open_hands(data: &Path, arguments: &[&str]) -> Command {
    let program = ludotheque(data);
    let mut command = Command::new("sh");
    command.args(["-c", "umask 022; exec \"$0\" \"$@\""]).arg(program.get_program());
    command.args(program.get_args()).args(arguments);
    command
}

fn run(data: &Path, arguments: &[&str]) -> Output {
    ludotheque(data).args(arguments).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr].concat()).into_owned()
}

#[tokio::test]
async fn whatever_is_written_is_the_owners_alone_and_repaired_where_it_was_not() {
    let folder = folder();
    let (data, backup, export) =
        (folder.path().join("data"), folder.path().join("backup"), folder.path().join("export"));
    let server = Program::spawn(with_open_hands(&data, &[]));
    let ada = server.guest("Ada").await;
    ada.starts_a_game_with(&server.guest("Bob").await).await;
    assert_eq!(open_to_others(&data), Vec::<String>::new(), "while it runs");
    let told = with_open_hands(&data, &["backup", backup.to_str().unwrap()]).output().unwrap();
    assert!(told.status.success(), "{}", said(&told));
    server.stop();
    let told = with_open_hands(&data, &["export", export.to_str().unwrap()]).output().unwrap();
    assert!(told.status.success(), "{}", said(&told));
    for path in [&data, &backup, &export] {
        assert_eq!(open_to_others(path), Vec::<String>::new());
    }

    open_up(&data.join("store"));
    fs::set_permissions(data.join("store.lock"), Permissions::from_mode(0o644)).unwrap();
    fs::set_permissions(&data, Permissions::from_mode(0o755)).unwrap();
    assert!(open_to_others(&data).len() > 5);
    let server = Program::spawn(with_open_hands(&data, &[]));
    server.guest("Cleo").await;
    assert_eq!(open_to_others(&data), Vec::<String>::new(), "repaired");
    server.stop();
}

#[tokio::test]
async fn a_data_folder_that_others_keep_things_in_stays_open_to_them_but_for_ours() {
    let data = folder();
    fs::set_permissions(data.path(), Permissions::from_mode(0o755)).unwrap();
    fs::write(data.path().join("of somebody else"), "hello").unwrap();
    let server = Program::spawn(with_open_hands(data.path(), &[]));
    server.guest("Ada").await;
    server.stop();
    assert_eq!(fs::metadata(data.path()).unwrap().permissions().mode() & 0o777, 0o755);
    assert_eq!(open_to_others(&data.path().join("store")), Vec::<String>::new());
}

#[tokio::test]
async fn a_journal_that_is_gone_after_a_kill_is_noticed_by_serving_and_by_verifying() {
    let data = folder();
    let server = Program::start(data.path(), &[]);
    let (ada, bob) = (server.guest("Ada").await, server.guest("Bob").await);
    ada.starts_a_game_with(&bob).await;
    // Dropped is killed. Whether sled has flushed the last of it by then does not matter: nobody can know.
    drop(server);
    fs::remove_file(data.path().join("store/journal")).unwrap();
    for command in ["verify", "serve"] {
        let told = run(data.path(), &[command]);
        assert!(!told.status.success(), "{command}");
        let sentence = "the file journal is missing";
        assert!(said(&told).contains(sentence) && said(&told).contains("restore a backup"), "{told:?}");
    }
}

/// The way out that the refusals name: without both files the store opens, and says what that means.
#[tokio::test]
async fn a_missing_commit_number_is_told_by_verifying_and_in_the_log() {
    for command in ["verify", "serve"] {
        let data = folder();
        let server = Program::start(data.path(), &[]);
        server.guest("Ada").await;
        server.stop();
        for file in ["journal", "commit-number"] {
            fs::remove_file(data.path().join("store").join(file)).unwrap();
        }
        let sentence = "the file commit-number was missing";
        if command == "verify" {
            let told = run(data.path(), &[command]);
            assert!(!told.status.success() && said(&told).contains(sentence), "{told:?}");
            assert!(!said(&told).contains("all is well"), "{told:?}");
        } else {
            let server = Program::start(data.path(), &[]);
            server.guest("Bob").await;
            assert!(server.log().contains(sentence), "{}", server.log());
            server.stop();
        }
        let told = run(data.path(), &["verify"]);
        assert!(told.status.success(), "it is there again: {told:?}");
    }
}

/// An unfinished file is locked by the process that writes it.
#[tokio::test]
async fn a_second_export_or_backup_to_the_same_file_leaves_the_first_alone() {
    let (data, elsewhere) = (folder(), folder());
    let file = elsewhere.path().join("export");
    let name = file.to_str().unwrap();
    let unfinished = elsewhere.path().join("export.unfinished");
    let server = Program::start(data.path(), &[]);
    server.guest("Ada").await;
    fs::write(&unfinished, "half of it").unwrap();
    let under_way = File::options().write(true).open(&unfinished).unwrap();
    under_way.lock().unwrap();
    for command in ["export", "backup"] {
        let refused = run(data.path(), &[command, name]);
        assert!(!refused.status.success() && said(&refused).contains("being written by another"), "{refused:?}");
        assert_eq!(fs::read(&unfinished).unwrap(), b"half of it", "{command}");
    }
    drop(under_way);
    let done = run(data.path(), &["backup", name]);
    assert!(done.status.success(), "what nobody writes to any more is overwritten: {}", said(&done));
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 1);
    server.stop();
}

#[tokio::test]
async fn a_backup_replaces_a_file_only_when_it_is_told_to() {
    let (data, elsewhere) = (folder(), folder());
    let file = elsewhere.path().join("backup");
    let name = file.to_str().unwrap();
    fs::write(&file, "something dear").unwrap();
    let server = Program::start(data.path(), &[]);
    server.guest("Ada").await;
    let refused = run(data.path(), &["backup", name]);
    assert!(!refused.status.success() && said(&refused).contains("--overwrite"), "{refused:?}");
    assert_eq!(fs::read(&file).unwrap(), b"something dear");
    let replaced = run(data.path(), &["backup", name, "--overwrite"]);
    assert!(replaced.status.success(), "{}", said(&replaced));
    assert!(fs::read_to_string(&file).unwrap().contains("Ada"));
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 1, "nothing unfinished is left");
    server.stop();
}

#[tokio::test]
async fn an_export_that_failed_leaves_nothing_in_the_way_of_the_next() {
    let (data, elsewhere) = (folder(), folder());
    let file = elsewhere.path().join("export");
    let name = file.to_str().unwrap();
    let server = Program::start(data.path(), &[]);
    server.guest("Ada").await;
    let refused = run(data.path(), &["export", name]);
    assert!(!refused.status.success() && said(&refused).contains("in use"), "{refused:?}");
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);
    server.stop();
    let exported = run(data.path(), &["export", name]);
    assert!(exported.status.success(), "{}", said(&exported));
    let whole = fs::read(&file).unwrap();
    let refused = run(data.path(), &["export", name]);
    assert!(!refused.status.success() && said(&refused).contains("exists already"), "{refused:?}");
    assert_eq!(fs::read(&file).unwrap(), whole);
}
