"""gql for Python: checks its documents against the schema that the running server tells, and plays every kind."""

import os
import pathlib
from typing import Any

from gql import Client, GraphQLRequest, gql
from gql.transport.requests import RequestsHTTPTransport
from gql.transport.websockets import WebsocketsTransport

from check import check
from play import play_every_kind

URL = os.environ["LUDOTHEQUE_URL"] + "/graphql"
DOCUMENT = gql(pathlib.Path("play.graphql").read_text())
FOLLOW = gql("subscription ($game: ID!) { gameEvents(gameId: $game) { version events { __typename type } } }")

with Client(transport=RequestsHTTPTransport(url=URL), fetch_schema_from_transport=True) as anybody:
    SCHEMA = anybody.client.schema


class Connection:
    """A client with the schema of the server, which every document must fit before it is sent."""

    def __init__(self, token: str | None = None) -> None:
        self.headers = {"authorization": f"Bearer {token}"} if token else {}
        transport = RequestsHTTPTransport(url=URL, headers=self.headers)
        self.client = Client(transport=transport, schema=SCHEMA)

    def ask(self, operation: str, **variables: Any) -> Any:
        """The only field of an operation of play.graphql; a refusal is an error."""
        request = GraphQLRequest(DOCUMENT, variable_values=variables, operation_name=operation)
        (answer,) = self.client.execute(request).values()
        assert not (isinstance(answer, dict) and answer.get("userErrors")), answer
        return answer


def standing(payload: Any) -> tuple[str, list[int]]:
    return payload["game"]["status"], payload["game"]["waitingFor"]


class Guest:
    """A player with a token."""

    def __init__(self, name: str) -> None:
        self.connection = Connection(Connection().ask("Register", name=name)["tokens"]["accessToken"])
        self.ask = self.connection.ask

    def create(self, kind: str, seats: int) -> str:
        game: str = self.ask("Create", kind=kind, seats=seats)["game"]["id"]
        return game

    def sit(self, game: str) -> None:
        self.ask("Sit", game=game)

    def start(self, game: str) -> tuple[str, list[int]]:
        return standing(self.ask("Start", game=game))

    def legal_moves(self, game: str) -> list[str]:
        return [move["id"] for move in self.ask("Moves", game=game)["moves"]]

    def play(self, game: str, move: str) -> tuple[str, list[int]]:
        return standing(self.ask("Play", game=game, id=move))

    def resign(self, game: str) -> tuple[str, list[int]]:
        return standing(self.ask("Resign", game=game))

    def count_steps(self, game: str) -> tuple[int, int]:
        """A stream of a game that is over tells all of it and ends."""
        transport = WebsocketsTransport(url=URL.replace("http", "ws", 1), init_payload=self.connection.headers)
        request = GraphQLRequest(FOLLOW, variable_values={"game": game})
        told = list(Client(transport=transport).subscribe(request))
        return len(self.ask("Replayed", game=game)["steps"]), len(told)


def kinds() -> list[tuple[str, int]]:
    return [(kind["id"], kind["seats"]["least"]) for kind in Connection().ask("Kinds")]


def refuses_what_is_not_in_the_schema() -> None:
    try:
        Connection().client.execute(gql("{ kinds { nickname } }"))
    except Exception as error:
        assert "Cannot query field 'nickname' on type 'Kind'" in str(error), error
    else:
        raise AssertionError("it was sent")


check("gql refuses what is not in the schema", refuses_what_is_not_in_the_schema)
play_every_kind("gql", Guest, kinds)
