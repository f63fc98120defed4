"""Schemathesis on GraphQL: random documents, made from the schema that the server tells. Every answer is held to every
check, and every error to our promise: it has a code, and is none of our faults."""

import json

from tester import URL, report, report_checks, run

# Refusals of what the schema can't say: a version that is none, a page that is too long, a document that asks for too much.
REFUSED = {"MALFORMED", "BAD_CURSOR", "LIMIT_EXCEEDED", "UNAUTHENTICATED"}
# Documents that are meant to be wrong.
INVALID = {"GRAPHQL_VALIDATION_FAILED", "GRAPHQL_PARSE_FAILED"}
# What the schema does say, and schemathesis does not know: `@oneOf`, and the bounds of the numbers behind `Int`.
UNKNOWN = ("Oneof input objects", "Oneof Input Objects", 'Failed to parse "Int"')


def errors(case):
    return json.loads(case.answer).get("errors", [])


def code(error):
    return error.get("extensions", {}).get("code")


def is_refusal(error):
    return code(error) in REFUSED or (code(error) in INVALID and any(words in error["message"] for words in UNKNOWN))


def excuse(case, name):
    """Two of the checks take every error for a fault. Those that we promise are none."""
    in_question = name in ("not_a_server_error", "positive_data_acceptance")
    return in_question and case.status == 200 and all(is_refusal(error) for error in errors(case))


made = run(URL + "/graphql", "graphql.toml")
report_checks(made, excuse)
for operation in sorted({case.operation for case in made}):
    found = [error for case in made if case.operation == operation for error in errors(case)]
    wrong = [error for error in found if code(error) not in REFUSED | INVALID]
    report(f"{operation}: its {len(found)} errors are refusals, each with a code", str(wrong[:5]) if wrong else None)
