"""One method per public route. `_async_resources.py` is written from this file by `write_async.py`; a test compares."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from ._calls import Caller
from ._traceparent import read_traceparent

if TYPE_CHECKING:
    from . import types as t

Item = TypeVar("Item")


class Listing(Generic[Item]):
    """The entries of a list, in the order of the service. Nothing is asked before it is read."""

    def __init__(self, load: Callable[[str | None], Any], field: str) -> None:
        self._load = load
        self._field = field

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            for item in page[self._field]:
                yield item

    def pages(self) -> Iterator[dict[str, Any]]:
        """One page after the other, as the service sends them, with ``total`` and ``next_cursor``."""
        cursor: str | None = None
        while True:
            page = self._load(cursor)
            yield page
            cursor = page["next_cursor"]
            if cursor is None:
                return


class Resource:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def _call(self, operation: str, **filling: Any) -> Any:
        return self._caller.call(operation, **filling)

    def _list(
        self, operation: str, field: str, query: dict[str, Any], path: dict[str, str] | None = None
    ) -> Listing[Any]:
        def load(cursor: str | None) -> Any:
            return self._call(operation, path=path, query=query if cursor is None else {**query, "cursor": cursor})

        return Listing(load, field)


class Auth(Resource):
    """Accounts and their sessions. An API key cannot manage sessions: use ``tollgate.with_key(access_token)``."""

    def register(self, email: str, password: str) -> t.AccessToken:
        """Creates an account and signs in."""
        return cast("t.AccessToken", self._call("register", body={"email": email, "password": password}))

    def login(self, email: str, password: str, **second_factor: str) -> t.AccessToken:
        """Signs in."""
        return cast("t.AccessToken", self._call("login", body={"email": email, "password": password, **second_factor}))

    def create_device_login(self, client: str) -> t.DeviceLogin:
        """Asks for the codes by which a person signs in this program at ``verification_url`` (RFC 8628)."""
        return cast("t.DeviceLogin", self._call("createDeviceLogin", body={"client": client}))

    def redeem_device_login(self, device_code: str) -> t.AccessToken:
        """The token, once somebody has approved. Before that it raises ``authorization_pending``: ask again later."""
        return cast("t.AccessToken", self._call("redeemDeviceLogin", body={"device_code": device_code}))

    def refresh(self) -> t.AccessToken:
        """Replaces the access token with which it is called, valid or expired, by a new one."""
        return cast("t.AccessToken", self._call("refresh"))

    def logout(self) -> None:
        """Ends the session of the access token."""
        self._call("logout")

    def account(self) -> t.Account:
        """The account of the API key or access token."""
        return cast("t.Account", self._call("getAccount"))

    def update(self, body: t.AccountUpdate) -> t.Account:
        """Changes the public name of the account of the access token; None removes it. Raises ``name_taken``."""
        return cast("t.Account", self._call("updateAccount", body=body))

    def change_password(self, body: t.PasswordChange) -> None:
        self._call("changePassword", body=body)

    def close(self, body: t.SecondFactorProof) -> t.AccountClosure:
        """Closes the account of the access token for good, and says what its erasure waits for."""
        return cast("t.AccountClosure", self._call("closeAccount", body=body))

    def request_password_reset(self, email: str) -> None:
        """Has a link for a new password mailed to the owner. Raises ``not_found`` where no mail is sent."""
        self._call("requestPasswordReset", body={"email": email})

    def request_email_confirmation(self) -> None:
        """Has a link mailed that confirms the address of the account."""
        self._call("requestEmailConfirmation")

    def sessions(self, **query: Any) -> Listing[t.Session]:
        """The live sessions."""
        return self._list("listSessions", "sessions", query)

    def end_session(self, session_id: str) -> None:
        self._call("endSession", path={"id": session_id})

    def activity(self, **query: Any) -> Listing[t.OwnAct]:
        """The audit trail of the account: each act, with its credential."""
        return self._list("listActivity", "acts", query)


class SecondFactor(Resource):
    """The authenticator app of an account. An API key cannot manage it."""

    def get(self) -> t.TotpState:
        return cast("t.TotpState", self._call("getTotp"))

    def begin(self, body: t.NewTotp) -> t.BegunTotp:
        """Creates the secret for an authenticator app. ``confirm`` switches it on."""
        return cast("t.BegunTotp", self._call("beginTotp", body=body))

    def confirm(self, body: t.TotpConfirmation) -> t.RecoveryCodes:
        return cast("t.RecoveryCodes", self._call("confirmTotp", body=body))

    def remove(self, body: t.SecondFactorProof) -> None:
        self._call("removeTotp", body=body)

    def replace_recovery_codes(self, body: t.SecondFactorProof) -> t.RecoveryCodes:
        return cast("t.RecoveryCodes", self._call("replaceRecoveryCodes", body=body))


class ApiKeys(Resource):
    """API keys. An API key cannot manage API keys: use ``tollgate.with_key(access_token)``."""

    def create(self, body: t.NewApiKey, *, idempotency_key: str | None = None) -> t.CreatedApiKey:
        """Creates a key. The answer alone has it in ``key``; a repeat of the request has not."""
        answer = self._call("createApiKey", body=body, idempotency_key=idempotency_key)
        return cast("t.CreatedApiKey", answer)

    def list(self, **query: Any) -> Listing[t.ApiKey]:
        return self._list("listApiKeys", "api_keys", query)

    def delete(self, key_id: str) -> None:
        """Revokes a key: it is refused everywhere within a second."""
        self._call("deleteApiKey", path={"id": key_id})


class Passes(Resource):
    """Passes: keys to hand out, each for some tools."""

    def create(self, body: t.NewPass) -> t.CreatedPass:
        """Creates a pass. The answer alone has its key, in ``key``."""
        return cast("t.CreatedPass", self._call("createPass", body=body))

    def list(self, **query: Any) -> Listing[t.Pass]:
        return self._list("listPasses", "passes", query)

    def get(self, pass_id: str) -> t.Pass:
        return cast("t.Pass", self._call("getPass", path={"id": pass_id}))

    def self(self) -> t.OwnPass:
        """The pass itself: use ``tollgate.with_key(pass)``. Its figures are its owner's, by ``get``."""
        return cast("t.OwnPass", self._call("getOwnPass"))

    def create_child(self, body: t.NewChildPass) -> t.CreatedChildPass:
        """A child of the pass itself, which spends a part of its budget. The answer alone has its key, in ``key``."""
        return cast("t.CreatedChildPass", self._call("createChildPass", body=body))

    def children(self, **query: Any) -> Listing[t.OwnPass]:
        """The children of the pass itself."""
        return self._list("listChildPasses", "passes", query)

    def check(self, body: t.PassCheck) -> t.CheckedPass:
        """Whether what a caller of your server sent is a live pass, or an OAuth token of one for your server."""
        return cast("t.CheckedPass", self._call("checkPass", body=body))

    def update(self, pass_id: str, body: t.PassUpdate) -> t.Pass:
        """Changes the fields that you send; ``paused`` stops and resumes it."""
        return cast("t.Pass", self._call("updatePass", path={"id": pass_id}, body=body))

    def rotate(self, pass_id: str, body: t.PassRotation | None = None) -> t.CreatedPass:
        """Gives it a new key, in ``key``. The earlier one works for ``grace_seconds`` more."""
        return cast("t.CreatedPass", self._call("rotatePass", path={"id": pass_id}, body=body or {}))

    def delete(self, pass_id: str) -> None:
        """Revokes it: every gateway refuses it within a second."""
        self._call("deletePass", path={"id": pass_id})


