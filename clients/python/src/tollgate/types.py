# Written by `pnpm sdk-types` from the contracts; a test compares.
"""The bodies of the API, by their names in the OpenAPI document."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Union

if sys.version_info >= (3, 11):
    from typing import NotRequired
elif TYPE_CHECKING:  # type checkers bring it; nothing needs it at run time
    from typing_extensions import NotRequired


AccessToken = TypedDict(
    "AccessToken",
    {
        "access_token": "str",
        "token_type": "Literal[\"Bearer\"]",
        "expires_in": "int",
    },
)


Account = TypedDict(
    "Account",
    {
        "account_id": "str",
        "email": "str",
        "email_verified": "bool",
        "email_bounced_at": "Union[str, None]",
        "public_name": "Union[str, None]",
        "operator": "bool",
        "created_at": "str",
    },
)


AccountClosure = TypedDict(
    "AccountClosure",
    {
        "account_id": "str",
        "closed_at": "str",
        "waits_for": "list[Literal[\"month\", \"call\", \"invoice\", \"dispute\", \"payment\", \"payout\", \"negative_balance\"]]",
        "looked_at": "Union[str, None]",
        "erased_at": "Union[str, None]",
        "books_kept_until": "str",
    },
)


AccountUpdate = TypedDict(
    "AccountUpdate",
    {
        "public_name": "Union[str, None]",
    },
)


ApiKey = TypedDict(
    "ApiKey",
    {
        "id": "str",
        "name": "str",
        "prefix": "str",
        "last_four": "str",
        "can": "list[Literal[\"events\", \"read\", \"manage\"]]",
        "expires_at": "Union[str, None]",
        "created_at": "str",
        "last_used_at": "Union[str, None]",
    },
)


ApiKeyList = TypedDict(
    "ApiKeyList",
    {
        "api_keys": "list[ApiKey]",
        "total": "int",
        "has_more": "bool",
        "next_cursor": "Union[str, None]",
    },
)


Approval = TypedDict(
    "Approval",
    {
        "id": "str",
        "state": "Literal[\"open\", \"approved\", \"refused\", \"used\"]",
        "pass_id": "str",
        "pass_name": "str",
        "tool_id": "str",
        "count": "int",
        "at_most_usd": "float",
        "beyond_cap_usd": "float",
        "cap": "Union[dict[str, Any], None]",
        "url": "str",
        "created_at": "str",
        "expires_at": "str",
    },
)


ApprovalLink = TypedDict(
    "ApprovalLink",
    {
        "id": "str",
        "url": "str",
        "expires_at": "str",
    },
)


ApprovalList = TypedDict(
    "ApprovalList",
    {
        "approvals": "list[Approval]",
        "total": "int",
        "has_more": "bool",
        "next_cursor": "Union[str, None]",
    },
)


Authorization = TypedDict(
    "Authorization",
    {
        "id": "str",
        "consumer_id": "str",
        "tool_id": "str",
        "pass_id": "Union[str, None]",
        "price_id": "str",
        "count": "int",
        "captured_count": "int",
        "state": "Literal[\"open\", \"captured\", \"settled\", \"released\", \"expired\"]",
        "held_usd": "float",
        "charged_usd": "Union[float, None]",
        "remaining_usd": "Union[float, None]",
        "reference": "Union[str, None]",
        "low": "bool",
        "expires_at": "str",
    },
)


AuthorizationExtension = TypedDict(
    "AuthorizationExtension",
    {
        "ttl_seconds": "int",
        "reference": "NotRequired[Union[str, None]]",
    },
)


AuthorizationIncrease = TypedDict(
    "AuthorizationIncrease",
    {
        "max": "AuthorizedMax",
    },
)


AuthorizationInput = TypedDict(
    "AuthorizationInput",
    {
        "tool_id": "str",
        "pass": "NotRequired[Union[str, None]]",
        "max": "NotRequired[Union[AuthorizedMax, None]]",
        "count": "NotRequired[Union[int, None]]",
        "ttl_seconds": "NotRequired[Union[int, None]]",
        "reference": "NotRequired[Union[str, None]]",
        "idempotency_key": "NotRequired[Union[str, None]]",
    },
)


AuthorizationList = TypedDict(
    "AuthorizationList",
    {
        "authorizations": "list[Authorization]",
        "total": "int",
        "has_more": "bool",
        "next_cursor": "Union[str, None]",
    },
)


AuthorizedMax = TypedDict(
    "AuthorizedMax",
    {
        "duration_ms": "NotRequired[Union[int, None]]",
        "metadata": "NotRequired[Union[dict[str, float], None]]",
    },
)


AutoTopUp = TypedDict(
    "AutoTopUp",
    {
        "below_usd": "float",
        "amount_usd": "float",
        "monthly_max_usd": "float",
        "month_usd": "float",
        "failure_code": "Union[str, None]",
        "retry_at": "Union[str, None]",
    },
)


AutoTopUpInput = TypedDict(
    "AutoTopUpInput",
    {
        "below_usd": "NotRequired[float]",
        "amount_usd": "NotRequired[float]",
        "monthly_max_usd": "NotRequired[float]",
    },
)


Balance = TypedDict(
    "Balance",
    {
        "currency": "Literal[\"usd\"]",
        "balance_usd": "float",
        "held_usd": "float",
        "owed_usd": "Union[float, None]",
        "unbilled_usd": "Union[float, None]",
        "credit_limit_usd": "Union[float, None]",
        "available_usd": "float",
        "auto_top_up": "Union[AutoTopUp, None]",
        "alerts_below_usd": "list[float]",
        "credits": "list[OwnCredit]",
    },
)


BalanceAlerts = TypedDict(
    "BalanceAlerts",
    {
        "below_usd": "list[float]",
    },
)


BalanceAlertsInput = TypedDict(
    "BalanceAlertsInput",
    {
        "below_usd": "list[float]",
    },
)


BalancePart = TypedDict(
    "BalancePart",
    {
        "credit_id": "str",
        "top_up_id": "Union[str, None]",
        "amount_usd": "float",
        "calls_from": "Union[str, None]",
        "calls_to": "Union[str, None]",
    },
)


BalanceRefund = TypedDict(
    "BalanceRefund",
    {
        "id": "str",
        "account_id": "str",
        "currency": "Literal[\"usd\"]",
        "amount_usd": "float",
        "refunded_usd": "float",
        "status": "Literal[\"pending\", \"succeeded\", \"failed\"]",
        "parts": "list[BalanceRefundPart]",
        "created_at": "str",
    },
)


BalanceRefundList = TypedDict(
    "BalanceRefundList",
    {
        "refunds": "list[BalanceRefund]",
        "total": "int",
        "has_more": "bool",
        "next_cursor": "Union[str, None]",
    },
)


BalanceRefundOrder = TypedDict(
    "BalanceRefundOrder",
    {
        "amount_usd": "NotRequired[Union[float, None]]",
    },
)


BalanceRefundPart = TypedDict(
    "BalanceRefundPart",
    {
        "top_up_id": "str",
        "amount_usd": "float",
        "status": "Literal[\"pending\", \"succeeded\", \"failed\"]",
        "failure_code": "Union[str, None]",
    },
)


BegunTotp = TypedDict(
    "BegunTotp",
    {
        "secret": "str",
        "otpauth_uri": "str",
    },
)


BillingAccount = TypedDict(
    "BillingAccount",
    {
        "processor_connected": "bool",
        "processor_account_id": "Union[str, None]",
        "payout_enabled": "bool",
        "pending_balance_usd": "float",
        "requirements": "list[str]",
        "disabled_reason": "Union[str, None]",
        "bank_failure": "Union[dict[str, Any], None]",
    },
)


BillingDetails = TypedDict(
    "BillingDetails",
    {
        "name": "str",
        "address": "list[str]",
        "country": "str",
        "tax_id": "Union[str, None]",
    },
)


Budget = TypedDict(
    "Budget",
    {
        "amount_usd": "float",
        "window": "Literal[\"day\", \"month\"]",
        "alerts": "list[int]",
        "spent_usd": "float",
        "held_usd": "float",
        "remaining_usd": "float",
        "resets_at": "str",
    },
)


BudgetInput = TypedDict(
    "BudgetInput",
    {
        "amount_usd": "NotRequired[float]",
        "window": "Literal[\"day\", \"month\"]",
        "alerts": "NotRequired[Union[list[int], None]]",
    },
)


BuilderEvent = TypedDict(
    "BuilderEvent",
    {
        "event_id": "str",
        "tool_id": "str",
        "status": "Literal[\"recorded\"]",
        "state": "Literal[\"counted\"]",
        "timestamp": "str",
        "received_at": "str",
        "duration_ms": "Union[int, None]",
        "success": "bool",
        "metadata": "Metadata",
        "consumer_id": "str",
    },
)


Charge = TypedDict(
    "Charge",
    {
        "name": "Union[str, None]",
        "metric": "Metric",
        "model": "PriceModel",
        "free_quantity": "str",
    },
)


ChargeInput = TypedDict(
    "ChargeInput",
    {
        "name": "NotRequired[Union[str, None]]",
        "metric": "MetricInput",
        "model": "PriceModelInput",
        "free_quantity": "NotRequired[Union[str, None]]",
    },
)


CheckedPass = TypedDict(
    "CheckedPass",
    {
        "id": "str",
        "parent_id": "Union[str, None]",
        "name": "str",
        "tools": "Union[Literal[\"*\"], list[str]]",
        "resets_at": "Union[str, None]",
        "paused": "bool",
        "tags": "dict[str, str]",
        "prefix": "str",
        "last_four": "str",
        "created_at": "str",
        "expires_at": "Union[str, None]",
        "low": "bool",
        "token": "Union[dict[str, Any], None]",
    },
)


ChildPassList = TypedDict(
    "ChildPassList",
    {
        "passes": "list[OwnPass]",
        "total": "int",
        "has_more": "bool",
        "next_cursor": "Union[str, None]",
    },
)


ConnectLink = TypedDict(
    "ConnectLink",
    {
        "connect_url": "str",
        "expires_at": "str",
    },
)


Consent = TypedDict(
    "Consent",
    {
        "id": "str",
        "client_id": "str",
        "client_name": "str",
        "client_host": "Union[str, None]",
        "resource": "str",
        "pass_id": "str",
        "tools": "list[str]",
        "cap": "Union[dict[str, Any], None]",
        "per_call_max_usd": "Union[float, None]",
        "approve_above_usd": "Union[float, None]",
        "paused": "bool",
        "created_at": "str",
        "consented_at": "str",
        "last_token_at": "Union[str, None]",
        "expires_at": "Union[str, None]",
    },
)


ConsentList = TypedDict(
    "ConsentList",
    {
        "consents": "list[Consent]",
        "total": "int",
        "has_more": "bool",
        "next_cursor": "Union[str, None]",
    },
)


ConsumerEvent = TypedDict(
    "ConsumerEvent",
    {
        "event_id": "str",
        "tool_id": "str",
        "status": "Literal[\"recorded\"]",
        "state": "Literal[\"counted\"]",
        "timestamp": "str",
        "received_at": "str",
        "duration_ms": "Union[int, None]",
        "success": "bool",
        "metadata": "Metadata",
        "idempotency_key": "Union[str, None]",
        "pass_id": "Union[str, None]",
    },
)


CountedEvent = Union[ConsumerEvent, BuilderEvent]


CreatedApiKey = TypedDict(
    "CreatedApiKey",
    {
        "id": "str",
        "name": "str",
        "prefix": "str",
        "last_four": "str",
        "can": "list[Literal[\"events\", \"read\", \"manage\"]]",
        "expires_at": "Union[str, None]",
        "created_at": "str",
        "last_used_at": "Union[str, None]",
        "key": "NotRequired[str]",
    },
)


CreatedChildPass = TypedDict(
    "CreatedChildPass",
    {
        "id": "str",
        "parent_id": "Union[str, None]",
        "name": "str",
        "tools": "Union[Literal[\"*\"], list[str]]",
        "resets_at": "Union[str, None]",
        "paused": "bool",
        "tags": "dict[str, str]",
        "prefix": "str",
        "last_four": "str",
        "created_at": "str",
        "expires_at": "Union[str, None]",
        "low": "bool",
        "key": "str",
    },
)


CreatedPass = TypedDict(
    "CreatedPass",
    {
        "id": "str",
        "parent_id": "Union[str, None]",
        "name": "str",
        "tools": "Union[Literal[\"*\"], list[str]]",
        "cap": "Union[dict[str, Any], None]",
        "per_call_max_usd": "Union[float, None]",
        "approve_above_usd": "Union[float, None]",
        "spent_usd": "Union[float, None]",
        "held_usd": "Union[float, None]",
        "remaining_usd": "Union[float, None]",
        "resets_at": "Union[str, None]",
        "paused": "bool",
        "tags": "dict[str, str]",
        "prefix": "str",
        "last_four": "str",
        "created_at": "str",
        "expires_at": "Union[str, None]",
        "key": "str",
    },
)


CreatedWebhookEndpoint = TypedDict(
    "CreatedWebhookEndpoint",
    {
        "id": "str",
        "url": "str",
        "types": "Union[list[str], None]",
        "description": "Union[str, None]",
        "enabled": "bool",
        "disabled_reason": "Literal[\"owner\", \"gone\", \"failing\", None]",
        "failing_since": "Union[str, None]",
        "created_at": "str",
        "secret": "str",
    },
)


Credentials = TypedDict(
    "Credentials",
    {
        "email": "str",
        "password": "str",
        "totp_code": "NotRequired[Union[str, None]]",
        "recovery_code": "NotRequired[Union[str, None]]",
    },
)


CreditNote = TypedDict(
    "CreditNote",
    {
        "id": "str",
        "number": "int",
        "invoice_id": "str",
        "invoice_number": "int",
        "period": "str",
        "currency": "Literal[\"usd\"]",
        "amount_usd": "float",
        "cause": "Literal[\"operator\", \"dispute\", \"processor\", \"reinstated\"]",
        "issued_at": "str",
        "lines": "list[CreditedTool]",
    },
)


CreditNoteList = TypedDict(
    "CreditNoteList",
    {
        "credit_notes": "list[CreditNoteSummary]",
        "total": "int",
        "has_more": "bool",
        "next_cursor": "Union[str, None]",
    },
)


CreditNoteSummary = TypedDict(
    "CreditNoteSummary",
    {
        "id": "str",
        "number": "int",
        "invoice_id": "str",
        "invoice_number": "int",
        "period": "str",
        "currency": "Literal[\"usd\"]",
        "amount_usd": "float",
        "cause": "Literal[\"operator\", \"dispute\", \"processor\", \"reinstated\"]",
        "issued_at": "str",
    },
)


CreditedTool = TypedDict(
    "CreditedTool",
    {
        "tool_id": "Union[str, None]",
        "amount_usd": "float",
    },
)


DeviceLogin = TypedDict(
    "DeviceLogin",
    {
        "device_code": "str",
        "user_code": "str",
        "verification_url": "str",
        "expires_in": "int",
        "interval": "int",
    },
)


DeviceLoginRedemption = TypedDict(
    "DeviceLoginRedemption",
    {
        "device_code": "str",
    },
)


Embed = TypedDict(
    "Embed",
    {
        "page": "Literal[\"usage\", \"earnings\", \"invoices\"]",
        "url": "str",
        "expires_at": "str",
    },
)


EmbedOrigins = TypedDict(
    "EmbedOrigins",
    {
        "origins": "list[str]",
    },
)


Event = TypedDict(
    "Event",
    {
        "tool_id": "str",
        "duration_ms": "NotRequired[Union[int, None]]",
        "success": "NotRequired[Union[bool, None]]",
        "metadata": "NotRequired[Union[MetadataInput, None]]",
        "timestamp": "NotRequired[Union[str, None]]",
        "idempotency_key": "NotRequired[Union[str, None]]",
        "authorization_id": "NotRequired[Union[str, None]]",
        "call_index": "NotRequired[Union[int, None]]",
        "traceparent": "NotRequired[Union[str, None]]",
    },
)


EventBatch = TypedDict(
    "EventBatch",
    {
        "events": "list[Event]",
    },
)


EventBatchResult = TypedDict(
    "EventBatchResult",
    {
        "recorded": "int",
        "duplicates": "int",
        "rejected": "int",
        "unknown": "int",
        "results": "list[dict[str, Any]]",
    },
)


EventItemError = TypedDict(
    "EventItemError",
    {
        "status": "int",
        "code": "Literal[\"invalid_request\", \"authorization_pending\", \"slow_down\", \"expired_token\", \"access_denied\", \"consumer_not_accepted\", \"unauthorized\", \"invalid_credentials\", \"second_factor_required\", \"invalid_second_factor\", \"payment_required\", \"spending_cap_reached\", \"approval_required\", \"forbidden\", \"events_scope_missing\", \"read_scope_missing\", \"manage_scope_missing\", \"account_suspended\", \"pass_refused\", \"tool_not_allowed\", \"operator_code_required\", \"not_found\", \"tool_not_found\", \"authorization_not_found\", \"event_not_found\", \"method_not_allowed\", \"request_timeout\", \"email_taken\", \"totp_enabled\", \"operator_token_taken\", \"slug_taken\", \"name_taken\", \"resource_taken\", \"effective_from_taken\", \"tool_archived\", \"approval_not_open\", \"idempotency_conflict\", \"idempotency_in_progress\", \"invoice_paid\", \"charge_unresolved\", \"payment_method_required\", \"invoice_not_paid\", \"payout_country_fixed\", \"dispute_decided\", \"charge_disputed\", \"invoice_not_held\", \"clock_moved\", \"clock_moved_back\", \"authorization_not_open\", \"payload_too_large\", \"unsupported_media_type\", \"event_expired\", \"authorization_exceeded\", \"invoice_too_large\", \"refund_too_large\", \"balance_too_small\", \"refund_line_unknown\", \"nothing_stray\", \"idempotency_key_reused\", \"too_many_tools\", \"too_many_price_versions\", \"price_too_high\", \"resource_not_proved\", \"price_rise_too_soon\", \"too_many_passes\", \"pass_too_deep\", \"too_many_keys\", \"too_many_embeds\", \"too_many_webhook_endpoints\", \"webhook_url_refused\", \"webhook_endpoint_disabled\", \"too_many_operator_tokens\", \"rate_limit_exceeded\", \"processor_refused\", \"server_error\", \"unavailable\", \"processor_unavailable\", \"pdf_busy\"]",
        "detail": "str",
        "errors": "NotRequired[list[FieldError]]",
    },
)


EventList = TypedDict(
    "EventList",
    {
        "events": "list[CountedEvent]",
        "total": "None",
        "has_more": "bool",
        "next_cursor": "Union[str, None]",
    },
)


FieldError = TypedDict(
    "FieldError",
    {
        "pointer": "str",
        "code": "str",
        "message": "str",
    },
)


Forecast = TypedDict(
    "Forecast",
    {
        "period": "str",
        "through": "str",
        "spent_usd": "float",
        "estimated_usd": "Union[float, None]",
        "estimated_low_usd": "Union[float, None]",
        "estimated_high_usd": "Union[float, None]",
        "budget_usd": "Union[float, None]",
        "budget_ends_on": "Union[str, None]",
        "history_days": "int",
        "days": "list[ForecastDay]",
    },
)


ForecastDay = TypedDict(
    "ForecastDay",
    {
        "date": "str",
        "spent_usd": "Union[float, None]",
        "estimated_usd": "Union[float, None]",
        "estimated_low_usd": "Union[float, None]",
        "estimated_high_usd": "Union[float, None]",
    },
)


Invoice = TypedDict(
    "Invoice",
    {
        "id": "str",
        "number": "int",
        "status": "Literal[\"open\", \"paid\", \"carried\", \"past_due\", \"uncollectible\", \"void\"]",
        "issued_at": "str",
        "due_at": "str",
        "paid_at": "Union[str, None]",
        "period": "str",
        "currency": "Literal[\"usd\"]",
        "charge_usd": "float",
        "carried_in_usd": "float",
        "total_usd": "float",
        "carried_out_usd": "float",
        "refunded_usd": "float",
        "balance_paid_usd": "float",
        "card_paid_usd": "float",
        "balance_parts": "list[BalancePart]",
        "lines": "list[InvoiceLine]",
        "line_count": "int",
        "lines_truncated": "bool",
        "held_for": "Literal[\"confirmation\", \"payment_method\", \"authentication\", None]",
    },
)


InvoiceLine = TypedDict(
    "InvoiceLine",
    {
        "tool_id": "str",
        "price_id": "str",
        "charge": "int",
        "name": "Union[str, None]",
        "quantity": "str",
        "unit": "str",
        "charge_usd": "float",
        "adjustment_of": "Union[str, None]",
    },
)


InvoiceLineList = TypedDict(
    "InvoiceLineList",
    {
        "lines": "list[InvoiceLine]",
        "total": "int",
        "has_more": "bool",
        "next_cursor": "Union[str, None]",
    },
)


InvoiceList = TypedDict(
    "InvoiceList",
    {
        "invoices": "list[Invoice]",
        "total": "int",
        "has_more": "bool",
        "next_cursor": "Union[str, None]",
    },
)


JsonWebKeySet = TypedDict(
    "JsonWebKeySet",
    {
        "keys": "list[dict[str, Any]]",
    },
)


Liveness = TypedDict(
    "Liveness",
    {
        "status": "Literal[\"ok\"]",
        "now": "str",
    },
)


LoginLink = TypedDict(
    "LoginLink",
    {
        "login_url": "str",
    },
)


Metadata = dict[str, Union[str, float, bool]]


MetadataInput = dict[str, Union[str, float, bool, None]]


Metric = dict[str, Any]


MetricInput = dict[str, Any]


NewApiKey = TypedDict(
    "NewApiKey",
    {
        "name": "str",
        "can": "NotRequired[Union[list[Literal[\"events\", \"read\", \"manage\"]], None]]",
        "expires_at": "NotRequired[Union[str, None]]",
    },
)


NewBillingDetails = TypedDict(
    "NewBillingDetails",
    {
        "name": "str",
        "address": "list[str]",
        "country": "str",
        "tax_id": "NotRequired[Union[str, None]]",
    },
)


NewChildPass = TypedDict(
    "NewChildPass",
    {
        "name": "NotRequired[Union[str, None]]",
        "tools": "Union[Literal[\"*\"], list[str]]",
        "cap": "PassCap",
        "per_call_max_usd": "NotRequired[Union[float, None]]",
        "expires_at": "str",
    },
)


NewConnectLink = TypedDict(
    "NewConnectLink",
    {
        "return_url": "str",
        "country": "NotRequired[str]",
    },
)


NewCredentials = TypedDict(
    "NewCredentials",
    {
        "email": "str",
        "password": "str",
    },
)


NewDeviceLogin = TypedDict(
    "NewDeviceLogin",
    {
        "client": "str",
    },
)


NewEmbed = TypedDict(
    "NewEmbed",
    {
        "page": "Literal[\"usage\", \"earnings\", \"invoices\"]",
        "ttl_seconds": "NotRequired[Union[int, None]]",
        "theme": "NotRequired[Literal[\"auto\", \"light\", \"dark\", None]]",
    },
)


NewNotificationPreferences = TypedDict(
    "NewNotificationPreferences",
    {
        "email": "dict[str, Any]",
    },
)


NewPass = TypedDict(
    "NewPass",
    {
        "name": "str",
        "tools": "Union[Literal[\"*\"], list[str]]",
        "cap": "NotRequired[Union[PassCap, None]]",
        "per_call_max_usd": "NotRequired[Union[float, None]]",
        "approve_above_usd": "NotRequired[Union[float, None]]",
        "expires_at": "NotRequired[Union[str, None]]",
        "tags": "NotRequired[Union[dict[str, str], None]]",
    },
)


NewPaymentMethodSetup = TypedDict(
    "NewPaymentMethodSetup",
    {
        "return_url": "str",
    },
)


NewPricePreview = TypedDict(
    "NewPricePreview",
    {
        "price": "Union[PriceInput, PerCallPrice]",
        "quantities": "list[PreviewQuantity]",
    },
)


NewPriceVersion = TypedDict(
    "NewPriceVersion",
    {
        "price": "Union[PriceInput, PerCallPrice]",
        "effective_from": "str",
    },
)


NewTool = TypedDict(
    "NewTool",
    {
        "slug": "str",
        "name": "str",
        "description": "NotRequired[Union[str, None]]",
        "price": "Union[PriceInput, PerCallPrice]",
        "default_max": "NotRequired[Union[AuthorizedMax, None]]",
    },
)


NewTotp = TypedDict(
    "NewTotp",
    {
        "password": "str",
    },
)


NewWebhookEndpoint = TypedDict(
    "NewWebhookEndpoint",
    {
        "url": "str",
        "types": "NotRequired[Union[list[Literal[\"invoice.issued\", \"invoice.paid\", \"invoice.payment_failed\", \"invoice.past_due\", \"invoice.uncollectible\", \"invoice.voided\", \"invoice.refunded\", \"credit_note.issued\", \"payment_method.updated\", \"payment_method.removed\", \"dispute.opened\", \"dispute.won\", \"dispute.lost\", \"balance.topped_up\", \"top_up.failed\", \"balance.refunded\", \"credit.granted\", \"credit.expired\", \"payout.scheduled\", \"payout.paid\", \"payout.failed\", \"payout.reversed\", \"payout_account.connected\", \"payout_account.updated\", \"payout_account.disconnected\", \"spending.threshold_reached\", \"spending.limit_reached\", \"spending.forecast_exceeds_budget\", \"spending.anomaly\", \"balance.low\", \"auto_top_up.failed\", \"auto_top_up.limit_reached\", \"tool.created\", \"tool.price_added\", \"tool.archived\", \"tool.first_call\", \"api_key.created\", \"api_key.revoked\", \"api_key.expired\", \"oauth.consent_given\", \"oauth.consent_revoked\", \"webhook_endpoint.disabled\", \"account.registered\", \"dead_letter.stored\", \"ledger.difference_found\"]], None]]",
        "description": "NotRequired[Union[str, None]]",
    },
)


NotificationPreferences = TypedDict(
    "NotificationPreferences",
    {
        "email": "dict[str, Any]",
    },
)


OwnAct = TypedDict(
    "OwnAct",
    {
        "id": "str",
        "occurred_at": "str",
        "action": "Literal[\"account.registered\", \"account.signed_in\", \"device_login.approved\", \"session.ended\", \"api_key.created\", \"api_key.revoked\", \"embed.created\", \"embed_origins.changed\", \"pass.created\", \"pass.changed\", \"pass.rotated\", \"pass.revoked\", \"call.approved\", \"call.refused\", \"password.changed\", \"email.confirmed\", \"second_factor.added\", \"second_factor.removed\", \"second_factor.proved\", \"recovery_codes.replaced\", \"account.suspended\", \"account.resumed\", \"account.named\", \"account.closed\", \"account.erased\", \"tool.created\", \"tool.changed\", \"tool.archived\", \"price.added\", \"payout_account.linked\", \"payout_account.changed\", \"payout_account.disconnected\", \"billing_details.changed\", \"payment_method.linked\", \"payment_method.changed\", \"payment_method.removed\", \"invoice.refunded\", \"stray_money.returned\", \"invoice.voided\", \"invoice.confirmed\", \"credit.granted\", \"top_up.ordered\", \"balance.refunded\", \"credit_limit.changed\", \"auto_top_up.changed\", \"auto_top_up.removed\", \"balance_alerts.changed\", \"webhook_endpoint.created\", \"webhook_endpoint.changed\", \"webhook_endpoint.removed\", \"webhook_endpoint.secret_rotated\", \"notification_preferences.changed\", \"clock.moved\", \"data.exported\", \"signing_key.rotated\", \"operator_totp.enabled\", \"operator_totp.disabled\", \"operator_code.created\", \"operator_token.created\", \"operator_token.revoked\", \"operator_token.rotated\", \"operator_token.used\", \"operator_account.granted\", \"operator_account.revoked\"]",
        "result": "Literal[\"done\", \"refused\"]",
        "actor": "Literal[\"session\", \"api_key\", \"pass\", \"operator\", \"command\", \"processor\", \"service\", \"nobody\"]",
        "credential_id": "Union[str, None]",
        "address": "Union[str, None]",
        "request_id": "Union[str, None]",
        "object_kind": "str",
        "object_id": "Union[str, None]",
    },
)


OwnActList = TypedDict(
    "OwnActList",
    {
        "acts": "list[OwnAct]",
        "total": "None",
        "has_more": "bool",
        "next_cursor": "Union[str, None]",
    },
)


OwnCredit = TypedDict(
    "OwnCredit",
    {
        "id": "str",
        "amount_usd": "float",
        "left_usd": "float",
        "effective_from": "Union[str, None]",
        "expires_at": "Union[str, None]",
        "top_up_id": "Union[str, None]",
        "created_at": "str",
    },
)


OwnPass = TypedDict(
    "OwnPass",
    {
        "id": "str",
        "parent_id": "Union[str, None]",
        "name": "str",
        "tools": "Union[Literal[\"*\"], list[str]]",
        "resets_at": "Union[str, None]",
        "paused": "bool",
        "tags": "dict[str, str]",
        "prefix": "str",
        "last_four": "str",
        "created_at": "str",
        "expires_at": "Union[str, None]",
        "low": "bool",
    },
)


Pass = TypedDict(
    "Pass",
    {
        "id": "str",
        "parent_id": "Union[str, None]",
        "name": "str",
        "tools": "Union[Literal[\"*\"], list[str]]",
        "cap": "Union[dict[str, Any], None]",
        "per_call_max_usd": "Union[float, None]",
        "approve_above_usd": "Union[float, None]",
        "spent_usd": "Union[float, None]",
        "held_usd": "Union[float, None]",
        "remaining_usd": "Union[float, None]",
        "resets_at": "Union[str, None]",
        "paused": "bool",
        "tags": "dict[str, str]",
        "prefix": "str",
        "last_four": "str",
        "created_at": "str",
        "expires_at": "Union[str, None]",
    },
)


PassCap = TypedDict(
    "PassCap",
    {
        "amount_usd": "NotRequired[float]",
        "window": "Literal[\"day\", \"month\", \"total\"]",
    },
)


PassCheck = TypedDict(
    "PassCheck",
    {
        "pass": "str",
        "resource": "NotRequired[Union[str, None]]",
    },
)


PassList = TypedDict(
    "PassList",
    {
        "passes": "list[Pass]",
        "total": "int",
        "has_more": "bool",
        "next_cursor": "Union[str, None]",
    },
)


PassRotation = TypedDict(
    "PassRotation",
    {
        "grace_seconds": "NotRequired[Union[int, None]]",
    },
)


PassUpdate = TypedDict(
    "PassUpdate",
    {
        "name": "NotRequired[str]",
        "tools": "NotRequired[Union[Literal[\"*\"], list[str]]]",
        "cap": "NotRequired[Union[PassCap, None]]",
        "per_call_max_usd": "NotRequired[Union[float, None]]",
        "approve_above_usd": "NotRequired[Union[float, None]]",
        "expires_at": "NotRequired[Union[str, None]]",
        "tags": "NotRequired[dict[str, str]]",
        "paused": "NotRequired[bool]",
    },
)


PasswordChange = TypedDict(
    "PasswordChange",
    {
        "current_password": "str",
        "new_password": "str",
        "revoke_api_keys": "NotRequired[bool]",
    },
)


PasswordReset = TypedDict(
    "PasswordReset",
    {
        "email": "str",
    },
)


PaymentMethod = TypedDict(
    "PaymentMethod",
    {
        "brand": "str",
        "last4": "str",
        "exp_month": "int",
        "exp_year": "int",
    },
)


PaymentMethodSetup = TypedDict(
    "PaymentMethodSetup",
    {
        "setup_url": "str",
        "expires_at": "str",
    },
)


Payout = TypedDict(
    "Payout",
    {
        "id": "str",
        "amount_usd": "float",
        "net_usd": "float",
        "fee_usd": "float",
        "status": "Literal[\"pending\", \"scheduled\", \"paid\", \"failed\"]",
        "period": "str",
        "paid_at": "Union[str, None]",
    },
)


PayoutAttempt = TypedDict(
    "PayoutAttempt",
    {
        "number": "int",
        "status": "Literal[\"unknown\", \"succeeded\", \"failed\", \"reversed\"]",
        "amount_usd": "float",
        "failure_code": "Union[str, None]",
        "started_at": "str",
        "settled_at": "Union[str, None]",
    },
)


PayoutDetail = TypedDict(
    "PayoutDetail",
    {
        "id": "str",
        "amount_usd": "float",
        "net_usd": "float",
        "fee_usd": "float",
        "status": "Literal[\"pending\", \"scheduled\", \"paid\", \"failed\"]",
        "period": "str",
        "paid_at": "Union[str, None]",
        "lines": "list[PayoutLine]",
        "processor_fees_usd": "float",
        "carried_in": "PayoutRemainder",
        "carried_out": "PayoutRemainder",
        "next_attempt_at": "Union[str, None]",
        "attempts": "list[PayoutAttempt]",
    },
)


PayoutLine = TypedDict(
    "PayoutLine",
    {
        "tool_id": "str",
        "charge_usd": "float",
        "earning_usd": "float",
        "fee_usd": "float",
    },
)


PayoutList = TypedDict(
    "PayoutList",
    {
        "payouts": "list[Payout]",
        "total": "int",
        "has_more": "bool",
        "next_cursor": "Union[str, None]",
    },
)


PayoutRemainder = TypedDict(
    "PayoutRemainder",
    {
        "earning_usd": "float",
        "fee_usd": "float",
    },
)


PerCallPrice = TypedDict(
    "PerCallPrice",
    {
        "per_call_usd": "str",
    },
)


PreviewAmount = TypedDict(
    "PreviewAmount",
    {
        "calls": "int",
        "charge_usd": "float",
        "lines": "list[PreviewLine]",
    },
)


PreviewLine = TypedDict(
    "PreviewLine",
    {
        "name": "Union[str, None]",
        "quantity": "str",
        "unit": "str",
        "charge_usd": "float",
    },
)


PreviewQuantity = TypedDict(
    "PreviewQuantity",
    {
        "calls": "int",
        "duration_ms": "NotRequired[int]",
        "measures": "NotRequired[dict[str, str]]",
    },
)


Price = TypedDict(
    "Price",
    {
        "currency": "Literal[\"usd\"]",
        "charges": "list[Charge]",
        "bill_failed_calls": "bool",
    },
)


PriceInput = TypedDict(
    "PriceInput",
    {
        "currency": "Literal[\"usd\"]",
        "charges": "list[ChargeInput]",
        "bill_failed_calls": "NotRequired[Union[bool, None]]",
    },
)


PriceModel = dict[str, Any]


PriceModelInput = dict[str, Any]


PricePreview = TypedDict(
    "PricePreview",
    {
        "price": "Price",
        "amounts": "list[PreviewAmount]",
    },
)


PriceVersion = TypedDict(
    "PriceVersion",
    {
        "id": "str",
        "price": "Price",
        "effective_from": "Union[str, None]",
        "created_at": "str",
    },
)


PriceVersionList = TypedDict(
    "PriceVersionList",
    {
        "prices": "list[PriceVersion]",
        "total": "int",
        "has_more": "bool",
        "next_cursor": "Union[str, None]",
    },
)


Problem = TypedDict(
    "Problem",
    {
        "type": "str",
        "title": "str",
        "status": "int",
        "detail": "str",
        "instance": "str",
        "code": "Literal[\"invalid_request\", \"authorization_pending\", \"slow_down\", \"expired_token\", \"access_denied\", \"consumer_not_accepted\", \"unauthorized\", \"invalid_credentials\", \"second_factor_required\", \"invalid_second_factor\", \"payment_required\", \"spending_cap_reached\", \"approval_required\", \"forbidden\", \"events_scope_missing\", \"read_scope_missing\", \"manage_scope_missing\", \"account_suspended\", \"pass_refused\", \"tool_not_allowed\", \"operator_code_required\", \"not_found\", \"tool_not_found\", \"authorization_not_found\", \"event_not_found\", \"method_not_allowed\", \"request_timeout\", \"email_taken\", \"totp_enabled\", \"operator_token_taken\", \"slug_taken\", \"name_taken\", \"resource_taken\", \"effective_from_taken\", \"tool_archived\", \"approval_not_open\", \"idempotency_conflict\", \"idempotency_in_progress\", \"invoice_paid\", \"charge_unresolved\", \"payment_method_required\", \"invoice_not_paid\", \"payout_country_fixed\", \"dispute_decided\", \"charge_disputed\", \"invoice_not_held\", \"clock_moved\", \"clock_moved_back\", \"authorization_not_open\", \"payload_too_large\", \"unsupported_media_type\", \"event_expired\", \"authorization_exceeded\", \"invoice_too_large\", \"refund_too_large\", \"balance_too_small\", \"refund_line_unknown\", \"nothing_stray\", \"idempotency_key_reused\", \"too_many_tools\", \"too_many_price_versions\", \"price_too_high\", \"resource_not_proved\", \"price_rise_too_soon\", \"too_many_passes\", \"pass_too_deep\", \"too_many_keys\", \"too_many_embeds\", \"too_many_webhook_endpoints\", \"webhook_url_refused\", \"webhook_endpoint_disabled\", \"too_many_operator_tokens\", \"rate_limit_exceeded\", \"processor_refused\", \"server_error\", \"unavailable\", \"processor_unavailable\", \"pdf_busy\"]",
        "request_id": "str",
        "errors": "NotRequired[list[FieldError]]",
        "counted_through": "NotRequired[str]",
        "limit": "NotRequired[SpendingLimit]",
        "resets_at": "NotRequired[Union[str, None]]",
        "approval": "NotRequired[ApprovalLink]",
        "checks": "NotRequired[dict[str, str]]",
    },
)


Readiness = TypedDict(
    "Readiness",
    {
        "status": "Literal[\"ok\"]",
        "checks": "NotRequired[dict[str, str]]",
    },
)


RecordedEvent = TypedDict(
    "RecordedEvent",
    {
        "event_id": "str",
        "tool_id": "str",
        "status": "Literal[\"recorded\"]",
        "timestamp": "str",
    },
)


RecoveryCodes = TypedDict(
    "RecoveryCodes",
    {
        "recovery_codes": "list[str]",
    },
)


RefusedEvent = TypedDict(
    "RefusedEvent",
    {
        "event_id": "str",
        "tool_id": "str",
        "received_at": "str",
        "code": "str",
        "detail": "str",
    },
)


RefusedEventList = TypedDict(
    "RefusedEventList",
    {
        "events": "list[RefusedEvent]",
        "total": "None",
        "has_more": "bool",
        "next_cursor": "Union[str, None]",
    },
)


SecondFactorProof = TypedDict(
    "SecondFactorProof",
    {
        "password": "str",
        "totp_code": "NotRequired[Union[str, None]]",
        "recovery_code": "NotRequired[Union[str, None]]",
    },
)


Session = TypedDict(
    "Session",
    {
        "id": "str",
        "kind": "Literal[\"token\", \"browser\"]",
        "created_at": "str",
        "refreshed_at": "str",
        "ends_at": "str",
        "current": "bool",
    },
)


SessionList = TypedDict(
    "SessionList",
    {
        "sessions": "list[Session]",
        "total": "int",
        "has_more": "bool",
        "next_cursor": "Union[str, None]",
    },
)


SpendingAlert = TypedDict(
    "SpendingAlert",
    {
        "id": "str",
        "type": "Literal[\"spending.threshold_reached\", \"spending.limit_reached\", \"balance.low\", \"auto_top_up.failed\", \"auto_top_up.limit_reached\"]",
        "account_id": "str",
        "scope": "Literal[\"account\", \"pass\", \"balance\", \"auto_top_up\"]",
        "scope_id": "str",
        "percent": "int",
        "failure_code": "Union[str, None]",
        "below_usd": "Union[float, None]",
        "cap_usd": "float",
        "spent_usd": "float",
        "window_start": "str",
        "raised_at": "str",
    },
)


SpendingAlertList = TypedDict(
    "SpendingAlertList",
    {
        "alerts": "list[SpendingAlert]",
        "total": "int",
        "has_more": "bool",
        "next_cursor": "Union[str, None]",
    },
)


SpendingLimit = TypedDict(
    "SpendingLimit",
    {
        "scope": "Literal[\"account\", \"pass\", \"call\", \"balance\", \"allowance\"]",
        "cap_usd": "float",
        "spent_usd": "float",
        "held_usd": "float",
        "needed_usd": "float",
        "resets_at": "Union[str, None]",
    },
)


Statement = TypedDict(
    "Statement",
    {
        "period": "str",
        "currency": "Literal[\"usd\"]",
        "payout": "Payout",
        "lines": "list[StatementLine]",
        "charge_usd": "float",
        "earning_usd": "float",
        "fee_usd": "float",
        "processor_fees_usd": "float",
        "carried_in": "PayoutRemainder",
        "carried_out": "PayoutRemainder",
    },
)


StatementLine = TypedDict(
    "StatementLine",
    {
        "tool_id": "str",
        "price_id": "str",
        "charge": "int",
        "name": "Union[str, None]",
        "type": "Literal[\"usage\", \"adjustment\", \"refund\"]",
        "period": "str",
        "day": "Union[str, None]",
        "charge_usd": "float",
        "earning_usd": "float",
        "fee_usd": "float",
    },
)


Tool = TypedDict(
    "Tool",
    {
        "slug": "str",
        "name": "str",
        "description": "Union[str, None]",
        "sold_by": "Union[str, None]",
        "price": "Price",
        "default_max": "Union[AuthorizedMax, None]",
        "resource": "Union[str, None]",
        "archived": "bool",
        "created_at": "str",
    },
)


ToolList = TypedDict(
    "ToolList",
    {
        "tools": "list[Tool]",
        "total": "int",
        "has_more": "bool",
        "next_cursor": "Union[str, None]",
    },
)


ToolUpdate = TypedDict(
    "ToolUpdate",
    {
        "name": "NotRequired[str]",
        "description": "NotRequired[Union[str, None]]",
        "default_max": "NotRequired[Union[AuthorizedMax, None]]",
        "resource": "NotRequired[Union[str, None]]",
    },
)


TopUp = TypedDict(
    "TopUp",
    {
        "id": "str",
        "currency": "Literal[\"usd\"]",
        "amount_usd": "float",
        "status": "Literal[\"pending\", \"succeeded\", \"failed\"]",
        "failure_code": "Union[str, None]",
        "is_automatic": "bool",
        "created_at": "str",
        "succeeded_at": "Union[str, None]",
    },
)


TopUpList = TypedDict(
    "TopUpList",
    {
        "top_ups": "list[TopUp]",
        "total": "int",
        "has_more": "bool",
        "next_cursor": "Union[str, None]",
    },
)


TopUpOrder = TypedDict(
    "TopUpOrder",
    {
        "amount_usd": "NotRequired[float]",
    },
)


TotpConfirmation = TypedDict(
    "TotpConfirmation",
    {
        "code": "str",
    },
)


TotpState = TypedDict(
    "TotpState",
    {
        "enabled": "bool",
        "confirmed_at": "Union[str, None]",
        "recovery_codes_left": "int",
    },
)


Trace = TypedDict(
    "Trace",
    {
        "event_id": "str",
        "tool_id": "str",
        "consumer_id": "str",
        "pass_id": "Union[str, None]",
        "accepted": "TraceAccepted",
        "counted": "TraceCounted",
        "rated": "TraceRated",
        "invoice": "Union[TraceInvoice, None]",
        "payment": "TracePayment",
        "earning": "Union[TraceEarning, None]",
        "payout": "Union[TracePayout, None]",
    },
)


TraceAccepted = TypedDict(
    "TraceAccepted",
    {
        "timestamp": "str",
        "received_at": "str",
        "success": "bool",
        "duration_ms": "Union[int, None]",
    },
)


TraceCharge = TypedDict(
    "TraceCharge",
    {
        "charge": "int",
        "name": "Union[str, None]",
        "quantity": "str",
        "unit": "str",
        "charge_usd": "float",
        "refunded_usd": "float",
        "line": "Union[TraceLine, None]",
    },
)


TraceCollectedBy = TypedDict(
    "TraceCollectedBy",
    {
        "id": "Union[str, None]",
        "number": "Union[int, None]",
        "period": "str",
        "status": "Literal[\"draft\", \"open\", \"paid\", \"carried\", \"past_due\", \"uncollectible\", \"void\"]",
    },
)


TraceCounted = TypedDict(
    "TraceCounted",
    {
        "hour": "str",
        "tool_id": "str",
        "consumer_id": "str",
        "success": "bool",
        "calls": "int",
        "duration_ms": "int",
        "measures": "dict[str, str]",
    },
)


TraceEarning = TypedDict(
    "TraceEarning",
    {
        "status": "Literal[\"expected\", \"released\", \"written_off\"]",
        "released_at": "Union[str, None]",
        "earning_usd": "Union[float, None]",
        "fee_usd": "Union[float, None]",
    },
)


TraceInvoice = TypedDict(
    "TraceInvoice",
    {
        "id": "Union[str, None]",
        "number": "Union[int, None]",
        "period": "str",
        "status": "Literal[\"draft\", \"open\", \"paid\", \"carried\", \"past_due\", \"uncollectible\", \"void\"]",
        "total_usd": "Union[float, None]",
        "issued_at": "Union[str, None]",
        "due_at": "Union[str, None]",
    },
)


TraceLine = TypedDict(
    "TraceLine",
    {
        "quantity": "str",
        "charge_usd": "float",
        "adjustment_of": "Union[str, None]",
    },
)


TracePayment = TypedDict(
    "TracePayment",
    {
        "status": "Literal[\"nothing_to_pay\", \"waiting\", \"paid\", \"uncollectible\", \"void\"]",
        "paid_at": "Union[str, None]",
        "waits_for": "Literal[\"period_close\", \"next_invoice\", \"payment_method\", \"collection\", \"outcome\", \"retry\", \"payment\", None]",
        "next_at": "Union[str, None]",
        "failure_code": "Union[str, None]",
        "collected_by": "Union[TraceCollectedBy, None]",
        "refunded_usd": "Union[float, None]",
    },
)


TracePayout = TypedDict(
    "TracePayout",
    {
        "status": "Literal[\"waiting\", \"scheduled\", \"paid\", \"failed\"]",
        "id": "Union[str, None]",
        "period": "Union[str, None]",
        "paid_at": "Union[str, None]",
        "waits_for": "Literal[\"payment\", \"payout_day\", \"payout_account\", \"minimum\", \"transfer\", \"outcome\", \"retry\", None]",
        "next_at": "Union[str, None]",
        "failure_code": "Union[str, None]",
    },
)


TraceRated = TypedDict(
    "TraceRated",
    {
        "price_id": "str",
        "charge_usd": "float",
        "not_billed": "Literal[\"own_call\", \"failed_call\", \"nothing_to_charge\", None]",
        "charges": "list[TraceCharge]",
    },
)


UpcomingInvoice = TypedDict(
    "UpcomingInvoice",
    {
        "id": "Union[str, None]",
        "number": "Union[int, None]",
        "status": "Literal[\"draft\", \"open\", \"paid\", \"carried\", \"past_due\", \"uncollectible\", \"void\"]",
        "issued_at": "Union[str, None]",
        "due_at": "Union[str, None]",
        "paid_at": "Union[str, None]",
        "held_for": "Literal[\"confirmation\", \"payment_method\", \"authentication\", None]",
        "period": "str",
        "currency": "Literal[\"usd\"]",
        "charge_usd": "float",
        "carried_in_usd": "float",
        "total_usd": "float",
        "carried_out_usd": "float",
        "refunded_usd": "float",
        "balance_paid_usd": "float",
        "card_paid_usd": "float",
        "balance_parts": "list[BalancePart]",
        "lines": "list[InvoiceLine]",
        "line_count": "int",
        "lines_truncated": "bool",
    },
)


Usage = TypedDict(
    "Usage",
    {
        "usage": "list[UsageRow]",
        "totals": "UsageTotals",
        "counted_through": "str",
    },
)


UsageRow = TypedDict(
    "UsageRow",
    {
        "start": "NotRequired[str]",
        "tool_id": "NotRequired[str]",
        "consumer_id": "NotRequired[str]",
        "success": "NotRequired[bool]",
        "pass_id": "NotRequired[Union[str, None]]",
        "tags": "NotRequired[dict[str, Union[str, None]]]",
        "calls": "int",
        "successes": "int",
        "failures": "int",
        "duration_ms": "int",
        "measures": "dict[str, str]",
        "charge_usd": "NotRequired[float]",
        "earning_usd": "NotRequired[float]",
        "fee_usd": "NotRequired[float]",
    },
)


UsageTotals = TypedDict(
    "UsageTotals",
    {
        "calls": "int",
        "successes": "int",
        "failures": "int",
        "duration_ms": "int",
        "measures": "dict[str, str]",
        "charge_usd": "NotRequired[float]",
        "earning_usd": "NotRequired[float]",
        "fee_usd": "NotRequired[float]",
    },
)


WebhookAccount = TypedDict(
    "WebhookAccount",
    {
        "account_id": "str",
        "email": "str",
        "email_verified": "bool",
        "email_bounced_at": "Union[str, None]",
        "public_name": "Union[str, None]",
        "operator": "bool",
        "created_at": "str",
        "version": "int",
    },
)


WebhookApiKey = TypedDict(
    "WebhookApiKey",
    {
        "id": "str",
        "name": "str",
        "prefix": "str",
        "last_four": "str",
        "can": "list[Literal[\"events\", \"read\", \"manage\"]]",
        "expires_at": "Union[str, None]",
        "created_at": "str",
        "last_used_at": "Union[str, None]",
        "account_id": "str",
        "version": "int",
    },
)


WebhookAttempt = TypedDict(
    "WebhookAttempt",
    {
        "endpoint_id": "str",
        "number": "int",
        "started_at": "str",
        "duration_ms": "int",
        "status": "Union[int, None]",
        "error": "Union[str, None]",
        "answer": "Union[str, None]",
    },
)


WebhookAttemptList = TypedDict(
    "WebhookAttemptList",
    {
        "attempts": "list[WebhookAttempt]",
        "total": "int",
    },
)


WebhookBalanceRefund = TypedDict(
    "WebhookBalanceRefund",
    {
        "id": "str",
        "account_id": "str",
        "currency": "Literal[\"usd\"]",
        "amount_usd": "float",
        "refunded_usd": "float",
        "status": "Literal[\"pending\", \"succeeded\", \"failed\"]",
        "parts": "list[BalanceRefundPart]",
        "created_at": "str",
        "version": "int",
    },
)


WebhookCalledTool = TypedDict(
    "WebhookCalledTool",
    {
        "slug": "str",
        "name": "str",
        "first_called_at": "str",
        "account_id": "str",
        "version": "int",
    },
)


WebhookConsent = TypedDict(
    "WebhookConsent",
    {
        "id": "str",
        "client_id": "str",
        "client_name": "str",
        "resource": "str",
        "pass_id": "str",
        "consented_at": "str",
        "ended_at": "Union[str, None]",
        "account_id": "str",
        "version": "int",
    },
)


WebhookCredit = TypedDict(
    "WebhookCredit",
    {
        "id": "str",
        "amount_usd": "float",
        "left_usd": "float",
        "effective_from": "Union[str, None]",
        "expires_at": "Union[str, None]",
        "top_up_id": "Union[str, None]",
        "created_at": "str",
        "account_id": "str",
        "version": "int",
    },
)


WebhookCreditNote = TypedDict(
    "WebhookCreditNote",
    {
        "id": "str",
        "number": "int",
        "invoice_id": "str",
        "invoice_number": "int",
        "period": "str",
        "currency": "Literal[\"usd\"]",
        "amount_usd": "float",
        "cause": "Literal[\"operator\", \"dispute\", \"processor\", \"reinstated\"]",
        "issued_at": "str",
        "account_id": "str",
        "version": "int",
    },
)


WebhookDeadLetter = TypedDict(
    "WebhookDeadLetter",
    {
        "id": "str",
        "topic": "str",
        "partition": "int",
        "offset": "int",
        "code": "str",
        "reason": "str",
        "consumer_id": "Union[str, None]",
        "event_id": "Union[str, None]",
        "tool_id": "Union[str, None]",
        "received_at": "Union[str, None]",
        "stored_at": "str",
        "replayed_at": "Union[str, None]",
        "replayed_as": "Union[str, None]",
        "version": "int",
    },
)


WebhookDelivery = TypedDict(
    "WebhookDelivery",
    {
        "endpoint_id": "str",
        "status": "Literal[\"pending\", \"delivered\", \"failed\"]",
        "attempts": "int",
        "next_attempt_at": "Union[str, None]",
    },
)


WebhookDifference = TypedDict(
    "WebhookDifference",
    {
        "books": "Literal[\"ledger\", \"rollups\"]",
        "differences": "int",
        "checked_at": "str",
        "version": "int",
    },
)


WebhookDisabledEndpoint = TypedDict(
    "WebhookDisabledEndpoint",
    {
        "id": "str",
        "url": "str",
        "reason": "Literal[\"gone\", \"failing\"]",
    },
)


WebhookDispute = TypedDict(
    "WebhookDispute",
    {
        "id": "str",
        "invoice_id": "Union[str, None]",
        "top_up_id": "Union[str, None]",
        "currency": "Literal[\"usd\"]",
        "amount_usd": "float",
        "status": "Literal[\"open\", \"won\", \"lost\"]",
        "opened_at": "str",
        "closed_at": "Union[str, None]",
        "account_id": "str",
        "version": "int",
    },
)


WebhookEndpoint = TypedDict(
    "WebhookEndpoint",
    {
        "id": "str",
        "url": "str",
        "types": "Union[list[str], None]",
        "description": "Union[str, None]",
        "enabled": "bool",
        "disabled_reason": "Literal[\"owner\", \"gone\", \"failing\", None]",
        "failing_since": "Union[str, None]",
        "created_at": "str",
    },
)


WebhookEndpointList = TypedDict(
    "WebhookEndpointList",
    {
        "webhook_endpoints": "list[WebhookEndpoint]",
        "total": "int",
    },
)


WebhookEndpointUpdate = TypedDict(
    "WebhookEndpointUpdate",
    {
        "url": "NotRequired[str]",
        "types": "NotRequired[Union[list[Literal[\"invoice.issued\", \"invoice.paid\", \"invoice.payment_failed\", \"invoice.past_due\", \"invoice.uncollectible\", \"invoice.voided\", \"invoice.refunded\", \"credit_note.issued\", \"payment_method.updated\", \"payment_method.removed\", \"dispute.opened\", \"dispute.won\", \"dispute.lost\", \"balance.topped_up\", \"top_up.failed\", \"balance.refunded\", \"credit.granted\", \"credit.expired\", \"payout.scheduled\", \"payout.paid\", \"payout.failed\", \"payout.reversed\", \"payout_account.connected\", \"payout_account.updated\", \"payout_account.disconnected\", \"spending.threshold_reached\", \"spending.limit_reached\", \"spending.forecast_exceeds_budget\", \"spending.anomaly\", \"balance.low\", \"auto_top_up.failed\", \"auto_top_up.limit_reached\", \"tool.created\", \"tool.price_added\", \"tool.archived\", \"tool.first_call\", \"api_key.created\", \"api_key.revoked\", \"api_key.expired\", \"oauth.consent_given\", \"oauth.consent_revoked\", \"webhook_endpoint.disabled\", \"account.registered\", \"dead_letter.stored\", \"ledger.difference_found\"]], None]]",
        "description": "NotRequired[Union[str, None]]",
        "enabled": "NotRequired[bool]",
    },
)


WebhookEvent = TypedDict(
    "WebhookEvent",
    {
        "id": "str",
        "type": "str",
        "timestamp": "str",
        "data": "dict[str, Any]",
    },
)


WebhookEventDetail = TypedDict(
    "WebhookEventDetail",
    {
        "id": "str",
        "type": "str",
        "timestamp": "str",
        "data": "dict[str, Any]",
        "deliveries": "list[WebhookDelivery]",
    },
)


WebhookEventList = TypedDict(
    "WebhookEventList",
    {
        "webhook_events": "list[WebhookEvent]",
        "total": "int",
        "has_more": "bool",
        "next_cursor": "Union[str, None]",
    },
)


WebhookForecast = TypedDict(
    "WebhookForecast",
    {
        "period": "str",
        "through": "str",
        "spent_usd": "float",
        "estimated_usd": "Union[float, None]",
        "estimated_low_usd": "Union[float, None]",
        "estimated_high_usd": "Union[float, None]",
        "budget_usd": "Union[float, None]",
        "budget_ends_on": "Union[str, None]",
        "history_days": "int",
        "account_id": "str",
        "version": "int",
    },
)


WebhookInvoice = TypedDict(
    "WebhookInvoice",
    {
        "account_id": "str",
        "id": "str",
        "number": "int",
        "status": "Literal[\"open\", \"paid\", \"carried\", \"past_due\", \"uncollectible\", \"void\"]",
        "issued_at": "str",
        "due_at": "str",
        "paid_at": "Union[str, None]",
        "period": "str",
        "currency": "Literal[\"usd\"]",
        "charge_usd": "float",
        "carried_in_usd": "float",
        "total_usd": "float",
        "carried_out_usd": "float",
        "refunded_usd": "float",
        "balance_paid_usd": "float",
        "card_paid_usd": "float",
        "held_for": "Literal[\"confirmation\", \"payment_method\", \"authentication\", None]",
        "version": "int",
    },
)


WebhookPaymentMethod = TypedDict(
    "WebhookPaymentMethod",
    {
        "brand": "str",
        "last4": "str",
        "exp_month": "int",
        "exp_year": "int",
        "account_id": "str",
        "version": "int",
    },
)


WebhookPayout = TypedDict(
    "WebhookPayout",
    {
        "id": "str",
        "amount_usd": "float",
        "net_usd": "float",
        "fee_usd": "float",
        "status": "Literal[\"pending\", \"scheduled\", \"paid\", \"failed\"]",
        "period": "str",
        "paid_at": "Union[str, None]",
        "account_id": "str",
        "version": "int",
    },
)


WebhookPayoutAccount = TypedDict(
    "WebhookPayoutAccount",
    {
        "processor_connected": "bool",
        "processor_account_id": "Union[str, None]",
        "payout_enabled": "bool",
        "requirements": "list[str]",
        "disabled_reason": "Union[str, None]",
        "bank_failure": "Union[dict[str, Any], None]",
        "account_id": "str",
        "version": "int",
    },
)


WebhookRedelivery = TypedDict(
    "WebhookRedelivery",
    {
        "from": "str",
    },
)


WebhookSecretRotation = TypedDict(
    "WebhookSecretRotation",
    {
        "grace_seconds": "NotRequired[Union[int, None]]",
    },
)


WebhookSpendingAlert = TypedDict(
    "WebhookSpendingAlert",
    {
        "id": "str",
        "type": "Literal[\"spending.threshold_reached\", \"spending.limit_reached\", \"balance.low\", \"auto_top_up.failed\", \"auto_top_up.limit_reached\"]",
        "account_id": "str",
        "scope": "Literal[\"account\", \"pass\", \"balance\", \"auto_top_up\"]",
        "scope_id": "str",
        "percent": "int",
        "failure_code": "Union[str, None]",
        "below_usd": "Union[float, None]",
        "cap_usd": "float",
        "spent_usd": "float",
        "window_start": "str",
        "raised_at": "str",
        "version": "int",
    },
)


WebhookSpendingAnomaly = TypedDict(
    "WebhookSpendingAnomaly",
    {
        "id": "str",
        "scope": "Literal[\"pass\", \"tool\", \"account\"]",
        "scope_id": "str",
        "window": "Literal[\"hour\", \"day\"]",
        "from": "str",
        "to": "str",
        "spent_usd": "float",
        "usual_usd": "float",
        "raised_at": "str",
        "account_id": "str",
        "version": "int",
    },
)


WebhookTest = TypedDict(
    "WebhookTest",
    {
        "endpoint_id": "str",
    },
)


WebhookTool = TypedDict(
    "WebhookTool",
    {
        "slug": "str",
        "name": "str",
        "description": "Union[str, None]",
        "sold_by": "Union[str, None]",
        "price": "Union[Price, None]",
        "default_max": "Union[AuthorizedMax, None]",
        "resource": "Union[str, None]",
        "archived": "bool",
        "created_at": "str",
        "account_id": "str",
        "version": "int",
    },
)


WebhookToolPrice = TypedDict(
    "WebhookToolPrice",
    {
        "slug": "str",
        "id": "str",
        "price": "Union[Price, None]",
        "effective_from": "Union[str, None]",
        "created_at": "str",
        "account_id": "str",
        "version": "int",
    },
)


WebhookTopUp = TypedDict(
    "WebhookTopUp",
    {
        "id": "str",
        "currency": "Literal[\"usd\"]",
        "amount_usd": "float",
        "status": "Literal[\"pending\", \"succeeded\", \"failed\"]",
        "failure_code": "Union[str, None]",
        "is_automatic": "bool",
        "created_at": "str",
        "succeeded_at": "Union[str, None]",
        "account_id": "str",
        "version": "int",
    },
)


WebhooksRedelivered = TypedDict(
    "WebhooksRedelivered",
    {
        "redelivered": "int",
    },
)
