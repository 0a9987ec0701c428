"""Archives as their owners open them."""

import csv
import io
import json
import zipfile
from typing import Any
from uuid import UUID

import psycopg

from rewards_app.core import sealed
from rewards_app.features.privacy.archive import path_of
from rewards_app.features.privacy.gathering import place_of
from rewards_app.features.privacy.holding import Holding


class Opened:
    def __init__(self, content: bytes) -> None:
        self.zip = zipfile.ZipFile(io.BytesIO(content))
        self.names = self.zip.namelist()
        self.readme = self.read("README.txt").decode()
        self.manifest = json.loads(self.read("manifest.json"))

    def read(self, name: str) -> bytes:
        return self.zip.read(name)

    def json(self, holding: Holding) -> list[dict[str, Any]]:
        name = f"{path_of(holding)}.json"
        return json.loads(self.read(name)) if name in self.names else []

    def csv(self, holding: Holding) -> list[dict[str, str]]:
        name = f"{path_of(holding)}.csv"
        if name not in self.names:
            return []
        lines = io.StringIO(self.read(name).decode(), newline="")
        return list(csv.DictReader(lines, strict=True))


def kept_archive(url: str, export_id: UUID) -> bytes:
    """What lies in the database, piece by piece."""
    with psycopg.connect(url) as connection:
        pieces = connection.execute(
            "select position, content from data_export_parts where export_id = %s order by 1",
            (export_id,),
        ).fetchall()
    return b"".join(
        sealed.unseal_bytes(content, place_of(export_id, position)) for position, content in pieces
    )
