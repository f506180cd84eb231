/** An example of each object of a webhook, as its schema in `webhook-objects.ts` describes it. */
const ids = {
  object: '0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b',
  account: '0199a3b2-0000-7e4f-8a5b-6c7d8e9f0a1b',
  other: '0199a3b2-1111-7e4f-8a5b-6c7d8e9f0a1b',
};
const told = { account_id: ids.account, version: 4711 };
const at = '2026-12-02T00:00:07.000Z';

export function invoice(status: 'open' | 'paid' | 'past_due' | 'uncollectible' | 'void') {
  const isPaid = status === 'paid';
  return {
    id: ids.object,
    number: 17,
    period: '2026-11',
    status,
    issued_at: at,
    due_at: '2026-12-16T00:00:07.000Z',
    paid_at: isPaid ? '2026-12-02T00:00:09.000Z' : null,
    held_for: null,
    currency: 'usd',
    charge_usd: 12.3456,
    carried_in_usd: 0,
    total_usd: 12.34,
    carried_out_usd: 0.0056,
    refunded_usd: 0,
    balance_paid_usd: 0,
    card_paid_usd: isPaid ? 12.34 : 0,
    ...told,
  };
}

export const creditNote = {
  id: ids.object,
  number: 3,
  invoice_id: ids.other,
  invoice_number: 17,
  period: '2026-11',
  currency: 'usd',
  amount_usd: 5,
  cause: 'operator',
  issued_at: at,
  ...told,
};

export const paymentMethod = { brand: 'visa', last4: '4242', exp_month: 4, exp_year: 2030, ...told };

export function dispute(status: 'open' | 'won' | 'lost') {
  const closedAt = status === 'open' ? null : '2026-12-20T09:00:00.000Z';
  const times = { opened_at: at, closed_at: closedAt };
  const amount = { currency: 'usd', amount_usd: 12.34 };
  return { id: ids.object, invoice_id: ids.other, top_up_id: null, ...amount, status, ...times, ...told };
}

export function topUp(status: 'succeeded' | 'failed') {
  return {
    id: ids.object,
    currency: 'usd',
    amount_usd: 50,
    status,
    failure_code: status === 'failed' ? 'card_declined' : null,
    is_automatic: true,
    created_at: at,
    succeeded_at: status === 'failed' ? null : at,
    ...told,
  };
}

export const balanceRefund = {
  id: ids.object,
  currency: 'usd',
  amount_usd: 20,
  refunded_usd: 20,
  status: 'succeeded',
  parts: [{ top_up_id: ids.other, amount_usd: 20, status: 'succeeded', failure_code: null }],
  created_at: at,
  ...told,
};

export function payoutAccount(isConnected: boolean) {
  return {
    processor_connected: isConnected,
    processor_account_id: isConnected ? 'acct_sandbox_7Qm2' : null,
    payout_enabled: isConnected,
    requirements: [],
    disabled_reason: null,
    bank_failure: null,
    ...told,
  };
}

const metric = { type: 'calls' };
const model = { type: 'per_unit', unit_price_usd: '0.002' };
const charges = [{ name: null, metric, model, free_quantity: '0' }];
const price = { currency: 'usd', charges, bill_failed_calls: false };

export function tool(isArchived: boolean) {
  return {
    slug: 'web-search',
    name: 'Web search',
    description: 'Searches the web.',
    sold_by: 'Weather House',
    price,
    default_max: null,
    resource: null,
    archived: isArchived,
    created_at: at,
    ...told,
  };
}

export const toolPrice = {
  slug: 'web-search',
  id: ids.object,
  price,
  effective_from: '2027-01-01T00:00:00.000Z',
  created_at: at,
  ...told,
};

export function credit(leftUsd: number) {
  return {
    id: ids.object,
    amount_usd: 25,
    left_usd: leftUsd,
    effective_from: at,
    expires_at: '2027-01-01T00:00:00.000Z',
    top_up_id: null,
    created_at: at,
    ...told,
  };
}

export function payout(status: 'scheduled' | 'paid' | 'failed') {
  return {
    id: ids.object,
    amount_usd: 120,
    net_usd: 118.5,
    fee_usd: 1.5,
    status,
    period: '2026-11',
    paid_at: status === 'paid' ? '2026-12-08T00:00:04.000Z' : null,
    ...told,
  };
}

export const apiKey = {
  id: ids.object,
  name: 'production',
  prefix: 'tg_live_',
  last_four: 'x7Qd',
  can: ['events'],
  expires_at: '2027-01-01T00:00:00.000Z',
  created_at: at,
  last_used_at: null,
  ...told,
};

export function consent(endedAt: string | null) {
  return {
    id: ids.object,
    client_id: 'weather-agent',
    client_name: 'Weather agent',
    resource: 'https://mcp.example.com/mcp',
    pass_id: ids.other,
    consented_at: at,
    ended_at: endedAt,
    ...told,
  };
}

const alerted = {
  id: ids.object,
  scope_id: ids.account,
  failure_code: null,
  below_usd: null,
  cap_usd: 50,
  window_start: '2026-12-01T00:00:00.000Z',
  raised_at: at,
  ...told,
};

export function alert(
  type: 'spending.threshold_reached' | 'spending.limit_reached' | 'auto_top_up.limit_reached',
  percent: number,
) {
  const scope = type === 'auto_top_up.limit_reached' ? 'auto_top_up' : 'account';
  return { ...alerted, type, scope, percent, spent_usd: percent / 2 };
}

export const lowBalance = {
  ...alerted,
  type: 'balance.low',
  scope: 'balance',
  percent: 90,
  below_usd: 6,
  spent_usd: 45,
};

export const failedAutoTopUp = {
  ...alerted,
  type: 'auto_top_up.failed',
  scope: 'auto_top_up',
  percent: 0,
  failure_code: 'payment_method_required',
  spent_usd: 0,
};

export const calledTool = { slug: 'web-search', name: 'Web search', first_called_at: at, ...told };

export const account = {
  account_id: ids.account,
  email: 'ada@example.com',
  email_verified: false,
  email_bounced_at: null,
  public_name: null,
  created_at: at,
  operator: false,
  version: told.version,
};

export const deadLetter = {
  id: 'usage.events.v1:0:42',
  topic: 'usage.events.v1',
  partition: 0,
  offset: 42,
  code: 'idempotency_conflict',
  reason: 'An event with this key and another body is counted.',
  consumer_id: ids.account,
  event_id: ids.object,
  tool_id: 'web-search',
  received_at: at,
  stored_at: at,
  replayed_at: null,
  replayed_as: null,
  version: told.version,
};

export const difference = { books: 'ledger', differences: 1, checked_at: at, version: told.version };

export const disabledEndpoint = { id: ids.object, url: 'https://example.com/tollgate', reason: 'failing' };

export const test = { endpoint_id: ids.object };

export const forecast = {
  period: '2026-11',
  through: '2026-11-11T06:00:00.000Z',
  spent_usd: 16,
  estimated_usd: 41.2,
  estimated_low_usd: 35,
  estimated_high_usd: 50.5,
  budget_usd: 30,
  budget_ends_on: '2026-11-19',
  history_days: 42,
  ...told,
};

export const anomaly = {
  id: ids.object,
  scope: 'pass',
  scope_id: ids.other,
  window: 'hour',
  from: '2026-11-11T05:00:00.000Z',
  to: '2026-11-11T06:00:00.000Z',
  spent_usd: 24.5,
  usual_usd: 1.2,
  raised_at: at,
  ...told,
};