class Approvals(Resource):
    """Calls that the limits of your passes refused, for you to decide. An API key can only list them."""

    def list(self, **query: Any) -> Listing[t.Approval]:
        """The approvals that wait for your answer."""
        return self._list("listApprovals", "approvals", query)

    def approve(self, approval_id: str) -> t.Approval:
        """Lets the next such call through, once."""
        return cast("t.Approval", self._call("approveCall", path={"id": approval_id}))

    def refuse(self, approval_id: str) -> t.Approval:
        return cast("t.Approval", self._call("refuseCall", path={"id": approval_id}))


class Tools(Resource):
    def create(self, body: t.NewTool, *, idempotency_key: str | None = None) -> t.Tool:
        """Registers a tool. Events for it are accepted at once."""
        return cast("t.Tool", self._call("createTool", body=body, idempotency_key=idempotency_key))

    def list(self, **query: Any) -> Listing[t.Tool]:
        """Your tools; with ``owner="all"`` those of everybody."""
        return self._list("listTools", "tools", query)

    def get(self, slug: str) -> t.Tool:
        return cast("t.Tool", self._call("getTool", path={"slug": slug}))

    def update(self, slug: str, body: t.ToolUpdate) -> t.Tool:
        return cast("t.Tool", self._call("updateTool", path={"slug": slug}, body=body))

    def archive(self, slug: str, *, idempotency_key: str | None = None) -> t.Tool:
        """Ends a tool for good: events for it are then refused."""
        answer = self._call("archiveTool", path={"slug": slug}, idempotency_key=idempotency_key)
        return cast("t.Tool", answer)

    def create_price(
        self, slug: str, body: t.NewPriceVersion, *, idempotency_key: str | None = None
    ) -> t.PriceVersion:
        """Adds a price from a full hour on that is at least an hour away."""
        answer = self._call("createPriceVersion", path={"slug": slug}, body=body, idempotency_key=idempotency_key)
        return cast("t.PriceVersion", answer)

    def preview_price(self, body: t.NewPricePreview) -> t.PricePreview:
        """Computes what a price comes to, exactly as an invoice would. Needs no account."""
        return cast("t.PricePreview", self._call("previewPrice", body=body))

    def prices(self, slug: str, **query: Any) -> Listing[t.PriceVersion]:
        return self._list("listPriceVersions", "prices", query, {"slug": slug})


