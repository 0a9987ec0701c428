"""Codes to keep: each can be copied, all of them copied, saved or printed."""

from typing import Any

import reflex as rx

from rewards_app.i18n.page_text import t
from rewards_app.ui.markup import Text


class BackupCodes(rx.Component):
    library = "$/public/backup_codes"
    tag = "BackupCodes"

    codes: rx.Var[list[str]]
    heading: rx.Var[str]
    labels: rx.Var[dict[str, str]]


def backup_codes(codes: Any, heading: Text) -> rx.Component:
    """`heading` stands above them where they are saved or printed."""
    return BackupCodes.create(
        codes=codes,
        heading=heading,
        labels={
            "copyOne": t("security.codes.copy_code"),
            "copyAll": t("security.codes.copy_all"),
            "download": t("security.codes.download"),
            "print": t("security.codes.print"),
        },
    )
