import type { z } from 'zod';
import * as examples from './webhook-examples.ts';
import * as objects from './webhook-objects.ts';

export interface WebhookType {
  readonly summary: string;
  readonly data: z.ZodObject;
  /** `data` as it may come. */
  readonly example: object;
}

/** Everything that is told, by its type. */
export const webhookTypes = {
  'invoice.issued': { summary: 'An invoice was issued', data: objects.invoice, example: examples.invoice('open') },
  'invoice.paid': { summary: 'An invoice was paid', data: objects.invoice, example: examples.invoice('paid') },
  'invoice.payment_failed': {
    summary: 'A charge of an invoice failed',
    data: objects.invoice,
    example: { ...examples.invoice('open'), held_for: 'payment_method' },
  },
  'invoice.past_due': {
    summary: 'An invoice is past due',
    data: objects.invoice,
    example: examples.invoice('past_due'),
  },
  'invoice.uncollectible': {
    summary: 'An invoice was written off',
    data: objects.invoice,
    example: examples.invoice('uncollectible'),
  },
  'invoice.voided': { summary: 'An invoice was voided', data: objects.invoice, example: examples.invoice('void') },
  'invoice.refunded': {
    summary: 'Money of an invoice went back',
    data: objects.invoice,
    example: { ...examples.invoice('paid'), refunded_usd: 5 },
  },
  'credit_note.issued': { summary: 'A credit note was issued', data: objects.creditNote, example: examples.creditNote },
  'payment_method.updated': {
    summary: 'A payment method was set up or replaced',
    data: objects.paymentMethod,
    example: examples.paymentMethod,
  },
  'payment_method.removed': {
    summary: 'A payment method was removed',
    data: objects.paymentMethod,
    example: examples.paymentMethod,
  },
  'dispute.opened': { summary: 'A charge was disputed', data: objects.dispute, example: examples.dispute('open') },
  'dispute.won': { summary: 'A dispute was won', data: objects.dispute, example: examples.dispute('won') },
  'dispute.lost': { summary: 'A dispute was lost', data: objects.dispute, example: examples.dispute('lost') },
  'balance.topped_up': {
    summary: 'Money came onto a balance',
    data: objects.topUp,
    example: examples.topUp('succeeded'),
  },
  'top_up.failed': { summary: 'A top-up failed', data: objects.topUp, example: examples.topUp('failed') },
  'balance.refunded': {
    summary: 'Money of a balance went back to a card',
    data: objects.balanceRefund,
    example: examples.balanceRefund,
  },
  'credit.granted': { summary: 'A credit was granted', data: objects.credit, example: examples.credit(25) },
  'credit.expired': { summary: 'The rest of a credit expired', data: objects.credit, example: examples.credit(0) },
  'payout.scheduled': {
    summary: 'A payout was scheduled',
    data: objects.payout,
    example: examples.payout('scheduled'),
  },
  'payout.paid': { summary: 'A payout was transferred', data: objects.payout, example: examples.payout('paid') },
  'payout.failed': {
    summary: 'The transfer of a payout failed',
    data: objects.payout,
    example: examples.payout('failed'),
  },
  'payout.reversed': {
    summary: 'The money of a payout came back',
    data: objects.payout,
    example: examples.payout('failed'),
  },
  'payout_account.connected': {
    summary: 'A payout account was connected',
    data: objects.payoutAccount,
    example: examples.payoutAccount(true),
  },
  'payout_account.updated': {
    summary: 'A connected payout account changed',
    data: objects.payoutAccount,
    example: { ...examples.payoutAccount(true), payout_enabled: false, disabled_reason: 'rejected.other' },
  },
  'payout_account.disconnected': {
    summary: 'A payout account was disconnected, or is gone at the processor',
    data: objects.payoutAccount,
    example: examples.payoutAccount(false),
  },
  'spending.threshold_reached': {
    summary: 'A part of a budget or of the cap of a pass is spent',
    data: objects.alert,
    example: examples.alert('spending.threshold_reached', 80),
  },
  'spending.limit_reached': {
    summary: 'All of a budget or of the cap of a pass is spent',
    data: objects.alert,
    example: examples.alert('spending.limit_reached', 100),
  },
  'spending.forecast_exceeds_budget': {
    summary: 'The month is expected to spend more than its budget',
    data: objects.forecast,
    example: examples.forecast,
  },
  'spending.anomaly': {
    summary: 'A pass, a tool or the account spends far more than usual',
    data: objects.anomaly,
    example: examples.anomaly,
  },
  'balance.low': {
    summary: 'A balance fell below a threshold',
    data: objects.alert,
    example: examples.lowBalance,
  },
  'auto_top_up.failed': {
    summary: 'An automatic top-up was not ordered for want of a payment method',
    data: objects.alert,
    example: examples.failedAutoTopUp,
  },
  'auto_top_up.limit_reached': {
    summary: 'The month has no room for another automatic top-up',
    data: objects.alert,
    example: examples.alert('auto_top_up.limit_reached', 75),
  },
  'tool.created': { summary: 'A tool was registered', data: objects.tool, example: examples.tool(false) },
  'tool.price_added': {
    summary: 'A tool got another price version',
    data: objects.toolPrice,
    example: examples.toolPrice,
  },
  'tool.archived': { summary: 'A tool was archived', data: objects.tool, example: examples.tool(true) },
  'tool.first_call': {
    summary: 'The first call of a tool was counted',
    data: objects.calledTool,
    example: examples.calledTool,
  },
  'api_key.created': { summary: 'An API key was made', data: objects.apiKey, example: examples.apiKey },
  'api_key.revoked': { summary: 'An API key was revoked', data: objects.apiKey, example: examples.apiKey },
  'api_key.expired': { summary: 'An API key has expired', data: objects.apiKey, example: examples.apiKey },
  'oauth.consent_given': {
    summary: 'A person let a client spend, or changed what it may spend',
    data: objects.consent,
    example: examples.consent(null),
  },
  'oauth.consent_revoked': {
    summary: 'A client may spend no more',
    data: objects.consent,
    example: examples.consent('2026-12-03T09:00:00.000Z'),
  },
  'webhook_endpoint.disabled': {
    summary: 'A webhook endpoint was disabled',
    data: objects.disabledEndpoint,
    example: examples.disabledEndpoint,
  },
  'account.registered': {
    summary: 'An account was made; told to the operator alone',
    data: objects.account,
    example: examples.account,
  },
  'dead_letter.stored': {
    summary: 'A record was not counted; told to the operator alone',
    data: objects.deadLetter,
    example: examples.deadLetter,
  },
  'ledger.difference_found': {
    summary: 'A nightly check of the books found differences; told to the operator alone',
    data: objects.difference,
    example: examples.difference,
  },
  'webhook.test': { summary: 'A test that you asked for', data: objects.test, example: examples.test },
} satisfies Record<string, WebhookType>;

export type WebhookTypeName = keyof typeof webhookTypes;