class Events(Resource):
    """Events, straight to the service: what the process has not sent when it dies is lost. ``Meter`` keeps it."""

    def record(self, event: t.Event) -> t.RecordedEvent:
        """Records one event. Without ``idempotency_key`` a key is made, so that a repeat is counted once."""
        return cast("t.RecordedEvent", self._call("recordEvent", body=with_key(event), is_keyed_by_body=True))

    def record_batch(self, events: Sequence[t.Event]) -> t.EventBatchResult:
        """Records up to 1,000 events. Read ``results``: an invalid item is ``rejected`` without effect on others."""
        body = {"events": [with_key(event) for event in events]}
        return cast("t.EventBatchResult", self._call("recordEvents", body=body, is_keyed_by_body=True))

    def list(self, **query: Any) -> Listing[t.CountedEvent]:
        """Counted events. A recorded event is here a fraction of a second later."""
        return self._list("listEvents", "events", query)

    def refused(self, **query: Any) -> Listing[t.RefusedEvent]:
        """Events that were acknowledged, and refused when they were counted."""
        return self._list("listRefusedEvents", "events", query)

    def get(self, event_id: str) -> t.CountedEvent:
        return cast("t.CountedEvent", self._call("getEvent", path={"event_id": event_id}))

    def trace(self, event_id: str) -> t.Trace:
        """Follows an event to its invoice and its payout."""
        return cast("t.Trace", self._call("traceEvent", path={"event_id": event_id}))


class Usage(Resource):
    def get(self, **query: Any) -> t.Usage:
        """Sums of calls, durations, measures and money. Default: your calls of the current month."""
        return cast("t.Usage", self._call("getUsage", query=query))


