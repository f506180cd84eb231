"""Hides what a repeat store keeps: its folder shows no name of a caller or tool, no argument and no answer."""

from __future__ import annotations

import base64
import hashlib
import hmac
import importlib
import os

_IV = 12
_TAG = 16


class Seal:
    """AES-256-GCM, each time with an IV of its own. The name is authenticated, so no answer passes for another one.

    The keys come from the builder's API key; without one they are of this process alone. The form is that of
    ``@tollgate/mcp``. The package ``cryptography`` is one that ``mcp`` brings.
    """

    def __init__(self, api_key: str | None) -> None:
        key = os.urandom(32) if api_key is None else api_key.encode()
        secret = _derive(key, "tollgate/mcp: undelivered answers")
        self._name_key = _derive(secret, "name")
        aead = importlib.import_module("cryptography.hazmat.primitives.ciphers.aead")
        self._cipher = aead.AESGCM(_derive(secret, "answer"))

    def name_of(self, text: str) -> str:
        digest = hmac.digest(self._name_key, text.encode(), "sha256")
        return base64.urlsafe_b64encode(digest).decode().rstrip("=")

    def close(self, name: str, text: str) -> bytes:
        iv = os.urandom(_IV)
        hidden: bytes = self._cipher.encrypt(iv, text.encode(), name.encode())
        return iv + hidden[-_TAG:] + hidden[:-_TAG]

    def open(self, name: str, sealed: bytes) -> str | None:
        """None: it was not closed under this name with this secret."""
        iv, tag, hidden = sealed[:_IV], sealed[_IV : _IV + _TAG], sealed[_IV + _TAG :]
        try:
            shown: bytes = self._cipher.decrypt(iv, hidden + tag, name.encode())
        except Exception:
            return None
        return shown.decode()


def _derive(secret: bytes, purpose: str) -> bytes:
    """HKDF by SHA-256, 32 bytes."""
    extracted = hmac.digest(bytes(hashlib.sha256().digest_size), secret, "sha256")
    return hmac.digest(extracted, purpose.encode() + b"\x01", "sha256")
