"""Runs schemathesis, and reads what it tells of every request and every check."""

import base64
import json
import os
import pathlib
import subprocess
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass

from check import report

URL = os.environ["LUDOTHEQUE_URL"]


@dataclass
class Case:
    """A request that was made, and what came of it."""

    operation: str
    phase: str
    # The link that led here, with the case that it led from.
    link: str | None
    parent: "Case | None"
    status: int | None
    answer: str
    # By check: why it failed, or nothing.
    checks: dict[str, str | None]


def run(location, config, *options, **environment):
    """All cases of a run. One that did not get to its end fails."""
    told = pathlib.Path("told.ndjson")
    told.unlink(missing_ok=True)
    program = pathlib.Path(sys.executable).parent / "schemathesis"
    command = [program, "--config-file", config, "run", location, "--checks", "all", *options]
    command += ["--report", "ndjson", "--report-ndjson-path", told]
    # The hooks are found beside this file.
    environment = {**os.environ, "PYTHONPATH": ".", **environment}
    output = subprocess.run(command, capture_output=True, text=True, timeout=380, env=environment, check=False)
    events = [json.loads(line) for line in told.read_text().splitlines()] if told.exists() else []
    ended = [event["EngineFinished"]["stop_reason"] for event in events if "EngineFinished" in event]
    errors = [event["NonFatalError"] for event in events if "NonFatalError" in event]
    whole = ended == ["completed"] and not errors and output.returncode in (0, 1)
    report("schemathesis runs to its end", None if whole else f"{ended} {errors} {output.stdout} {output.stderr}")
    finished = (event["ScenarioFinished"] for event in events if "ScenarioFinished" in event)
    return [case for scenario in finished for case in cases(scenario)]


def cases(scenario):
    recorder, made = scenario["recorder"], {}
    for key, told in recorder.get("cases", {}).items():
        value, transition = told["value"], told.get("transition")
        response = recorder.get("interactions", {}).get(key, {}).get("response") or {}
        content = (response.get("content") or {}).get("$base64", "")
        made[key] = Case(
            operation=f"{value['method']} {value['path']}" if scenario["phase"] == "stateful" else recorder["label"],
            phase=scenario["phase"],
            link=transition["id"] if transition else None,
            parent=made.get(told.get("parent_id")),
            status=response.get("status_code"),
            answer=base64.b64decode(content).decode(errors="replace"),
            checks={one["name"]: why(one) for one in recorder.get("checks", {}).get(key, [])},
        )
    return made.values()


def why(one):
    if one["status"] == "success":
        return None
    failure = one["failure_info"]["failure"]
    return f"{failure['title']}: {failure['message']}"


def report_checks(cases, excuse=lambda case, name: False):
    """A line for each check of each operation: how often it was made, or how it failed first."""
    made, failed = defaultdict(Counter), {}
    for case in cases:
        for name, reason in case.checks.items():
            made[case.operation][name] += 1
            if reason and not excuse(case, name):
                failed.setdefault((case.operation, name), f"{reason} ({case.status} {case.answer})")
    for operation, names in sorted(made.items()):
        for name, times in sorted(names.items()):
            report(f"{operation}: {name}, {times} times", failed.get((operation, name)))