class Spending(Resource):
    """The methods for spending: budgets that are never exceeded, and authorizations of single calls."""

    def authorize(self, body: t.AuthorizationInput, *, traceparent: str | None = None) -> t.Authorization:
        """Holds the most that a call can come to. Without ``idempotency_key`` a key is made: a repeat holds it once.

        ``traceparent``: the span of the call, as W3C Trace Context has it.
        """
        span = read_traceparent(traceparent)
        answer = self._call("askAuthorization", body=with_key(body), is_keyed_by_body=True, traceparent=span)
        return cast("t.Authorization", answer)

    def authorization(self, authorization_id: str) -> t.Authorization:
        return cast("t.Authorization", self._call("getAuthorization", path={"authorization_id": authorization_id}))

    def increase(self, authorization_id: str, body: t.AuthorizationIncrease) -> t.Authorization:
        answer = self._call("increaseAuthorization", path={"authorization_id": authorization_id}, body=body)
        return cast("t.Authorization", answer)

    def extend(self, authorization_id: str, body: t.AuthorizationExtension) -> t.Authorization:
        """Lets an authorization expire later. It may get a ``reference``, by which ``authorizations`` finds it."""
        answer = self._call("extendAuthorization", path={"authorization_id": authorization_id}, body=body)
        return cast("t.Authorization", answer)

    def authorizations(self, **query: Any) -> Listing[t.Authorization]:
        """The open authorizations that you asked for, with this ``reference``."""
        return self._list("listAuthorizations", "authorizations", query)

    def release(self, authorization_id: str) -> None:
        """Frees what an authorization holds."""
        self._call("releaseAuthorization", path={"authorization_id": authorization_id})

    def budget(self) -> t.Budget:
        """The budget of the account for a window, with the part that is spent."""
        return cast("t.Budget", self._call("getBudget"))

    def set_budget(self, body: t.BudgetInput) -> t.Budget:
        return cast("t.Budget", self._call("putBudget", body=body))

    def remove_budget(self) -> None:
        self._call("deleteBudget")

    def forecast(self) -> t.Forecast:
        """Estimates what the month will come to, and the day on which the budget ends."""
        return cast("t.Forecast", self._call("getForecast"))

    def alerts(self, **query: Any) -> Listing[t.SpendingAlert]:
        """The parts of caps that were spent."""
        return self._list("listSpendingAlerts", "alerts", query)


class Billing(Resource):
    """How you are paid (payout account) and how you pay (payment method)."""

    def account(self) -> t.BillingAccount:
        """The payout account and the pending balance."""
        return cast("t.BillingAccount", self._call("getBillingAccount"))

    def balance(self) -> t.Balance:
        """The balance, which pays invoices before a card does."""
        return cast("t.Balance", self._call("getBalance"))

    def top_up(self, body: t.TopUpOrder, *, idempotency_key: str | None = None) -> t.TopUp:
        """Charges the payment method for the balance."""
        return cast("t.TopUp", self._call("createTopUp", body=body, idempotency_key=idempotency_key))

    def top_ups(self, **query: Any) -> Listing[t.TopUp]:
        """Your top-ups, newest first."""
        return self._list("listTopUps", "top_ups", query)

    def get_top_up(self, top_up_id: str) -> t.TopUp:
        return cast("t.TopUp", self._call("getTopUp", path={"id": top_up_id}))

    def refund_balance(
        self, body: t.BalanceRefundOrder | None = None, *, idempotency_key: str | None = None
    ) -> t.BalanceRefund:
        """Refunds unused balance to the cards that paid it."""
        return cast(
            "t.BalanceRefund", self._call("refundBalance", body=body or {}, idempotency_key=idempotency_key)
        )

    def balance_refunds(self, **query: Any) -> Listing[t.BalanceRefund]:
        """The refunds of your balance, newest first."""
        return self._list("listBalanceRefunds", "refunds", query)

    def get_balance_refund(self, refund_id: str) -> t.BalanceRefund:
        return cast("t.BalanceRefund", self._call("getBalanceRefund", path={"id": refund_id}))

    def set_balance_alerts(self, body: t.BalanceAlertsInput) -> t.BalanceAlerts:
        return cast("t.BalanceAlerts", self._call("putBalanceAlerts", body=body))

    def auto_top_up(self) -> t.AutoTopUp:
        """The automatic top-up of the balance."""
        return cast("t.AutoTopUp", self._call("getAutoTopUp"))

    def set_auto_top_up(self, body: t.AutoTopUpInput) -> t.AutoTopUp:
        return cast("t.AutoTopUp", self._call("putAutoTopUp", body=body))

    def remove_auto_top_up(self) -> None:
        self._call("deleteAutoTopUp")

    def connect(self, body: t.NewConnectLink, *, idempotency_key: str | None = None) -> t.ConnectLink:
        """A link that connects a payout account."""
        return cast("t.ConnectLink", self._call("connect", body=body, idempotency_key=idempotency_key))

    def login_link(self) -> t.LoginLink:
        """A link to the payout account at the payment processor."""
        return cast("t.LoginLink", self._call("createLoginLink"))

    def disconnect(self) -> None:
        self._call("disconnect")

    def set_up_payment_method(
        self, body: t.NewPaymentMethodSetup, *, idempotency_key: str | None = None
    ) -> t.PaymentMethodSetup:
        """A link that sets up a payment method."""
        answer = self._call("setUpPaymentMethod", body=body, idempotency_key=idempotency_key)
        return cast("t.PaymentMethodSetup", answer)

    def payment_method(self) -> t.PaymentMethod:
        return cast("t.PaymentMethod", self._call("getPaymentMethod"))

    def remove_payment_method(self) -> None:
        self._call("removePaymentMethod")

    def details(self) -> t.BillingDetails:
        """Your name and address on invoices."""
        return cast("t.BillingDetails", self._call("getBillingDetails"))

    def set_details(self, body: t.NewBillingDetails) -> t.BillingDetails:
        """Replaces all of them, for invoices from now on."""
        return cast("t.BillingDetails", self._call("setBillingDetails", body=body))

    def statement(self, **query: Any) -> t.Statement:
        """Earnings by tool, charge and day, which sum to the payout of the month."""
        return cast("t.Statement", self._call("getStatement", query=query))


