"""Written from `_resources.py` by `write_async.py`; a test compares."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from ._calls import Caller
from ._resources import with_key
from ._traceparent import read_traceparent

if TYPE_CHECKING:
    from . import types as t

Item = TypeVar("Item")


class AsyncListing(Generic[Item]):
    """The entries of a list, in the order of the service. Nothing is asked before it is read."""

    def __init__(self, load: Callable[[str | None], Awaitable[Any]], field: str) -> None:
        self._load = load
        self._field = field

    async def __aiter__(self) -> AsyncIterator[Item]:
        async for page in self.pages():
            for item in page[self._field]:
                yield item

    async def pages(self) -> AsyncIterator[dict[str, Any]]:
        """One page after the other, as the service sends them, with ``total`` and ``next_cursor``."""
        cursor: str | None = None
        while True:
            page = await self._load(cursor)
            yield page
            cursor = page["next_cursor"]
            if cursor is None:
                return


class AsyncResource:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    async def _call(self, operation: str, **filling: Any) -> Any:
        return await self._caller.call_in_thread(operation, **filling)

    def _list(
        self, operation: str, field: str, query: dict[str, Any], path: dict[str, str] | None = None
    ) -> AsyncListing[Any]:
        async def load(cursor: str | None) -> Any:
            return await self._call(operation, path=path, query=query if cursor is None else {**query, "cursor": cursor})

        return AsyncListing(load, field)


class AsyncAuth(AsyncResource):
    """Accounts and their sessions. An API key cannot manage sessions: use ``tollgate.with_key(access_token)``."""

    async def register(self, email: str, password: str) -> t.AccessToken:
        """Creates an account and signs in."""
        return cast("t.AccessToken", await self._call("register", body={"email": email, "password": password}))

    async def login(self, email: str, password: str, **second_factor: str) -> t.AccessToken:
        """Signs in."""
        return cast("t.AccessToken", await self._call("login", body={"email": email, "password": password, **second_factor}))

    async def create_device_login(self, client: str) -> t.DeviceLogin:
        """Asks for the codes by which a person signs in this program at ``verification_url`` (RFC 8628)."""
        return cast("t.DeviceLogin", await self._call("createDeviceLogin", body={"client": client}))

    async def redeem_device_login(self, device_code: str) -> t.AccessToken:
        """The token, once somebody has approved. Before that it raises ``authorization_pending``: ask again later."""
        return cast("t.AccessToken", await self._call("redeemDeviceLogin", body={"device_code": device_code}))

    async def refresh(self) -> t.AccessToken:
        """Replaces the access token with which it is called, valid or expired, by a new one."""
        return cast("t.AccessToken", await self._call("refresh"))

    async def logout(self) -> None:
        """Ends the session of the access token."""
        await self._call("logout")

    async def account(self) -> t.Account:
        """The account of the API key or access token."""
        return cast("t.Account", await self._call("getAccount"))

    async def update(self, body: t.AccountUpdate) -> t.Account:
        """Changes the public name of the account of the access token; None removes it. Raises ``name_taken``."""
        return cast("t.Account", await self._call("updateAccount", body=body))

    async def change_password(self, body: t.PasswordChange) -> None:
        await self._call("changePassword", body=body)

    async def close(self, body: t.SecondFactorProof) -> t.AccountClosure:
        """Closes the account of the access token for good, and says what its erasure waits for."""
        return cast("t.AccountClosure", await self._call("closeAccount", body=body))

    async def request_password_reset(self, email: str) -> None:
        """Has a link for a new password mailed to the owner. Raises ``not_found`` where no mail is sent."""
        await self._call("requestPasswordReset", body={"email": email})

    async def request_email_confirmation(self) -> None:
        """Has a link mailed that confirms the address of the account."""
        await self._call("requestEmailConfirmation")

    def sessions(self, **query: Any) -> AsyncListing[t.Session]:
        """The live sessions."""
        return self._list("listSessions", "sessions", query)

    async def end_session(self, session_id: str) -> None:
        await self._call("endSession", path={"id": session_id})

    def activity(self, **query: Any) -> AsyncListing[t.OwnAct]:
        """The audit trail of the account: each act, with its credential."""
        return self._list("listActivity", "acts", query)


class AsyncSecondFactor(AsyncResource):
    """The authenticator app of an account. An API key cannot manage it."""

    async def get(self) -> t.TotpState:
        return cast("t.TotpState", await self._call("getTotp"))

    async def begin(self, body: t.NewTotp) -> t.BegunTotp:
        """Creates the secret for an authenticator app. ``confirm`` switches it on."""
        return cast("t.BegunTotp", await self._call("beginTotp", body=body))

    async def confirm(self, body: t.TotpConfirmation) -> t.RecoveryCodes:
        return cast("t.RecoveryCodes", await self._call("confirmTotp", body=body))

    async def remove(self, body: t.SecondFactorProof) -> None:
        await self._call("removeTotp", body=body)

    async def replace_recovery_codes(self, body: t.SecondFactorProof) -> t.RecoveryCodes:
        return cast("t.RecoveryCodes", await self._call("replaceRecoveryCodes", body=body))


class AsyncApiKeys(AsyncResource):
    """API keys. An API key cannot manage API keys: use ``tollgate.with_key(access_token)``."""

    async def create(self, body: t.NewApiKey, *, idempotency_key: str | None = None) -> t.CreatedApiKey:
        """Creates a key. The answer alone has it in ``key``; a repeat of the request has not."""
        answer = await self._call("createApiKey", body=body, idempotency_key=idempotency_key)
        return cast("t.CreatedApiKey", answer)

    def list(self, **query: Any) -> AsyncListing[t.ApiKey]:
        return self._list("listApiKeys", "api_keys", query)

    async def delete(self, key_id: str) -> None:
        """Revokes a key: it is refused everywhere within a second."""
        await self._call("deleteApiKey", path={"id": key_id})


class AsyncPasses(AsyncResource):
    """Passes: keys to hand out, each for some tools."""

    async def create(self, body: t.NewPass) -> t.CreatedPass:
        """Creates a pass. The answer alone has its key, in ``key``."""
        return cast("t.CreatedPass", await self._call("createPass", body=body))

    def list(self, **query: Any) -> AsyncListing[t.Pass]:
        return self._list("listPasses", "passes", query)

    async def get(self, pass_id: str) -> t.Pass:
        return cast("t.Pass", await self._call("getPass", path={"id": pass_id}))

    async def self(self) -> t.OwnPass:
        """The pass itself: use ``tollgate.with_key(pass)``. Its figures are its owner's, by ``get``."""
        return cast("t.OwnPass", await self._call("getOwnPass"))

    async def create_child(self, body: t.NewChildPass) -> t.CreatedChildPass:
        """A child of the pass itself, which spends a part of its budget. The answer alone has its key, in ``key``."""
        return cast("t.CreatedChildPass", await self._call("createChildPass", body=body))

    def children(self, **query: Any) -> AsyncListing[t.OwnPass]:
        """The children of the pass itself."""
        return self._list("listChildPasses", "passes", query)

    async def check(self, body: t.PassCheck) -> t.CheckedPass:
        """Whether what a caller of your server sent is a live pass, or an OAuth token of one for your server."""
        return cast("t.CheckedPass", await self._call("checkPass", body=body))

    async def update(self, pass_id: str, body: t.PassUpdate) -> t.Pass:
        """Changes the fields that you send; ``paused`` stops and resumes it."""
        return cast("t.Pass", await self._call("updatePass", path={"id": pass_id}, body=body))

    async def rotate(self, pass_id: str, body: t.PassRotation | None = None) -> t.CreatedPass:
        """Gives it a new key, in ``key``. The earlier one works for ``grace_seconds`` more."""
        return cast("t.CreatedPass", await self._call("rotatePass", path={"id": pass_id}, body=body or {}))

    async def delete(self, pass_id: str) -> None:
        """Revokes it: every gateway refuses it within a second."""
        await self._call("deletePass", path={"id": pass_id})


