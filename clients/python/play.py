"""A whole game of Chips by two guests, with the client that openapi-python-client makes of /openapi.json:

    python3 -m venv venv && venv/bin/pip install -r requirements.txt
    PATH=$PWD/venv/bin:$PATH openapi-python-client generate --url http://127.0.0.1:8080/openapi.json \
        --meta none --output-path ludotheque_client --overwrite
    venv/bin/python play.py
"""

import os
import random

from ludotheque_client import AuthenticatedClient, Client
from ludotheque_client.api.games import create_game, create_seat, start_game
from ludotheque_client.api.play import list_legal_moves, play_move
from ludotheque_client.api.players import create_player
from ludotheque_client.models import CreateGame, CreateGameKind, Play, Problem, Register, Sit, Start

URL = os.environ.get("LUDOTHEQUE_URL", "http://127.0.0.1:8080")


def told(answer):
    """An answer, or why there is none."""
    if answer is None or isinstance(answer, Problem):
        raise RuntimeError(answer.detail if answer else "no answer")
    return answer


def guest(name):
    """A client with a guest's token."""
    tokens = told(create_player.sync(client=Client(base_url=URL), body=Register(display_name=name)))
    return AuthenticatedClient(base_url=URL, token=tokens.access_token)


ada, bob = guest("Ada"), guest("Bob")
game = told(create_game.sync(client=ada, body=CreateGame(kind=CreateGameKind.CHIPS, seats=2)))
told(create_seat.sync(game.id, client=bob, body=Sit()))
game = told(start_game.sync(game.id, client=ada, body=Start()))

played = 0
while game.status == "ACTIVE" and played < 1000:
    seat = game.waiting_for[0]
    player = (ada, bob)[seat]
    legal = told(list_legal_moves.sync(game.id, client=player))
    move = random.choice(legal.moves)
    print(f"{('Ada', 'Bob')[seat]}: {move.label}")
    game = told(play_move.sync(game.id, client=player, body=Play(id=move.id))).game
    played += 1
winners = " and ".join(str(seat) for seat in game.outcome.winners)
print(f"{game.id} {game.status} after {played} moves, won by seat {winners}")
