"""The list of what the program is made of: valid CycloneDX, complete, and the same each time."""

import json
import os
import pathlib
import subprocess

from check import check
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

SOURCES = pathlib.Path(os.environ["LUDOTHEQUE_SOURCES"])


def run(*command):
    return subprocess.run(command, cwd=SOURCES, check=True, capture_output=True, text=True).stdout


TEXT = run("./scripts/sbom")
BOM = json.loads(TEXT)
COMPONENTS = {component["bom-ref"]: component for component in BOM["components"]}


def is_valid():
    found = JsonStrictValidator(SchemaVersion.V1_6).validate_str(TEXT)
    assert found is None, found


def is_the_same_each_time():
    assert run("./scripts/sbom") == TEXT


def has_every_crate_and_no_other():
    """Compared with cargo's own list of what is compiled."""
    tree = ["cargo", "tree", "--locked", "--edges", "normal,build", "--prefix", "none", "--format", "{p}"]
    lines = run(*tree, "--target", "x86_64-unknown-linux-gnu").splitlines()
    compiled = {tuple(line.split()[:2]) for line in lines if line and not line.startswith("ludotheque ")}
    listed = {(one["name"], "v" + one["version"]) for ref, one in COMPONENTS.items() if ref.startswith("pkg:cargo/")}
    missing = compiled - listed
    assert not missing, missing
    assert {"axum", "sled", "tokio"} <= {name for name, _ in listed}
    developed_with = {"proptest", "criterion", "reqwest", "tokio-tungstenite", "jsonschema"}
    compiled_names = {name for name, _ in compiled}
    assert not (developed_with - compiled_names) & {name for name, _ in listed}


def has_the_packages_of_the_pages():
    direct = json.loads((SOURCES / "web" / "package.json").read_text())["dependencies"]
    listed = {(one["name"], one["version"]) for ref, one in COMPONENTS.items() if ref.startswith("pkg:npm/")}
    assert set(direct.items()) <= listed, set(direct.items()) - listed


def has_checksums():
    """All but the crates of this workspace, which no registry has a checksum of."""
    own = json.loads(run("cargo", "metadata", "--locked", "--no-deps", "--format-version", "1"))["packages"]
    own = {f"pkg:cargo/{package['name']}@{package['version']}" for package in own}
    without = [ref for ref, component in COMPONENTS.items() if not component.get("hashes") and ref not in own]
    assert not without, without


def has_licences_of_all_crates():
    without = [ref for ref, one in COMPONENTS.items() if ref.startswith("pkg:cargo/") and not one.get("licenses")]
    assert not without, without


def leads_nowhere_else():
    known = {*COMPONENTS, BOM["metadata"]["component"]["bom-ref"]}
    named = {ref for one in BOM["dependencies"] for ref in (one["ref"], *one["dependsOn"])}
    assert named <= known, named - known


check("it is CycloneDX 1.6", is_valid)
check("it is the same each time", is_the_same_each_time)
check("every crate that is compiled is listed, and none that only tests need", has_every_crate_and_no_other)
check("the packages of the pages are listed, in the versions that are pinned", has_the_packages_of_the_pages)
check("everything has a checksum", has_checksums)
check("every crate has a licence", has_licences_of_all_crates)
check("dependencies lead to what is listed", leads_nowhere_else)