class AsyncApprovals(AsyncResource):
    """Calls that the limits of your passes refused, for you to decide. An API key can only list them."""

    def list(self, **query: Any) -> AsyncListing[t.Approval]:
        """The approvals that wait for your answer."""
        return self._list("listApprovals", "approvals", query)

    async def approve(self, approval_id: str) -> t.Approval:
        """Lets the next such call through, once."""
        return cast("t.Approval", await self._call("approveCall", path={"id": approval_id}))

    async def refuse(self, approval_id: str) -> t.Approval:
        return cast("t.Approval", await self._call("refuseCall", path={"id": approval_id}))


class AsyncTools(AsyncResource):
    async def create(self, body: t.NewTool, *, idempotency_key: str | None = None) -> t.Tool:
        """Registers a tool. Events for it are accepted at once."""
        return cast("t.Tool", await self._call("createTool", body=body, idempotency_key=idempotency_key))

    def list(self, **query: Any) -> AsyncListing[t.Tool]:
        """Your tools; with ``owner="all"`` those of everybody."""
        return self._list("listTools", "tools", query)

    async def get(self, slug: str) -> t.Tool:
        return cast("t.Tool", await self._call("getTool", path={"slug": slug}))

    async def update(self, slug: str, body: t.ToolUpdate) -> t.Tool:
        return cast("t.Tool", await self._call("updateTool", path={"slug": slug}, body=body))

    async def archive(self, slug: str, *, idempotency_key: str | None = None) -> t.Tool:
        """Ends a tool for good: events for it are then refused."""
        answer = await self._call("archiveTool", path={"slug": slug}, idempotency_key=idempotency_key)
        return cast("t.Tool", answer)

    async def create_price(
        self, slug: str, body: t.NewPriceVersion, *, idempotency_key: str | None = None
    ) -> t.PriceVersion:
        """Adds a price from a full hour on that is at least an hour away."""
        answer = await self._call("createPriceVersion", path={"slug": slug}, body=body, idempotency_key=idempotency_key)
        return cast("t.PriceVersion", answer)

    async def preview_price(self, body: t.NewPricePreview) -> t.PricePreview:
        """Computes what a price comes to, exactly as an invoice would. Needs no account."""
        return cast("t.PricePreview", await self._call("previewPrice", body=body))

    def prices(self, slug: str, **query: Any) -> AsyncListing[t.PriceVersion]:
        return self._list("listPriceVersions", "prices", query, {"slug": slug})


