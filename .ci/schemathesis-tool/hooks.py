"""Hooks of .ci/schemathesis.

Every request comes from another client address, because limits count per client.

Two checks of Schemathesis, whether valid data is accepted and invalid data refused,
are wrapped: a finding that is an artefact of the list below is counted instead of
reported. Everything else fails the run.
"""

import atexit
import collections
import itertools
import unicodedata
from urllib.parse import parse_qs

import schemathesis
from schemathesis.core.failures import Failure
from schemathesis.specs.openapi import checks

BOUNDS = {"q": 300, "name": 200, "business": 200, "message": 5000, "comment": 400, "email": 254}


def fields(case):
    """The fields of a body as the service reads them."""
    if isinstance(case.body, dict):
        return case.body
    if isinstance(case.body, (bytes, str)):
        text = case.body if isinstance(case.body, str) else case.body.decode("utf-8", "replace")
        return {name: values[0] for name, values in parse_qs(text).items()}
    return {}


def texts(case):
    return {name: value for name, value in fields(case).items() if isinstance(value, str)}


def record(response):
    try:
        answer = response.json()
    except ValueError:
        return {}
    return answer if isinstance(answer, dict) else {}


def detail(response):
    return str(record(response).get("detail", ""))


def within_bounds(case):
    """Whether all texts hold their bounds once they are trimmed and folded."""
    measured = {name: " ".join(value.split()) if name == "q" else value.replace("\r\n", "\n").strip() for name, value in texts(case).items()}
    raw = texts(case)
    return any(len(raw[name]) > bound for name, bound in BOUNDS.items() if name in raw) and all(
        len(measured[name]) <= bound for name, bound in BOUNDS.items() if name in measured)


def has_format_character(case):
    lines = [value for name, value in texts(case).items() if name not in ("q", "message", "comment")]
    return any(unicodedata.category(character) in ("Cf", "Zl", "Zp") for value in lines for character in value)


# What JSON Schema cannot say, as name: (reason, whether a finding is of that kind).
REFUSED = {
    "bytes": ("a body cap counts bytes", lambda case, response: response.status_code == 413),
    "names": ("Schemathesis writes a list into a form by repeating its name, and a name given twice is refused",
              lambda case, response: "given twice" in detail(response)),
    "case": ("a name that is a field's but for case and separators is refused",
             lambda case, response: "is misspelled as" in detail(response)),
    "entry": ("entry_id must be the id of a live entry", lambda case, response: "is not the id of an entry" in detail(response)),
    "preview": ("preview must be the digest of this very mail", lambda case, response: detail(response).startswith("preview is not")),
    "address": ("an address must satisfy two validators", lambda case, response: "plain e-mail address" in detail(response)),
    "format": ("a one-line field must not hold format characters and line separators",
               lambda case, response: "one line" in detail(response) and has_format_character(case)),
    "key": ("an Idempotency-Key names one request", lambda case, response: detail(response).startswith("Idempotency-Key was sent")),
    "depth": ("values nest at most 32 deep", lambda case, response: "nested too deep" in detail(response)),
    "response": ("a message with result or error is a client's response", lambda case, response: "only one of them" in detail(response)),
}
ACCEPTED = {
    "folded": ("a bound counts characters after trimming and folding", lambda case, response: within_bounds(case)),
    "dry run": ("a dry run ignores Idempotency-Key", lambda case, response: record(response).get("dry_run") is True),
    "JSON-RPC": ("an error of JSON-RPC is HTTP 200", lambda case, response: isinstance(record(response).get("error"), dict)),
    "too large": ("a body over its cap is refused with 413 before its fields are read", lambda case, response: response.status_code == 413),
    "notification": ("a message without an answer is 202, whatever its parameters", lambda case, response: response.status_code == 202),
}

counts = collections.Counter()
addresses = itertools.count()


def wrapped(check, artefacts):
    def run(ctx, response, case):
        try:
            return check(ctx, response, case)
        except Failure:
            for name, (_, applies) in artefacts.items():
                if applies(case, response):
                    counts[name] += 1
                    return None
            raise

    run.__name__ = "desk_" + check.__name__
    return schemathesis.check(run)


wrapped(checks.positive_data_acceptance, REFUSED)
wrapped(checks.negative_data_rejection, ACCEPTED)


@schemathesis.hook
def before_call(context, case, kwargs):
    number = next(addresses)
    if case.headers is None:
        case.headers = {}
    case.headers["X-Forwarded-For"] = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"


@atexit.register
def report():
    for name, count in counts.most_common():
        print(f"artefact ({count}): {(REFUSED | ACCEPTED)[name][0]}")
