//! The manifests to deploy with say nothing that the program, or another part of them, does not know.

use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// The documents of a file in the repository.
fn documents(file: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).expect("it is there");
    let documents = yaml_serde::Deserializer::from_str(&text).map(Value::deserialize);
    documents.map(|document| document.unwrap_or_else(|error| panic!("{file}: {error}"))).collect()
}

/// The one document of a kind.
fn of_kind<'a>(documents: &'a [Value], kind: &str) -> &'a Value {
    documents.iter().find(|document| document["kind"] == kind).unwrap_or_else(|| panic!("no {kind}"))
}

fn items(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().unwrap_or_else(|| panic!("no list: {list}")).iter()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}"))
}

/// Every variable that the program reads.
fn variables() -> BTreeSet<String> {
    let help = Command::new(env!("CARGO_BIN_EXE_ludotheque")).arg("--help").output().expect("the program starts");
    let help = String::from_utf8(help.stdout).expect("plain text");
    let words = help.split(|c: char| !(c.is_ascii_uppercase() || c == '_'));
    words.filter(|word| word.starts_with("LUDOTHEQUE_")).map(str::to_owned).collect()
}

#[track_caller]
fn is_read(variable: &str, known: &BTreeSet<String>) {
    assert!(known.contains(variable), "the program does not read {variable}");
}

#[test]
fn the_compose_file_has_three_nodes_a_primary_and_a_standby_and_names_only_what_there_is() {
    let [ref compose] = documents("docker-compose.yml")[..] else { panic!("one document") };
    let services = compose["services"].as_object().expect("services");
    let nodes: Vec<_> = services.values().filter(|service| service["image"] == "ludotheque").collect();
    assert_eq!(nodes.len(), 3);
    let known = variables();
    for node in nodes {
        assert_eq!(node["build"], ".", "what is here is what runs");
        for (variable, _) in node["environment"].as_object().expect("variables") {
            is_read(variable, &known);
        }
        let store = text(&node["environment"]["LUDOTHEQUE_STORE"]);
        assert!(store.contains("@primary:5432,standby:5432/"), "after a fail-over the other one is found: {store}");
    }
    for (name, service) in services {
        let needed = match &service["depends_on"] {
            Value::Object(needed) => needed.keys().map(String::as_str).collect(),
            Value::Array(needed) => needed.iter().map(text).collect(),
            _ => Vec::new(),
        };
        for other in needed {
            assert!(services.contains_key(other), "{name} waits for {other}");
        }
        for mount in service["volumes"].as_array().into_iter().flatten() {
            let from = text(mount).split(':').next().unwrap_or_default();
            let there = match from.strip_prefix("./") {
                Some(file) => Path::new(env!("CARGO_MANIFEST_DIR")).join(file).is_file(),
                None => compose["volumes"].as_object().is_some_and(|volumes| volumes.contains_key(from)),
            };
            assert!(there, "{name} mounts {from}");
        }
    }
}

#[test]
fn the_kubernetes_manifest_updates_without_a_gap_and_its_parts_fit_together() {
    let documents = documents("deploy/kubernetes.yaml");
    for document in &documents {
        assert!(document["apiVersion"].is_string() && document["metadata"]["name"].is_string(), "{document}");
    }
    let database = of_kind(&documents, "Cluster");
    assert_eq!(
        (&database["spec"]["instances"], &database["spec"]["postgresql"]["synchronous"]["number"]),
        (&2.into(), &1.into())
    );
    let secret = format!("{}-app", text(&database["metadata"]["name"]));

    let deployment = of_kind(&documents, "Deployment");
    assert_eq!(deployment["spec"]["replicas"], 3);
    assert_eq!(deployment["spec"]["strategy"]["rollingUpdate"]["maxUnavailable"], 0);
    let pod = &deployment["spec"]["template"];
    let [ref node] = items(&pod["spec"]["containers"]).cloned().collect::<Vec<_>>()[..] else {
        panic!("one container")
    };
    let known = variables();
    for container in items(&pod["spec"]["initContainers"]).chain([node]) {
        for variable in items(&container["env"]) {
            is_read(text(&variable["name"]), &known);
        }
        let store = items(&container["env"]).find(|variable| variable["name"] == "LUDOTHEQUE_STORE").expect("a store");
        assert_eq!(store["valueFrom"]["secretKeyRef"]["name"], secret.as_str());
    }
    for (variable, port) in [("LUDOTHEQUE_LISTEN", "http"), ("LUDOTHEQUE_ADMIN_LISTEN", "admin")] {
        let address = items(&node["env"]).find(|each| each["name"] == variable).map(|each| text(&each["value"]));
        let port = items(&node["ports"]).find(|each| each["name"] == port).expect("a port");
        assert_eq!(address.and_then(|address| address.rsplit(':').next()), Some(&*port["containerPort"].to_string()));
    }
    for (probe, path) in [("startupProbe", "/livez"), ("livenessProbe", "/livez"), ("readinessProbe", "/readyz")] {
        assert_eq!((&node[probe]["httpGet"]["path"], &node[probe]["httpGet"]["port"]), (&path.into(), &"http".into()));
    }
    let labels = &pod["metadata"]["labels"];
    assert_eq!(&deployment["spec"]["selector"]["matchLabels"], labels);
    assert_eq!(&of_kind(&documents, "Service")["spec"]["selector"], labels);
    assert_eq!(&of_kind(&documents, "PodDisruptionBudget")["spec"]["selector"]["matchLabels"], labels);
}