class AsyncEvents(AsyncResource):
    """Events, straight to the service: what the process has not sent when it dies is lost. ``Meter`` keeps it."""

    async def record(self, event: t.Event) -> t.RecordedEvent:
        """Records one event. Without ``idempotency_key`` a key is made, so that a repeat is counted once."""
        return cast("t.RecordedEvent", await self._call("recordEvent", body=with_key(event), is_keyed_by_body=True))

    async def record_batch(self, events: Sequence[t.Event]) -> t.EventBatchResult:
        """Records up to 1,000 events. Read ``results``: an invalid item is ``rejected`` without effect on others."""
        body = {"events": [with_key(event) for event in events]}
        return cast("t.EventBatchResult", await self._call("recordEvents", body=body, is_keyed_by_body=True))

    def list(self, **query: Any) -> AsyncListing[t.CountedEvent]:
        """Counted events. A recorded event is here a fraction of a second later."""
        return self._list("listEvents", "events", query)

    def refused(self, **query: Any) -> AsyncListing[t.RefusedEvent]:
        """Events that were acknowledged, and refused when they were counted."""
        return self._list("listRefusedEvents", "events", query)

    async def get(self, event_id: str) -> t.CountedEvent:
        return cast("t.CountedEvent", await self._call("getEvent", path={"event_id": event_id}))

    async def trace(self, event_id: str) -> t.Trace:
        """Follows an event to its invoice and its payout."""
        return cast("t.Trace", await self._call("traceEvent", path={"event_id": event_id}))


class AsyncUsage(AsyncResource):
    async def get(self, **query: Any) -> t.Usage:
        """Sums of calls, durations, measures and money. Default: your calls of the current month."""
        return cast("t.Usage", await self._call("getUsage", query=query))


