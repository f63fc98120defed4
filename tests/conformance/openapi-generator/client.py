"""Plays with the client that OpenAPI Generator makes for Python. Its models check every answer: types, enums, patterns."""

import os

from ludotheque_python import (
    ApiClient,
    Configuration,
    CreateGame,
    GamesApi,
    KindsApi,
    Play,
    PlayApi,
    PlayersApi,
    Register,
)
from play import play_every_kind

URL = os.environ["LUDOTHEQUE_URL"]


def standing(game):
    return game.status.value, game.waiting_for


class Guest:
    """A player with a token."""

    def __init__(self, name: str) -> None:
        tokens = PlayersApi(ApiClient(Configuration(host=URL))).create_player(Register(display_name=name))
        client = ApiClient(Configuration(host=URL, access_token=tokens.access_token))
        self.games, self.moves = GamesApi(client), PlayApi(client)

    def create(self, kind, seats):
        return self.games.create_game(CreateGame(kind=kind, seats=seats)).id

    def sit(self, game):
        self.games.create_seat(game)

    def start(self, game):
        return standing(self.games.start_game(game))

    def legal_moves(self, game):
        return [move.id for move in self.moves.list_legal_moves(game).moves]

    def play(self, game, move):
        return standing(self.moves.play_move(game, Play(id=move)).game)

    def resign(self, game):
        return standing(self.moves.resign_game(game).game)

    def count_steps(self, game):
        return len(self.games.get_replay(game).steps), len(self.moves.list_events(game, limit=1000).items)


def kinds():
    listed = KindsApi(ApiClient(Configuration(host=URL))).list_kinds().items
    return [(kind.kind, kind.seats.least) for kind in listed]


play_every_kind("python", Guest, kinds)
