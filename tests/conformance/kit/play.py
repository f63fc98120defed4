"""Plays a game of every kind with a generated client, which stands behind the few calls of `Player`. Knows no game: it
sends back the id of a legal move."""

import random
from typing import Protocol

from check import check

# Enough to have seen most of a kind; who is not done by then gives up.
MOVES = 150


class Player(Protocol):
    """A guest, with the calls of the client that is tried out. `Standing` is a game's status and the seats waited for."""

    def create(self, kind: str, seats: int) -> str: ...
    def sit(self, game: str) -> None: ...
    def start(self, game: str) -> tuple[str, list[int]]: ...
    def legal_moves(self, game: str) -> list[str]: ...
    def play(self, game: str, move: str) -> tuple[str, list[int]]: ...
    def resign(self, game: str) -> tuple[str, list[int]]: ...
    def count_steps(self, game: str) -> tuple[int, int]:
        """How many steps the replay has, and how many were told as events."""


def play_game(guest, kind, seats):
    """A whole game, from lobby to replay."""
    chance = random.Random(kind)
    players = [guest(f"Seat {seat}") for seat in range(seats)]
    game = players[0].create(kind, seats)
    for player in players[1:]:
        player.sit(game)
    status, waiting_for = players[0].start(game)
    played = 0
    while status == "ACTIVE" and played < MOVES:
        # With simultaneous moves, `waitingFor` may be empty.
        player = players[waiting_for[0] if waiting_for else played % seats]
        status, waiting_for = player.play(game, chance.choice(player.legal_moves(game)))
        played += 1
    for player in players:
        if status == "ACTIVE":
            status, _ = player.resign(game)
    assert status in ("FINISHED", "ABANDONED"), status
    replayed, told = players[0].count_steps(game)
    assert replayed == told > played, (replayed, told, played)


def play_every_kind(tool, guest, kinds):
    """A check for each kind. `kinds` gives each with the fewest seats that it takes."""
    names = []
    check(f"{tool} lists the kinds", lambda: names.extend(kinds()))
    for kind, seats in names:
        check(f"{tool} plays {kind}", lambda kind=kind, seats=seats: play_game(guest, kind, seats))
