"""Receiving webhooks of Tollgate, signed as Standard Webhooks are."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
from collections.abc import Mapping
from typing import Any, Union

from ._clock import SYSTEM_CLOCK

_TOLERANCE_SECONDS = 300


class WebhookError(Exception):
    """Why a webhook is not believed. Answer it with 400.

    Codes: ``secret_invalid``, ``header_missing``, ``header_invalid``, ``too_old``, ``too_new``,
    ``no_signature_matches`` (another secret signed it, or somebody changed the body or a header), ``body_invalid``.
    """

    def __init__(self, code: str, detail: str) -> None:
        #: Stable: program against this.
        self.code = code
        super().__init__(f"{code}: {detail}")


def verify(body: Union[str, bytes], headers: Mapping[str, str], secret: str) -> dict[str, Any]:
    """Checks that Tollgate sent this body within the last five minutes, and returns ``type``, ``timestamp`` and ``data``.

    ``body``: exactly as it was received. ``headers``: names in any case. ``secret``: ``whsec_…`` of the endpoint.
    A webhook comes at least once: drop the ids that you have seen, which are in the header ``webhook-id``.
    Raises :class:`WebhookError`, whose ``code`` names what is wrong.
    """
    return verify_at(body, headers, secret, now=SYSTEM_CLOCK.now())


def verify_at(body: Union[str, bytes], headers: Mapping[str, str], secret: str, *, now: float) -> dict[str, Any]:
    """The same at another time, for tests. ``now``: seconds since the epoch."""
    key = _to_key(secret)
    named = {name.lower(): value for name, value in headers.items()}
    id_, timestamp, signatures = (
        _read_header(named, name) for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
    )
    _check_time(timestamp, now)
    content = body.encode() if isinstance(body, str) else body
    digest = hmac.new(key, f"{id_}.{timestamp}.".encode() + content, hashlib.sha256).digest()
    wanted = b"v1," + base64.b64encode(digest)
    # While a secret is replaced there are two signatures.
    if not any(hmac.compare_digest(signature.encode(), wanted) for signature in signatures.split(" ")):
        raise WebhookError(
            "no_signature_matches", "no signature in `webhook-signature` fits this body and this secret"
        )
    return _parse(content)


def _to_key(secret: str) -> bytes:
    try:
        prefix, text = secret[:6], secret[6:]
        if prefix == "whsec_" and text:
            return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        pass
    raise WebhookError("secret_invalid", "the secret must be `whsec_` and then base64, as Tollgate showed it")


def _read_header(named: Mapping[str, str], name: str) -> str:
    value = named.get(name)
    if not value:
        raise WebhookError("header_missing", f"there is no header `{name}`")
    return value


def _check_time(timestamp: str, now: float) -> None:
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        raise WebhookError("header_invalid", "`webhook-timestamp` must be whole seconds since 1970")
    age = int(now) - int(timestamp)
    bound = f"and at most {_TOLERANCE_SECONDS} are allowed: is the clock right?"
    if age > _TOLERANCE_SECONDS:
        raise WebhookError("too_old", f"it was sent {age} s ago, {bound}")
    if age < -_TOLERANCE_SECONDS:
        raise WebhookError("too_new", f"it was sent {-age} s ahead of this clock, {bound}")


def _parse(content: bytes) -> dict[str, Any]:
    try:
        payload: dict[str, Any] = json.loads(content)
    except ValueError as error:
        raise WebhookError("body_invalid", "the body is signed, but it is not JSON") from error
    return payload
