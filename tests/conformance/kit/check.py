"""Prints a line for each named check; the Rust test counts them."""

import os
import pathlib
import subprocess
import sys
import traceback

# The commands of the suite's own environment.
TOOLS = pathlib.Path(sys.executable).parent


def check(name, work):
    """Runs a check. What it raises is why it failed."""
    try:
        work()
    except Exception:
        report(name, traceback.format_exc())
    else:
        report(name)


def report(name, why=None):
    """Tells of a check that has been made."""
    line = f"ok {name}" if why is None else f"not ok {name}: {' | '.join(why.splitlines())[:4000]}"
    print(line, flush=True)


def run(*command):
    """What a command says; one that fails raises all of it."""
    # Some tools look for others of their environment on the path.
    environment = {**os.environ, "PATH": f"{TOOLS}:{os.environ['PATH']}"}
    output = subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment, check=False)
    assert output.returncode == 0, output.stdout + output.stderr
    return output.stdout
