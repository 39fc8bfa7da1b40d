"""Follows an import with a generated client, and prints what it is told."""

import importlib
import pkgutil
import sys

import client
from client import AuthenticatedClient
from client.api.media import get_media
from client.models import Media

# openapi-python-client 0.29.1 leaves out an import of an operation that takes files of two media types.
BROKEN = "client.api.video_streaming.put_subtitles"
for module in pkgutil.walk_packages(client.__path__, "client."):
    if module.name != BROKEN:
        importlib.import_module(module.name)

api = AuthenticatedClient(base_url=sys.argv[1], token="Token=secret", prefix="SVC-SIMPLE-TOKEN")
while not isinstance(answer := get_media.sync(902114, client=api), Media):
    print(answer.progress)
print(answer.filename)
