"""ariadne-codegen, on the schema that the running server tells: its client passes `mypy` and plays every kind."""

import sys

from check import TOOLS, check, run

check("ariadne-codegen generates a client", lambda: run(TOOLS / "ariadne-codegen", "client"))
check("its client passes mypy --strict", lambda: run(TOOLS / "mypy", "--strict", "generated"))
check("its use passes mypy", lambda: run(TOOLS / "mypy", "ariadne_client.py"))
print(run(sys.executable, "ariadne_client.py"), end="")
