"""What the Python programs share: how results are printed, and what is called."""

import traceback

# Operations of documents, and whether pages of any origin may read them: those refuse
# nothing.
DOCUMENTS = {
    "getOpenAPI": False, "getLLMs": False, "getLLMsFull": False, "getAuthGuide": False, "getAPICatalog": True, "getServerCard": True,
    "getServerCardShort": True, "getServerCardMCP": True, "getWorkspaceServerCard": True, "getLLMsWellKnown": True,
    "getSkills": True, "getSkill": True, "getAICatalog": True, "getARD": True,
    "getKeys": True, "getSecurity": True, "getRobots": False, "getSitemap": False,
}

PILOT = {"name": "Ada Lovelace", "business": "Analytical Engines Ltd", "email": "ada@example.com", "message": "We would like to try it."}


def result(kind, operation, run):
    try:
        good, fault = run(), "the answer is not as expected"
    except Exception as error:
        good, fault = False, traceback.format_exception_only(error)[-1].strip()
    print(f"{'ok' if good else 'FAIL'}\t{kind}\t{operation}" + ("" if good else f"\t{fault[:500]}"), flush=True)


def check(operation, run):
    """Reports a call that must succeed with a typed answer."""
    result("answer", operation, run)


def refuses(operation, run):
    """Reports a call that must fail with a typed error."""
    result("error", operation, run)
