"""openapi-python-client, on the document that the running server serves: its client plays a whole game. The example is
that of clients/python."""

import json
import os
import pathlib
import re
import subprocess
import sys
import urllib.request

from check import check

URL = os.environ["LUDOTHEQUE_URL"]
TOOLS = pathlib.Path(sys.executable).parent


def run(*command):
    # The generator formats with ruff, which it looks for on the path.
    environment = {**os.environ, "PATH": f"{TOOLS}:{os.environ['PATH']}"}
    output = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment, check=False)
    assert output.returncode == 0, output.stdout + output.stderr
    return output.stdout + output.stderr


def generates():
    where = ["--url", URL + "/openapi.json", "--meta", "none", "--output-path", "ludotheque_client", "--overwrite"]
    said = run(TOOLS / "openapi-python-client", "generate", "--fail-on-warning", *where)
    assert "Warning" not in said, said


def is_short():
    lines = len(pathlib.Path("play.py").read_text().splitlines())
    assert lines < 150, lines


def plays():
    said = run(sys.executable, "play.py")
    ended = re.search(r"^(game_\w+) FINISHED after (\d+) moves, won by seat \d", said, re.MULTILINE)
    assert ended, said
    with urllib.request.urlopen(f"{URL}/v1/games/{ended[1]}/replay") as answer:
        replay = json.load(answer)
    assert replay["status"] == "FINISHED"
    assert len(replay["steps"]) == int(ended[2]) + 3, "created, joined and started, and all the moves"


check("openapi-python-client generates a client, without a warning", generates)
check("its example is a short one", is_short)
check("it plays a whole game of Chips", plays)
