"""OpenAPI Generator for Rust, on the plain profile of the document that the running server serves: its client compiles and
plays every kind. It takes the longest of all to compile, and runs only where it is asked for."""

import os
import pathlib
import shutil

from check import TOOLS, check, run

DOCUMENT = os.environ["LUDOTHEQUE_URL"] + "/openapi.json?profile=plain"
CRATE = pathlib.Path("rust")


def generates():
    properties = "packageName=ludotheque_rust,supportAsync=false"
    client = ["-g", "rust", "-i", DOCUMENT, "-o", str(CRATE), "--additional-properties", properties]
    run(TOOLS / "openapi-generator-cli", "generate", *client)


def compiles():
    # It lies within our workspace, and is none of it.
    with (CRATE / "Cargo.toml").open("a") as manifest:
        manifest.write("\n[workspace]\n")
    (CRATE / "examples").mkdir(exist_ok=True)
    shutil.copy("client.rs", CRATE / "examples" / "play.rs")
    shutil.copy("Cargo.lock", CRATE)
    os.environ["CARGO_TARGET_DIR"] = "rust-target"
    os.environ["CARGO_PROFILE_DEV_DEBUG"] = "0"
    # Without TLS, which a server on this machine does not speak.
    where = ["--manifest-path", str(CRATE / "Cargo.toml"), "--example", "play"]
    run("cargo", "build", "--quiet", "--locked", "--no-default-features", *where)


check("OpenAPI Generator makes a client for Rust", generates)
check("its client compiles", compiles)
print(run("rust-target/debug/examples/play"), end="")
