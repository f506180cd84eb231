"""Whether arguments fit a tool's schema."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

#: ``$ref`` may lead in a circle.
_DEPTH_MAX = 32
_NUMERIC = re.compile(r"\s*[-+]?[\d_.]+(e[-+]?\d+)?\s*", re.IGNORECASE)
_BOOLEAN = re.compile(r"0|1|true|false|yes|no|on|off|t|f|y|n", re.IGNORECASE)


def is_unfit(schema: Any, value: Any) -> bool:
    """Whether a value surely does not fit a JSON Schema.

    Servers take "3" for 3 and JSON in a string for what it says, and know rules that a schema cannot tell: in doubt a
    value fits.
    """
    return _is_unfit(_object(schema), schema, value, 0)


def _is_unfit(root: Mapping[str, Any], given: Any, value: Any, depth: int) -> bool:
    if depth > _DEPTH_MAX:
        return False
    schema = _object(given)

    def check(inner: Any, at: Any = value) -> bool:
        return _is_unfit(root, inner, at, depth + 1)

    if isinstance(schema.get("$ref"), str):
        return check(_resolve(root, schema["$ref"]))
    if any(check(inner) for inner in _list(schema.get("allOf"))):
        return True
    for choices in (_list(schema.get("anyOf")), _list(schema.get("oneOf"))):
        if choices and all(check(inner) for inner in choices):
            return True
    if _is_of_no_type(schema.get("type"), value) or _is_none_of(schema, value):
        return True
    if isinstance(value, list):
        return any(check(schema.get("items"), item) for item in value)
    if not isinstance(value, Mapping):
        return False
    properties = _object(schema.get("properties"))
    if any(name not in value for name in _list(schema.get("required"))):
        return True
    is_closed = schema.get("additionalProperties") is False and "patternProperties" not in schema
    if is_closed and any(name not in properties for name in value):
        return True
    return any(name in properties and check(properties[name], field) for name, field in value.items())


def _is_of_no_type(given: Any, value: Any) -> bool:
    types = [given] if isinstance(given, str) else _list(given)
    return bool(types) and not any(_is_taken_for(kind, value) for kind in types)


def _is_taken_for(kind: Any, value: Any) -> bool:
    if kind == "string":
        return isinstance(value, str)
    if kind in ("integer", "number"):
        number = _number(value)
        return number is not None and (kind == "number" or float(number).is_integer())
    if kind == "boolean":
        return isinstance(value, bool) or _BOOLEAN.fullmatch(str(value)) is not None
    if kind == "null":
        return value is None
    if kind == "array":
        return isinstance(_from_json(value), list)
    if kind == "object":
        return isinstance(_from_json(value), Mapping)
    return True


def _number(value: Any) -> float | None:
    if isinstance(value, str) and _NUMERIC.fullmatch(value) is None:
        return None
    try:
        return float(value) if isinstance(value, (str, int, float)) else None
    except (ValueError, OverflowError):
        return None


def _from_json(value: Any) -> Any:
    try:
        return json.loads(value) if isinstance(value, str) else value
    except ValueError:
        return value


def _is_none_of(schema: Mapping[str, Any], value: Any) -> bool:
    """Whether ``enum`` or ``const`` names other values. What is no text may be taken for a text, and the reverse."""
    named = [schema["const"]] if "const" in schema else _list(schema.get("enum"))
    return bool(named) and not isinstance(value, (list, Mapping)) and str(value) not in [str(one) for one in named]


def _resolve(root: Mapping[str, Any], reference: str) -> Any:
    if not reference.startswith("#"):
        return {}
    at: Any = root
    for name in reference[1:].split("/")[1:]:
        at = _object(at).get(name.replace("~1", "/").replace("~0", "~"))
    return at


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
