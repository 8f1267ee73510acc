"""Calls every operation with the Python client of OpenAPI Generator."""

import sys

import desk_oag as desk
from desk_oag.api import answers_api, catalog_api, documents_api, health_api, mcp_api, pilot_requests_api
from report import DOCUMENTS, PILOT, check, refuses

base = sys.argv[1]


def api(kind, address="10.0.0.1", **headers):
    client = desk.ApiClient(desk.Configuration(host=base))
    for name, value in {"X-Forwarded-For": address, **headers}.items():
        client.set_default_header(name, value)
    return kind(client)


def forbidden(kind, method, *args, **kwargs):
    """A foreign origin is refused, and the refusal is a typed problem record."""
    try:
        getattr(api(kind, Origin="https://elsewhere.example"), method)(*args, **kwargs)
    except desk.ApiException as refusal:
        return refusal.status == 403 and refusal.data.code == "forbidden"
    return False


question = desk.Question(q="What does it cost?")
pilot = lambda **more: desk.PilotRequest(**PILOT, **more)
ping = desk.JSONRPCRequest(jsonrpc="2.0", id=desk.JSONRPCRequestId(1), method="ping")

check("getHealth", lambda: api(health_api.HealthApi).get_health().status == "ok")
refuses("getHealth", lambda: forbidden(health_api.HealthApi, "get_health"))
for operation, method in (("getCatalog", "get_catalog"), ("getAgents", "get_agents")):
    check(operation, lambda: len(getattr(api(catalog_api.CatalogApi), method)().services) > 0)
    refuses(operation, lambda: forbidden(catalog_api.CatalogApi, method))
for operation, method in (("ask", "ask"), ("askAlias", "ask_alias")):
    check(operation, lambda: getattr(api(answers_api.AnswersApi), method)(question).ok is True)
    refuses(operation, lambda: forbidden(answers_api.AnswersApi, method, question))
check("giveFeedback", lambda: api(answers_api.AnswersApi).give_feedback(desk.Feedback(helpful=True, q="What does it cost?")).ok is True)


def unknown_entry():
    try:
        api(answers_api.AnswersApi).give_feedback(desk.Feedback(helpful=True, entry_id="no-such-entry"))
    except desk.ApiException as refusal:
        return refusal.status == 400 and refusal.data.detail.startswith("entry_id")


refuses("giveFeedback", unknown_entry)
for operation, method in (("contact", "contact"), ("contactAlias", "contact_alias")):
    call = lambda request: getattr(api(pilot_requests_api.PilotRequestsApi), method)(request).actual_instance
    check(operation, lambda: isinstance(call(pilot(dry_run=True)), desk.Preview) and isinstance(call(pilot()), desk.Accepted))

    def other_preview():
        try:
            call(pilot(preview="0" * 64))
        except desk.ApiException as refusal:
            return refusal.status == 400 and refusal.data.code == "invalid_request"

    refuses(operation, other_preview)
for operation, method in (("websiteMCP", "website_mcp"), ("workspaceMCP", "workspace_mcp")):
    check(operation, lambda: getattr(api(mcp_api.MCPApi), method)(ping).result == {})
    refuses(operation, lambda: forbidden(mcp_api.MCPApi, method, ping))
documents = {name.replace("_", ""): name for name in dir(documents_api.DocumentsApi) if name.startswith("get_")}
for operation, is_open in DOCUMENTS.items():
    method = documents[operation.lower()]
    check(operation, lambda: len(getattr(api(documents_api.DocumentsApi), method)()) > 0)
    if not is_open:
        refuses(operation, lambda: forbidden(documents_api.DocumentsApi, method))