class AsyncSpending(AsyncResource):
    """The methods for spending: budgets that are never exceeded, and authorizations of single calls."""

    async def authorize(self, body: t.AuthorizationInput, *, traceparent: str | None = None) -> t.Authorization:
        """Holds the most that a call can come to. Without ``idempotency_key`` a key is made: a repeat holds it once.

        ``traceparent``: the span of the call, as W3C Trace Context has it.
        """
        span = read_traceparent(traceparent)
        answer = await self._call("askAuthorization", body=with_key(body), is_keyed_by_body=True, traceparent=span)
        return cast("t.Authorization", answer)

    async def authorization(self, authorization_id: str) -> t.Authorization:
        return cast("t.Authorization", await self._call("getAuthorization", path={"authorization_id": authorization_id}))

    async def increase(self, authorization_id: str, body: t.AuthorizationIncrease) -> t.Authorization:
        answer = await self._call("increaseAuthorization", path={"authorization_id": authorization_id}, body=body)
        return cast("t.Authorization", answer)

    async def extend(self, authorization_id: str, body: t.AuthorizationExtension) -> t.Authorization:
        """Lets an authorization expire later. It may get a ``reference``, by which ``authorizations`` finds it."""
        answer = await self._call("extendAuthorization", path={"authorization_id": authorization_id}, body=body)
        return cast("t.Authorization", answer)

    def authorizations(self, **query: Any) -> AsyncListing[t.Authorization]:
        """The open authorizations that you asked for, with this ``reference``."""
        return self._list("listAuthorizations", "authorizations", query)

    async def release(self, authorization_id: str) -> None:
        """Frees what an authorization holds."""
        await self._call("releaseAuthorization", path={"authorization_id": authorization_id})

    async def budget(self) -> t.Budget:
        """The budget of the account for a window, with the part that is spent."""
        return cast("t.Budget", await self._call("getBudget"))

    async def set_budget(self, body: t.BudgetInput) -> t.Budget:
        return cast("t.Budget", await self._call("putBudget", body=body))

    async def remove_budget(self) -> None:
        await self._call("deleteBudget")

    async def forecast(self) -> t.Forecast:
        """Estimates what the month will come to, and the day on which the budget ends."""
        return cast("t.Forecast", await self._call("getForecast"))

    def alerts(self, **query: Any) -> AsyncListing[t.SpendingAlert]:
        """The parts of caps that were spent."""
        return self._list("listSpendingAlerts", "alerts", query)


class AsyncBilling(AsyncResource):
    """How you are paid (payout account) and how you pay (payment method)."""

    async def account(self) -> t.BillingAccount:
        """The payout account and the pending balance."""
        return cast("t.BillingAccount", await self._call("getBillingAccount"))

    async def balance(self) -> t.Balance:
        """The balance, which pays invoices before a card does."""
        return cast("t.Balance", await self._call("getBalance"))

    async def top_up(self, body: t.TopUpOrder, *, idempotency_key: str | None = None) -> t.TopUp:
        """Charges the payment method for the balance."""
        return cast("t.TopUp", await self._call("createTopUp", body=body, idempotency_key=idempotency_key))

    def top_ups(self, **query: Any) -> AsyncListing[t.TopUp]:
        """Your top-ups, newest first."""
        return self._list("listTopUps", "top_ups", query)

    async def get_top_up(self, top_up_id: str) -> t.TopUp:
        return cast("t.TopUp", await self._call("getTopUp", path={"id": top_up_id}))

    async def refund_balance(
        self, body: t.BalanceRefundOrder | None = None, *, idempotency_key: str | None = None
    ) -> t.BalanceRefund:
        """Refunds unused balance to the cards that paid it."""
        return cast(
            "t.BalanceRefund", await self._call("refundBalance", body=body or {}, idempotency_key=idempotency_key)
        )

    def balance_refunds(self, **query: Any) -> AsyncListing[t.BalanceRefund]:
        """The refunds of your balance, newest first."""
        return self._list("listBalanceRefunds", "refunds", query)

    async def get_balance_refund(self, refund_id: str) -> t.BalanceRefund:
        return cast("t.BalanceRefund", await self._call("getBalanceRefund", path={"id": refund_id}))

    async def set_balance_alerts(self, body: t.BalanceAlertsInput) -> t.BalanceAlerts:
        return cast("t.BalanceAlerts", await self._call("putBalanceAlerts", body=body))

    async def auto_top_up(self) -> t.AutoTopUp:
        """The automatic top-up of the balance."""
        return cast("t.AutoTopUp", await self._call("getAutoTopUp"))

    async def set_auto_top_up(self, body: t.AutoTopUpInput) -> t.AutoTopUp:
        return cast("t.AutoTopUp", await self._call("putAutoTopUp", body=body))

    async def remove_auto_top_up(self) -> None:
        await self._call("deleteAutoTopUp")

    async def connect(self, body: t.NewConnectLink, *, idempotency_key: str | None = None) -> t.ConnectLink:
        """A link that connects a payout account."""
        return cast("t.ConnectLink", await self._call("connect", body=body, idempotency_key=idempotency_key))

    async def login_link(self) -> t.LoginLink:
        """A link to the payout account at the payment processor."""
        return cast("t.LoginLink", await self._call("createLoginLink"))

    async def disconnect(self) -> None:
        await self._call("disconnect")

    async def set_up_payment_method(
        self, body: t.NewPaymentMethodSetup, *, idempotency_key: str | None = None
    ) -> t.PaymentMethodSetup:
        """A link that sets up a payment method."""
        answer = await self._call("setUpPaymentMethod", body=body, idempotency_key=idempotency_key)
        return cast("t.PaymentMethodSetup", answer)

    async def payment_method(self) -> t.PaymentMethod:
        return cast("t.PaymentMethod", await self._call("getPaymentMethod"))

    async def remove_payment_method(self) -> None:
        await self._call("removePaymentMethod")

    async def details(self) -> t.BillingDetails:
        """Your name and address on invoices."""
        return cast("t.BillingDetails", await self._call("getBillingDetails"))

    async def set_details(self, body: t.NewBillingDetails) -> t.BillingDetails:
        """Replaces all of them, for invoices from now on."""
        return cast("t.BillingDetails", await self._call("setBillingDetails", body=body))

    async def statement(self, **query: Any) -> t.Statement:
        """Earnings by tool, charge and day, which sum to the payout of the month."""
        return cast("t.Statement", await self._call("getStatement", query=query))


