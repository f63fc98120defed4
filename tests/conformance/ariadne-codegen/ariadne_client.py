"""Plays with the client that ariadne-codegen makes of play.graphql and of the schema that the running server tells."""

import os
from typing import Any, TypeVar

from generated import KindId, Ludotheque
from generated.fragments import Standing
from play import play_every_kind

URL = os.environ["LUDOTHEQUE_URL"] + "/graphql"

T = TypeVar("T")


def given(value: T | None) -> T:
    """What must be there."""
    assert value is not None
    return value


def standing(payload: Any) -> tuple[str, list[int]]:
    """What became of a step; a refusal is an error."""
    game: Standing | None = payload.game
    assert game and not payload.user_errors, payload.user_errors
    return game.status.value, game.waiting_for


class Guest:
    """A player with a token."""

    def __init__(self, name: str) -> None:
        tokens = given(given(Ludotheque(url=URL).register(name).create_player).tokens)
        self.client = Ludotheque(url=URL, headers={"authorization": f"Bearer {tokens.access_token}"})

    def create(self, kind: str, seats: int) -> str:
        return given(given(self.client.create(KindId(kind), seats).create_game).game).id

    def sit(self, game: str) -> None:
        refusals = given(self.client.sit(game).sit_down).user_errors
        assert not refusals, refusals

    def start(self, game: str) -> tuple[str, list[int]]:
        return standing(self.client.start(game).start_game)

    def legal_moves(self, game: str) -> list[str]:
        return [move.id for move in given(self.client.moves(game).legal_moves).moves]

    def play(self, game: str, move: str) -> tuple[str, list[int]]:
        return standing(self.client.play(game, move).play_move)

    def resign(self, game: str) -> tuple[str, list[int]]:
        return standing(self.client.resign(game).resign_game)

    def count_steps(self, game: str) -> tuple[int, int]:
        replay, events = self.client.replayed(game).replay, self.client.told(game).events
        return len(given(replay).steps), len(given(events).nodes)


def kinds() -> list[tuple[str, int]]:
    return [(kind.id.value, kind.seats.least) for kind in Ludotheque(url=URL).kinds().kinds]


play_every_kind("ariadne-codegen", Guest, kinds)
