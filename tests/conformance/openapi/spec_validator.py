"""openapi-spec-validator: the served document is an OpenAPI 3.1 document, and an invalid one is detected."""

import copy
import json
import os
import urllib.request

from check import check
from openapi_spec_validator import OpenAPIV31SpecValidator

with urllib.request.urlopen(os.environ["LUDOTHEQUE_URL"] + "/openapi.json") as answer:
    DOCUMENT = json.load(answer)


def errors(document):
    return [error.message for error in OpenAPIV31SpecValidator(document).iter_errors()]


def is_valid():
    assert errors(DOCUMENT) == []


def notices(harm):
    def work():
        harmed = copy.deepcopy(DOCUMENT)
        harm(harmed)
        assert errors(harmed) != []

    return work


def without_a_path_parameter(document):
    get_game = document["paths"]["/v1/games/{id}"]["get"]
    get_game["parameters"] = [one for one in get_game["parameters"] if one["name"] != "id"]


def with_two_operations_of_one_name(document):
    document["paths"]["/livez"]["get"]["operationId"] = "get_game"


check("the document is valid", is_valid)
check("a document without a title is noticed", notices(lambda document: document["info"].pop("title")))
check("a path without its parameter is noticed", notices(without_a_path_parameter))
check("two operations of one name are noticed", notices(with_two_operations_of_one_name))