class AsyncInvoices(AsyncResource):
    def list(self, **query: Any) -> AsyncListing[t.Invoice]:
        return self._list("listInvoices", "invoices", query)

    async def upcoming(self, **query: Any) -> t.UpcomingInvoice:
        """The next invoice as it would be now."""
        return cast("t.UpcomingInvoice", await self._call("getUpcomingInvoice", query=query))

    async def get(self, invoice_id: str) -> t.Invoice:
        return cast("t.Invoice", await self._call("getInvoice", path={"id": invoice_id}))

    async def pdf(self, invoice_id: str) -> bytes:
        """The invoice as PDF."""
        return cast("bytes", await self._call("getInvoicePdf", path={"id": invoice_id}))

    def lines(self, invoice_id: str, **query: Any) -> AsyncListing[t.InvoiceLine]:
        return self._list("listInvoiceLines", "lines", query, {"id": invoice_id})

    def credit_notes(self, **query: Any) -> AsyncListing[t.CreditNoteSummary]:
        """The documents of refunds."""
        return self._list("listCreditNotes", "credit_notes", query)

    async def credit_note(self, note_id: str) -> t.CreditNote:
        return cast("t.CreditNote", await self._call("getCreditNote", path={"id": note_id}))

    async def credit_note_pdf(self, note_id: str) -> bytes:
        """The credit note as PDF."""
        return cast("bytes", await self._call("getCreditNotePdf", path={"id": note_id}))


class AsyncPayouts(AsyncResource):
    def list(self, **query: Any) -> AsyncListing[t.Payout]:
        return self._list("listPayouts", "payouts", query)

    async def get(self, payout_id: str) -> t.PayoutDetail:
        """A payout with its lines and transfer attempts."""
        return cast("t.PayoutDetail", await self._call("getPayout", path={"id": payout_id}))


class AsyncWebhookEndpoints(AsyncResource):
    """Addresses of yours that are told what happens."""

    async def create(self, body: t.NewWebhookEndpoint) -> t.CreatedWebhookEndpoint:
        """Registers an endpoint. The answer alone has its secret, in ``secret``, for ``tollgate.webhooks.verify``."""
        return cast("t.CreatedWebhookEndpoint", await self._call("createWebhookEndpoint", body=body))

    async def list(self) -> t.WebhookEndpointList:
        """All of them: there are ten at most."""
        return cast("t.WebhookEndpointList", await self._call("listWebhookEndpoints"))

    async def get(self, endpoint_id: str) -> t.WebhookEndpoint:
        return cast("t.WebhookEndpoint", await self._call("getWebhookEndpoint", path={"id": endpoint_id}))

    async def update(self, endpoint_id: str, body: t.WebhookEndpointUpdate) -> t.WebhookEndpoint:
        """Changes the fields that you send; ``enabled`` stops it, and lets it go on."""
        return cast("t.WebhookEndpoint", await self._call("updateWebhookEndpoint", path={"id": endpoint_id}, body=body))

    async def delete(self, endpoint_id: str) -> None:
        await self._call("deleteWebhookEndpoint", path={"id": endpoint_id})

    async def rotate_secret(
        self, endpoint_id: str, body: t.WebhookSecretRotation | None = None
    ) -> t.CreatedWebhookEndpoint:
        """Gives it a new secret, in ``secret``. For ``grace_seconds`` more the earlier one signs, too."""
        answer = await self._call("rotateWebhookSecret", path={"id": endpoint_id}, body=body or {})
        return cast("t.CreatedWebhookEndpoint", answer)

    async def test(self, endpoint_id: str) -> t.WebhookEvent:
        """Sends it an event of the type ``webhook.test``."""
        return cast("t.WebhookEvent", await self._call("testWebhookEndpoint", path={"id": endpoint_id}))

    async def redeliver(self, endpoint_id: str, body: t.WebhookRedelivery) -> t.WebhooksRedelivered:
        """Sends it the events from a time on that it was told in vain, or not at all."""
        answer = await self._call("redeliverFailedWebhooks", path={"id": endpoint_id}, body=body)
        return cast("t.WebhooksRedelivered", answer)


