"""The vectors that every client judges alike; the library of Standard Webhooks made their signatures."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from pathlib import Path
from typing import Any

import pytest

from tollgate import webhooks

FILE = json.loads((Path(__file__).parents[3] / "packages/sdk/test/webhook-vectors.json").read_text())
NOW: int = FILE["nowSeconds"]
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


@pytest.mark.parametrize("vector", FILE["vectors"], ids=lambda vector: vector["name"])
def test_is_believed_or_refused_with_the_reason(vector: dict[str, Any]) -> None:
    body, headers, secret = vector["body"], vector["headers"], vector["secret"]
    if vector["code"] is None:
        shouted = {name.upper(): value for name, value in headers.items()}
        assert webhooks.verify_at(body, headers, secret, now=NOW) == json.loads(body)
        assert webhooks.verify_at(body.encode(), shouted, secret, now=NOW) == json.loads(body)
        return
    with pytest.raises(webhooks.WebhookError) as refused:
        webhooks.verify_at(body, headers, secret, now=NOW)
    assert refused.value.code == vector["code"]


@pytest.mark.parametrize("name", ["webhook-id", "webhook-timestamp", "webhook-signature"])
def test_the_error_names_the_header_that_is_missing(name: str) -> None:
    headers = {other: value for other, value in FILE["vectors"][0]["headers"].items() if other != name}
    with pytest.raises(webhooks.WebhookError, match=f"`{name}`"):
        webhooks.verify_at("{}", headers, SECRET, now=NOW)


def test_goes_by_the_clock_of_the_machine() -> None:
    body = '{"type":"webhook.test"}'
    assert webhooks.verify(body, signed(body, int(time.time())), SECRET) == {"type": "webhook.test"}
    with pytest.raises(webhooks.WebhookError) as refused:
        webhooks.verify(body, signed(body, int(time.time()) - 3_600), SECRET)
    assert refused.value.code == "too_old"


def signed(body: str, seconds: int) -> dict[str, str]:
    key = base64.b64decode(SECRET[len("whsec_") :])
    digest = hmac.new(key, f"msg_1.{seconds}.{body}".encode(), hashlib.sha256).digest()
    signature = "v1," + base64.b64encode(digest).decode()
    return {"webhook-id": "msg_1", "webhook-timestamp": str(seconds), "webhook-signature": signature}