/// Every `uses` of a workflow, and every command that it runs.
fn steps(workflow: &Value) -> (Vec<&str>, String) {
    let steps = workflow["jobs"].as_object().expect("jobs").values().flat_map(|job| items(&job["steps"]));
    let (actions, commands): (Vec<_>, Vec<_>) = steps.partition(|step| step["uses"].is_string());
    let commands = commands.iter().map(|step| text(&step["run"])).collect::<Vec<_>>().join("\n");
    (actions.iter().map(|step| text(&step["uses"])).collect(), commands)
}

#[test]
fn workflows_run_our_own_scripts_with_few_rights_and_pinned_actions() {
    for (file, script) in [("check.yml", ".ci/run"), ("release.yml", "scripts/package")] {
        let [ref workflow] = documents(&format!(".github/workflows/{file}"))[..] else { panic!("one document") };
        assert_eq!(workflow["permissions"], serde_json::json!({ "contents": "read" }), "{file}");
        let (actions, commands) = steps(workflow);
        assert!(commands.contains(script), "{file} runs {commands}");
        assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(script).is_file(), "{script} is there");
        for action in actions {
            let (_, version) = action.split_once("@v").unwrap_or_else(|| panic!("{action} has no version"));
            assert!(version.parse::<u8>().is_ok(), "{action} is not pinned to a major version");
        }
    }
}

/// Runs a program in a folder, and answers what it printed.
fn run(program: &str, arguments: &[&str], folder: &Path) -> String {
    let ran = Command::new(program).args(arguments).current_dir(folder).output();
    let ran = ran.unwrap_or_else(|error| panic!("{program}: {error}"));
    assert!(ran.status.success(), "{program} {arguments:?}: {}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8_lossy(&ran.stdout).into_owned()
}

#[test]
fn a_package_unpacks_into_a_program_with_its_licences_manual_and_checksum() {
    let (root, out) = (Path::new(env!("CARGO_MANIFEST_DIR")), tempfile::tempdir().expect("a folder"));
    let binary = env!("CARGO_BIN_EXE_ludotheque");
    let printed = run("./scripts/package", &["--binary", binary, "--out", &out.path().to_string_lossy()], root);
    let archive = Path::new(printed.trim()).file_name().expect("the archive").to_string_lossy();
    let name = archive.strip_suffix(".tar.gz").expect("an archive");
    run("sha256sum", &["--check", &format!("{archive}.sha256")], out.path());
    run("tar", &["-xzf", &archive], out.path());

    let folder = out.path().join(name);
    let read =
        |file: &str| std::fs::read_to_string(folder.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
    for (file, part) in [
        ("LICENSE-MIT", "Permission is hereby granted"),
        ("NOTICE", "THE GAMES BELONG TO THEIR AUTHORS"),
        ("LICENSES-THIRD-PARTY", "\n  axum "),
        ("README.md", "# Ludotheque"),
        ("docs/ludotheque.service", "ExecStart=/usr/local/bin/ludotheque serve"),
        ("completions/ludotheque.bash", "--admin-listen"),
        ("completions/_ludotheque", "#compdef ludotheque"),
        ("completions/ludotheque.fish", "complete -c ludotheque"),
        ("man/ludotheque.1", "LUDOTHEQUE_ADMIN_LISTEN"),
        ("man/ludotheque-keys-rotate.1", "ludotheque(1)"),
        ("sbom.json", "pkg:cargo/axum@"),
    ] {
        assert!(read(file).contains(part), "{file} lacks {part:?}");
    }
    assert!(!read("man/ludotheque-keys-rotate.1").contains("LUDOTHEQUE_"), "settings are in one page");
    let version = concat!("ludotheque ", env!("CARGO_PKG_VERSION"), "\n");
    assert_eq!(run("./ludotheque", &["--version"], &folder), version);
    let size = |file: &Path| file.metadata().expect("it is there").len();
    assert!(size(&folder.join("ludotheque")) < size(Path::new(binary)), "the program is stripped");
}