class AsyncWebhookEvents(AsyncResource):
    """Events of the last 30 days, and whom they were told."""

    def list(self, **query: Any) -> AsyncListing[t.WebhookEvent]:
        return self._list("listWebhookEvents", "webhook_events", query)

    async def get(self, event_id: str) -> t.WebhookEventDetail:
        return cast("t.WebhookEventDetail", await self._call("getWebhookEvent", path={"id": event_id}))

    async def attempts(self, event_id: str) -> t.WebhookAttemptList:
        """Each try to tell it, with the status and the beginning of the answer."""
        return cast("t.WebhookAttemptList", await self._call("listWebhookAttempts", path={"id": event_id}))

    async def redeliver(self, event_id: str) -> t.WebhookEventDetail:
        """Sends it to the endpoints that would be told it now."""
        return cast("t.WebhookEventDetail", await self._call("redeliverWebhookEvent", path={"id": event_id}))


class AsyncNotificationPreferences(AsyncResource):
    """The mails that you want, of those that you may switch off."""

    async def get(self) -> t.NotificationPreferences:
        return cast("t.NotificationPreferences", await self._call("getNotificationPreferences"))

    async def set(self, body: t.NewNotificationPreferences) -> t.NotificationPreferences:
        """Sets all of them. What you leave out is on."""
        return cast("t.NotificationPreferences", await self._call("putNotificationPreferences", body=body))


class AsyncConsents(AsyncResource):
    """The clients of OAuth that you let spend."""

    def list(self, **query: Any) -> AsyncListing[t.Consent]:
        """The live ones, newest first."""
        return self._list("listConsents", "consents", query)

    async def revoke(self, consent_id: str) -> None:
        """Ends a consent with its pass and its tokens, everywhere within a second."""
        await self._call("revokeConsent", path={"id": consent_id})


class AsyncEmbeds(AsyncResource):
    """Pages of the console that you show inside a product of your own."""

    async def create(self, body: t.NewEmbed) -> t.Embed:
        """Makes the address of one page, for the ``src`` of an ``<iframe>``. Whoever has it reads that page, for an hour at most."""
        return cast("t.Embed", await self._call("createEmbed", body=body))

    async def origins(self) -> t.EmbedOrigins:
        """The origins whose pages may frame embeds."""
        return cast("t.EmbedOrigins", await self._call("getEmbedOrigins"))

    async def set_origins(self, body: t.EmbedOrigins) -> t.EmbedOrigins:
        """Sets all of them. With none, no page frames any."""
        return cast("t.EmbedOrigins", await self._call("putEmbedOrigins", body=body))


class AsyncService(AsyncResource):
    """The service itself. None of these needs an API key."""

    async def live(self) -> t.Liveness:
        """Whether the process runs."""
        return cast("t.Liveness", await self._call("getLiveness"))

    async def ready(self) -> t.Readiness:
        """Whether it can do its work."""
        return cast("t.Readiness", await self._call("getReadiness"))

    async def open_api(self) -> dict[str, Any]:
        return cast("dict[str, Any]", await self._call("getOpenApi"))

    async def signing_keys(self) -> t.JsonWebKeySet:
        """The public keys that sign access tokens."""
        return cast("t.JsonWebKeySet", await self._call("getSigningKeys"))
