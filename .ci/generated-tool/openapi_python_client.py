"""Calls every operation with the client of openapi-python-client."""

import importlib
import pkgutil
import sys

import desk_opc.api
from desk_opc import Client, models
from report import DOCUMENTS, PILOT, check, refuses

base = sys.argv[1]

# The module of each operation, by its name without underscores.
modules = {
    info.name.rsplit(".", 1)[1].replace("_", ""): importlib.import_module(info.name)
    for info in pkgutil.walk_packages(desk_opc.api.__path__, "desk_opc.api.") if not info.ispkg
}


def call(operation, address="10.0.0.2", origin=None, **arguments):
    headers = {"X-Forwarded-For": address} | ({"Origin": origin} if origin else {})
    client = Client(base_url=base, headers=headers)
    return modules[operation.lower()].sync_detailed(client=client, **arguments)


def forbidden(operation, **arguments):
    response = call(operation, origin="https://elsewhere.example", **arguments)
    return response.status_code == 403 and response.parsed.code == "forbidden"


question = models.Question(q="What does it cost?")
pilot = lambda **more: models.PilotRequest(**PILOT, **more)
ping = models.JSONRPCRequest(jsonrpc="2.0", id=1, method="ping")

check("getHealth", lambda: call("getHealth").parsed.status == "ok")
refuses("getHealth", lambda: forbidden("getHealth"))
for operation in ("getCatalog", "getAgents"):
    check(operation, lambda: len(call(operation).parsed.services) > 0)
    refuses(operation, lambda: forbidden(operation))
for operation in ("ask", "askAlias"):
    check(operation, lambda: call(operation, body=question).parsed.ok is True)
    refuses(operation, lambda: forbidden(operation, body=question))
check("giveFeedback", lambda: call("giveFeedback", body=models.Feedback(helpful=True, q="What does it cost?")).parsed.ok is True)
refuses("giveFeedback", lambda: call("giveFeedback", body=models.Feedback(helpful=True, entry_id="no-such-entry")).parsed.detail.startswith("entry_id"))
for operation in ("contact", "contactAlias"):
    check(operation, lambda: isinstance(call(operation, body=pilot(dry_run=True)).parsed, models.Preview)
          and isinstance(call(operation, body=pilot()).parsed, models.Accepted))
    refuses(operation, lambda: call(operation, body=pilot(preview="0" * 64)).parsed.code == "invalid_request")
for operation in ("websiteMCP", "workspaceMCP"):
    check(operation, lambda: call(operation, body=ping).parsed.result.to_dict() == {})
    refuses(operation, lambda: forbidden(operation, body=ping))
for operation, is_open in DOCUMENTS.items():
    check(operation, lambda: len(body if isinstance(body := call(operation).parsed, str) else body.to_dict()) > 0)
    if not is_open:
        refuses(operation, lambda: forbidden(operation))
