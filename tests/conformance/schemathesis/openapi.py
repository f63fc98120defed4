"""Schemathesis on the served OpenAPI document: its examples, all edges of all schemas, and random requests, good and bad.
Every answer is held to every check. The links are walked in walk.py."""

from tester import URL, report_checks, run

report_checks(run(URL + "/openapi.json", "schemathesis.toml", "--phases", "examples,coverage,fuzzing"))