class Invoices(Resource):
    def list(self, **query: Any) -> Listing[t.Invoice]:
        return self._list("listInvoices", "invoices", query)

    def upcoming(self, **query: Any) -> t.UpcomingInvoice:
        """The next invoice as it would be now."""
        return cast("t.UpcomingInvoice", self._call("getUpcomingInvoice", query=query))

    def get(self, invoice_id: str) -> t.Invoice:
        return cast("t.Invoice", self._call("getInvoice", path={"id": invoice_id}))

    def pdf(self, invoice_id: str) -> bytes:
        """The invoice as PDF."""
        return cast("bytes", self._call("getInvoicePdf", path={"id": invoice_id}))

    def lines(self, invoice_id: str, **query: Any) -> Listing[t.InvoiceLine]:
        return self._list("listInvoiceLines", "lines", query, {"id": invoice_id})

    def credit_notes(self, **query: Any) -> Listing[t.CreditNoteSummary]:
        """The documents of refunds."""
        return self._list("listCreditNotes", "credit_notes", query)

    def credit_note(self, note_id: str) -> t.CreditNote:
        return cast("t.CreditNote", self._call("getCreditNote", path={"id": note_id}))

    def credit_note_pdf(self, note_id: str) -> bytes:
        """The credit note as PDF."""
        return cast("bytes", self._call("getCreditNotePdf", path={"id": note_id}))


class Payouts(Resource):
    def list(self, **query: Any) -> Listing[t.Payout]:
        return self._list("listPayouts", "payouts", query)

    def get(self, payout_id: str) -> t.PayoutDetail:
        """A payout with its lines and transfer attempts."""
        return cast("t.PayoutDetail", self._call("getPayout", path={"id": payout_id}))


class WebhookEndpoints(Resource):
    """Addresses of yours that are told what happens."""

    def create(self, body: t.NewWebhookEndpoint) -> t.CreatedWebhookEndpoint:
        """Registers an endpoint. The answer alone has its secret, in ``secret``, for ``tollgate.webhooks.verify``."""
        return cast("t.CreatedWebhookEndpoint", self._call("createWebhookEndpoint", body=body))

    def list(self) -> t.WebhookEndpointList:
        """All of them: there are ten at most."""
        return cast("t.WebhookEndpointList", self._call("listWebhookEndpoints"))

    def get(self, endpoint_id: str) -> t.WebhookEndpoint:
        return cast("t.WebhookEndpoint", self._call("getWebhookEndpoint", path={"id": endpoint_id}))

    def update(self, endpoint_id: str, body: t.WebhookEndpointUpdate) -> t.WebhookEndpoint:
        """Changes the fields that you send; ``enabled`` stops it, and lets it go on."""
        return cast("t.WebhookEndpoint", self._call("updateWebhookEndpoint", path={"id": endpoint_id}, body=body))

    def delete(self, endpoint_id: str) -> None:
        self._call("deleteWebhookEndpoint", path={"id": endpoint_id})

    def rotate_secret(
        self, endpoint_id: str, body: t.WebhookSecretRotation | None = None
    ) -> t.CreatedWebhookEndpoint:
        """Gives it a new secret, in ``secret``. For ``grace_seconds`` more the earlier one signs, too."""
        answer = self._call("rotateWebhookSecret", path={"id": endpoint_id}, body=body or {})
        return cast("t.CreatedWebhookEndpoint", answer)

    def test(self, endpoint_id: str) -> t.WebhookEvent:
        """Sends it an event of the type ``webhook.test``."""
        return cast("t.WebhookEvent", self._call("testWebhookEndpoint", path={"id": endpoint_id}))

    def redeliver(self, endpoint_id: str, body: t.WebhookRedelivery) -> t.WebhooksRedelivered:
        """Sends it the events from a time on that it was told in vain, or not at all."""
        answer = self._call("redeliverFailedWebhooks", path={"id": endpoint_id}, body=body)
        return cast("t.WebhooksRedelivered", answer)


