"""OpenAPI Generator for Python, on the plain profile of the document that the running server serves: its client plays every
kind."""

import os
import sys

from check import TOOLS, check, run

DOCUMENT = os.environ["LUDOTHEQUE_URL"] + "/openapi.json?profile=plain"


def generates():
    client = ["-g", "python", "-i", DOCUMENT, "-o", "python", "--package-name", "ludotheque_python"]
    parts = "models,apis,supportingFiles,modelDocs=false,apiDocs=false,modelTests=false,apiTests=false"
    run(TOOLS / "openapi-generator-cli", "generate", *client, "--global-property", parts)


os.environ["PYTHONPATH"] = os.environ["MYPYPATH"] = "python"
check("OpenAPI Generator makes a client for Python", generates)
check("its use passes mypy", lambda: run(TOOLS / "mypy", "client.py"))
print(run(sys.executable, "client.py"), end="")
