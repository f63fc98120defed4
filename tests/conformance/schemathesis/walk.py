"""Schemathesis on the links of the OpenAPI document: from a game that is made to a move that is played, for two players,
over every kind that there is. That the whole way was walked, and each link followed, is read from its report."""

from collections import Counter

from tester import URL, report, report_checks, run

WAY = [
    "POST /v1/games",
    "POST /v1/games/{id}/seats",
    "POST /v1/games/{id}/start",
    "GET /v1/games/{id}/legal-moves",
    "POST /v1/games/{id}/moves",
]
STEPS = ["create_game", "create_seat", "start_game", "list_legal_moves", "play_move", "resign_game", "get_replay"]


def way_to(case):
    """The operations that led to a case, each of them done."""
    steps = []
    while case and case.status and case.status < 300:
        steps.append(case.operation)
        case = case.parent
    return steps[::-1]


chosen = [option for step in STEPS for option in ("--include-operation-id", step)]
made = run(
    URL + "/openapi.json", "walk.toml", "--phases", "stateful", "--mode", "positive", *chosen,
    LUDOTHEQUE_WALK="on",
)
report_checks(made)
followed = Counter(case.link for case in made if case.link and case.status and case.status < 300)
for link in sorted({case.link for case in made if case.link}):
    report(f"the link {link} was followed", None if followed[link] else "it never led to anything")
walked = sum(way_to(case) == WAY for case in made)
report(f"create, join, start, list and play in one walk, {walked} times", None if walked else "nobody got there")
over = sum(way_to(case)[-2:] == ["POST /v1/games/{id}/resignation", "GET /v1/games/{id}/replay"] for case in made)
report(f"from there to the replay, {over} times", None if over else "nobody got there")
