"""The client of the API, for threads and for asyncio."""

from __future__ import annotations

import os

from . import _async_resources as asynchronous
from . import _resources as sync
from ._calls import Caller
from ._transport import Transport

_LOCAL_URL = "http://127.0.0.1:8080"


class _Client:
    def __init__(
        self,
        api_key: str | None = None,
        url: str | None = None,
        *,
        timeout: float = 15.0,
        retries: int = 3,
        _transport: Transport | None = None,
    ) -> None:
        """Defaults: ``TOLLGATE_API_KEY``; ``TOLLGATE_URL``, else the service on this machine. ``timeout`` in seconds."""
        transport = _transport or Transport(url or os.environ.get("TOLLGATE_URL") or _LOCAL_URL, timeout)
        self._caller = Caller(transport, api_key or os.environ.get("TOLLGATE_API_KEY") or None, retries)

    @property
    def url(self) -> str:
        """The base URL of the service."""
        return self._caller.transport.url


class Tollgate(_Client):
    """The API of Tollgate: one method per route. Any number of threads may use one client."""

    def __init__(
        self,
        api_key: str | None = None,
        url: str | None = None,
        *,
        timeout: float = 15.0,
        retries: int = 3,
        _transport: Transport | None = None,
    ) -> None:
        super().__init__(api_key, url, timeout=timeout, retries=retries, _transport=_transport)
        self.auth = sync.Auth(self._caller)
        self.second_factor = sync.SecondFactor(self._caller)
        self.api_keys = sync.ApiKeys(self._caller)
        self.passes = sync.Passes(self._caller)
        self.approvals = sync.Approvals(self._caller)
        self.tools = sync.Tools(self._caller)
        self.events = sync.Events(self._caller)
        self.usage = sync.Usage(self._caller)
        self.spending = sync.Spending(self._caller)
        self.billing = sync.Billing(self._caller)
        self.invoices = sync.Invoices(self._caller)
        self.payouts = sync.Payouts(self._caller)
        self.webhook_endpoints = sync.WebhookEndpoints(self._caller)
        self.webhook_events = sync.WebhookEvents(self._caller)
        self.notification_preferences = sync.NotificationPreferences(self._caller)
        self.consents = sync.Consents(self._caller)
        self.embeds = sync.Embeds(self._caller)
        self.service = sync.Service(self._caller)

    def with_key(self, api_key: str) -> Tollgate:
        """The same client with another API key or access token, such as that of ``auth.login``."""
        return Tollgate(api_key, retries=self._caller.retries, _transport=self._caller.transport)


class AsyncTollgate(_Client):
    """The same API for asyncio. Each call runs in one of up to 32 threads of the client, which are not the loop's own."""

    def __init__(
        self,
        api_key: str | None = None,
        url: str | None = None,
        *,
        timeout: float = 15.0,
        retries: int = 3,
        _transport: Transport | None = None,
    ) -> None:
        super().__init__(api_key, url, timeout=timeout, retries=retries, _transport=_transport)
        self.auth = asynchronous.AsyncAuth(self._caller)
        self.second_factor = asynchronous.AsyncSecondFactor(self._caller)
        self.api_keys = asynchronous.AsyncApiKeys(self._caller)
        self.passes = asynchronous.AsyncPasses(self._caller)
        self.approvals = asynchronous.AsyncApprovals(self._caller)
        self.tools = asynchronous.AsyncTools(self._caller)
        self.events = asynchronous.AsyncEvents(self._caller)
        self.usage = asynchronous.AsyncUsage(self._caller)
        self.spending = asynchronous.AsyncSpending(self._caller)
        self.billing = asynchronous.AsyncBilling(self._caller)
        self.invoices = asynchronous.AsyncInvoices(self._caller)
        self.payouts = asynchronous.AsyncPayouts(self._caller)
        self.webhook_endpoints = asynchronous.AsyncWebhookEndpoints(self._caller)
        self.webhook_events = asynchronous.AsyncWebhookEvents(self._caller)
        self.notification_preferences = asynchronous.AsyncNotificationPreferences(self._caller)
        self.consents = asynchronous.AsyncConsents(self._caller)
        self.embeds = asynchronous.AsyncEmbeds(self._caller)
        self.service = asynchronous.AsyncService(self._caller)

    def with_key(self, api_key: str) -> AsyncTollgate:
        """The same client with another API key or access token, such as that of ``auth.login``."""
        return AsyncTollgate(api_key, retries=self._caller.retries, _transport=self._caller.transport)
