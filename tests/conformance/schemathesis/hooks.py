"""Who calls, and the few requests that fit the document and can't be answered well. Schemathesis loads this file."""

import os
import re

import requests
import schemathesis

URL = os.environ["LUDOTHEQUE_URL"]
TOKENS = {}

# Who does what, on both faces; all the rest is Ada's.
CALLERS = {
    "POST /v1/games/{id}/seats": "Bob",
    "Mutation.sitDown": "Bob",
    "DELETE /v1/players/me": "Eve",
    "DELETE /v1/tokens/current": "Eve",
    "Mutation.deletePlayer": "Eve",
    "Mutation.signOut": "Eve",
}


def guest(name):
    answer = requests.post(URL + "/v1/players", json={"displayName": name}, timeout=10)
    answer.raise_for_status()
    return answer.json()["accessToken"]


@schemathesis.auth(refresh_interval=None)
class Table:
    """Two players: Ada makes the games, Bob sits down at them, so that they can start. Eve goes, and is another each time."""

    def get(self, case, context):
        name = CALLERS.get(context.operation.label, "Ada")
        if name == "Eve" or name not in TOKENS:
            TOKENS[name] = guest(name)
        return TOKENS[name]

    def set(self, case, token, context):
        case.headers = case.headers or {}
        case.headers["Authorization"] = f"Bearer {token}"


@schemathesis.hook
def before_call(context, case, kwargs):
    # A seed is in the document, because a server with `--dev` takes it; this one rightly refuses one that is well formed.
    if isinstance(case.body, dict) and re.fullmatch("[0-9a-f]{64}", str(case.body.get("seed"))):
        del case.body["seed"]


@schemathesis.hook
def before_load_schema(context, document):
    """A legal move is sent back by its id, and nothing is made up beside it. The document can't say so: OpenAPI Generator
    refuses links with an object as their body."""
    for item in document.get("paths", {}).values():
        for operation in item.values():
            if operation.get("operationId") == "list_legal_moves":
                for link in operation["responses"]["200"]["links"].values():
                    link["requestBody"] = {"id": "$response.body#/moves/0/id"}
                    link["x-schemathesis"] = {"merge_body": False}


if "LUDOTHEQUE_WALK" in os.environ:
    KINDS = [kind["kind"] for kind in requests.get(URL + "/v1/kinds", timeout=10).json()["items"]]

    @schemathesis.hook
    def before_call(context, case, kwargs):  # noqa: F811
        """A walk is of players who want to play: at tables for two, of every kind in turn, on any seat, each step once."""
        (case.headers or {}).pop("idempotency-key", None)
        match case.operation.label:
            case "POST /v1/games":
                KINDS.append(KINDS.pop(0))
                case.body = {"kind": KINDS[0], "seats": 2}
            case "POST /v1/games/{id}/seats":
                case.body = {}