class WebhookEvents(Resource):
    """Events of the last 30 days, and whom they were told."""

    def list(self, **query: Any) -> Listing[t.WebhookEvent]:
        return self._list("listWebhookEvents", "webhook_events", query)

    def get(self, event_id: str) -> t.WebhookEventDetail:
        return cast("t.WebhookEventDetail", self._call("getWebhookEvent", path={"id": event_id}))

    def attempts(self, event_id: str) -> t.WebhookAttemptList:
        """Each try to tell it, with the status and the beginning of the answer."""
        return cast("t.WebhookAttemptList", self._call("listWebhookAttempts", path={"id": event_id}))

    def redeliver(self, event_id: str) -> t.WebhookEventDetail:
        """Sends it to the endpoints that would be told it now."""
        return cast("t.WebhookEventDetail", self._call("redeliverWebhookEvent", path={"id": event_id}))


class NotificationPreferences(Resource):
    """The mails that you want, of those that you may switch off."""

    def get(self) -> t.NotificationPreferences:
        return cast("t.NotificationPreferences", self._call("getNotificationPreferences"))

    def set(self, body: t.NewNotificationPreferences) -> t.NotificationPreferences:
        """Sets all of them. What you leave out is on."""
        return cast("t.NotificationPreferences", self._call("putNotificationPreferences", body=body))


class Consents(Resource):
    """The clients of OAuth that you let spend."""

    def list(self, **query: Any) -> Listing[t.Consent]:
        """The live ones, newest first."""
        return self._list("listConsents", "consents", query)

    def revoke(self, consent_id: str) -> None:
        """Ends a consent with its pass and its tokens, everywhere within a second."""
        self._call("revokeConsent", path={"id": consent_id})


class Embeds(Resource):
    """Pages of the console that you show inside a product of your own."""

    def create(self, body: t.NewEmbed) -> t.Embed:
        """Makes the address of one page, for the ``src`` of an ``<iframe>``. Whoever has it reads that page, for an hour at most."""
        return cast("t.Embed", self._call("createEmbed", body=body))

    def origins(self) -> t.EmbedOrigins:
        """The origins whose pages may frame embeds."""
        return cast("t.EmbedOrigins", self._call("getEmbedOrigins"))

    def set_origins(self, body: t.EmbedOrigins) -> t.EmbedOrigins:
        """Sets all of them. With none, no page frames any."""
        return cast("t.EmbedOrigins", self._call("putEmbedOrigins", body=body))


class Service(Resource):
    """The service itself. None of these needs an API key."""

    def live(self) -> t.Liveness:
        """Whether the process runs."""
        return cast("t.Liveness", self._call("getLiveness"))

    def ready(self) -> t.Readiness:
        """Whether it can do its work."""
        return cast("t.Readiness", self._call("getReadiness"))

    def open_api(self) -> dict[str, Any]:
        return cast("dict[str, Any]", self._call("getOpenApi"))

    def signing_keys(self) -> t.JsonWebKeySet:
        """The public keys that sign access tokens."""
        return cast("t.JsonWebKeySet", self._call("getSigningKeys"))


def with_key(body: t.Event | t.AuthorizationInput) -> dict[str, Any]:
    """The body under a key, so that a repeat has no second effect. It is the one key of its call."""
    key = body.get("idempotency_key")
    return {**body, "idempotency_key": str(uuid.uuid4()) if key is None else key}
