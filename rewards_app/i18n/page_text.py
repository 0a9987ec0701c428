"""`t()`: a text on a page, translated in the browser so that a new language needs no reload."""

from typing import Any

from reflex_base.utils.imports import ImportVar
from reflex_base.vars.base import LiteralVar, Var, VarData

_TRANSLATION = VarData(
    imports={"$/public/i18n": [ImportVar(tag="useTexts")]},
    hooks={"const { t } = useTexts();": None},
)
SAYING = VarData(
    imports={"$/public/notices": [ImportVar(tag="useSaid")]},
    hooks={"const say = useSaid();": None},
)
_MEMBERS_TEXTS = VarData(
    imports={"$/public/i18n": [ImportVar(tag="useMembersTexts")]},
    hooks={"const hasMembersTexts = useMembersTexts();": None},
)


def t(key: str | Var[str], **params: Any) -> Var[str]:
    """The text under `key`; `params` may be state vars, `count` chooses the plural."""
    key_var = LiteralVar.create(key)
    params_var = LiteralVar.create(params)
    arguments = f"{key_var!s}, {params_var!s}" if params else f"{key_var!s}"
    return Var(
        _js_expr=f"t({arguments})",
        _var_type=str,
        _var_data=VarData.merge(
            _TRANSLATION, key_var._get_all_var_data(), params_var._get_all_var_data()
        ),
    ).to(str)


def said(key: Var[str], params: Var[Any]) -> Var[str]:
    """The text under a key that the server chose, with the parameters that it chose.

    Those that are lists hold keys, too.
    """
    return Var(
        _js_expr=f"say({{ text: {key!s}, params: {params!s} }})",
        _var_type=str,
        _var_data=VarData.merge(SAYING, key._get_all_var_data(), params._get_all_var_data()),
    ).to(str)


def members_texts_are_here() -> Var[bool]:
    """False while what only members read is on its way: nothing with words of it is shown yet."""
    return Var("hasMembersTexts", _var_type=bool, _var_data=_MEMBERS_TEXTS).to(bool)
