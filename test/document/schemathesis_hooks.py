"""What schemathesis has to know of this service: which ids are live, what a URL, a picture and subtitles are, and what the document says in words."""

import base64
import json
import os
import re

import schemathesis
from hypothesis import strategies as st

LIVE = json.loads(os.environ["LIVE_IDS"])
PICTURE = base64.b64decode(os.environ["PICTURE"])

# Refusals by the state of the library, not by the input; the operations that they belong to describe them.
STATE = {"folder_cycle", "nested_too_deep", "too_many_tags", "metadata_too_large", "wrong_code", "logout_refused", "not_a_video", "not_a_picture", "too_many_languages", "too_large"}
# Rules between parameters, or of what a query (also a preset's) means: OpenAPI has no words for them, so descriptions tell them. Nor has it for one name that no field
# may have, where others may have any.
TOLD_IN_WORDS = re.compile(
    "must not be given without order|must not be distance without|must be at most 10000 together with media_count|must not look for"
    "|must hold (either ids or search|at least one change|add, remove or both|one of add, move and trash)|^is missing$|has a field named __proto__"
    "|must change something of a picture|is no parameter of links|has a value that links do not know|must not be in a preset"
)

schemathesis.openapi.format("uri", st.from_regex(r"https?://[a-z]{1,10}\.example\.com(/[a-z0-9]{0,8}){0,3}(\?[a-z]=[0-9])?", fullmatch=True))
for kind in ("image/jpeg", "image/png", "image/webp", "image/gif", "application/octet-stream"):
    schemathesis.openapi.media_type(kind, st.just(PICTURE))
schemathesis.openapi.media_type("text/vtt", st.just(b"WEBVTT\n\n00:01.000 --> 00:02.000\nHej\n"))
schemathesis.openapi.media_type("application/x-subrip", st.just(b"1\n00:00:01,000 --> 00:00:02,000\nHej\n"))


def live(kind, number):
    """Most ids are of something that is there, and always the same for a seed."""
    known = LIVE[kind]
    return number if number % 5 == 0 else known[number % len(known)]


def kind_of(name, path):
    """What an id is an id of, by its name or, where that is `id`, by its path."""
    if name == "id":
        return path.split("/")[1]
    if name == "folder" and path.startswith("/cdn/"):
        return "cdn"
    for kind, names in {
        "folder": ("folder", "folderId", "folder_ids", "from", "to", "parent", "group_id"),
        "media": ("media_id", "unique_media_id", "thumbnail_id", "media", "old", "new"),
        "company": ("company_id", "svc_id", "company"),
        "user": ("user", "userId"),
    }.items():
        if name in names:
            return kind
    return None


def with_live_ids(value, path, name=None):
    if isinstance(value, dict):
        return {key: with_live_ids(held, path, key) for key, held in value.items()}
    if isinstance(value, list):
        return [with_live_ids(held, path, name) for held in value]
    kind = kind_of(name, path) if name else None
    if isinstance(value, int) and not isinstance(value, bool) and kind in LIVE:
        return live(kind, value)
    return value


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    return path_parameters and with_live_ids(path_parameters, context.operation.path)


@schemathesis.hook
def map_query(context, query):
    return query and with_live_ids(query, context.operation.path)


@schemathesis.hook
def map_body(context, body):
    if context.operation.path.endswith("/profileimage"):
        return {"file": PICTURE}
    return with_live_ids(body, context.operation.path)


@schemathesis.check
def accepted(ctx, response, case):
    """What the document allows is refused for the state of the library alone."""
    if response.status_code not in (400, 413):
        return
    error = response.json()
    problems = [each["message"] for each in error.get("errors", [])]
    told = problems and all(TOLD_IN_WORDS.search(each) for each in problems)
    if error["code"] not in STATE and not told:
        raise AssertionError(f"the document allows what is refused: {json.dumps(error)}")
