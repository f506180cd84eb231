import type { Database } from '@tollgate/database/database';

/** What the processor did, and what our rows say; amounts as whole numbers, money of the processor in cents. */
export interface Truth {
  readonly charges: readonly { readonly invoiceId: string; readonly cents: bigint; readonly feeCents: bigint }[];
  readonly refunds: readonly Refunded[];
  readonly disputesLost: readonly Refunded[];
  readonly transfers: readonly { readonly payoutId: string; readonly cents: bigint; readonly isBack: boolean }[];
  readonly invoices: readonly TrueInvoice[];
  /** In the order in which they were applied, by what was applied. */
  readonly refundOrder: readonly { readonly invoiceId: string; readonly cents: bigint }[];
  readonly payouts: readonly TruePayout[];
  /** Debits less credits, by kind and owner. */
  readonly balances: Readonly<Record<string, bigint>>;
  /** What is on its way still: outcomes not known, webhooks not applied. */
  readonly pending: number;
}

export interface Refunded {
  readonly invoiceId: string;
  readonly cents: bigint;
}

export interface TrueInvoice {
  readonly id: string;
  readonly number: bigint;
  readonly consumerId: string;
  readonly period: string;
  readonly status: string;
  readonly cents: bigint;
  readonly chargeMicros: bigint;
  readonly carriedOutMicros: bigint;
  readonly dueAtMs: number;
}

export interface TruePayout {
  readonly id: string;
  readonly builderId: string;
  readonly period: string;
  readonly status: string;
  readonly netCents: bigint;
  readonly feeCents: bigint;
}

const movementsText = `
select m.kind, m.subject_id, m.party_id, m.amount_cents as cents, m.fee_cents,
  coalesce(m.reverses_at <= $1, false) as is_back, c.subject_id as charged_for
from sandbox.movement m left join sandbox.movement c on c.object_id = m.party_id
where m.status = 'succeeded' order by m.created_at, m.object_id`;

const disputesText = `
select c.subject_id as invoice_id, d.amount_cents as cents from sandbox.dispute d
join sandbox.movement c on c.object_id = d.charge_id where d.status = 'lost'`;

const invoicesText = `
select invoice_id, number, consumer_id, period, status, total_cents::text, charge_micros::text, carried_out_micros::text, due_at
from billing.invoice order by number`;

const refundOrderText = `
select r.invoice_id, r.amount_cents::text as cents from billing.refund r
join billing.ledger_transaction t on t.business_key = 'refund:' || r.refund_id order by t.transaction_id`;

const payoutsText = `
select payout_id, builder_id, period, status, net_cents::text, fee_cents::text from billing.payout order by builder_id, period`;

const balancesText = `
select concat_ws(' ', kind, owner_id) as name, balance_micros::text as micros from billing.ledger_account where balance_micros <> 0`;

const pendingText = `
select ((select count(*) from billing.processor_attempt where status = 'unknown')
  + (select count(*) from sandbox.event where delivered_at is null and created_at <= $1)
  + (select count(*) from billing.webhook_event where applied_at is null))::int as pending`;

export async function readTruth(owner: Database, now: string): Promise<Truth> {
  const movements = await owner.query<MovementRow>(movementsText, [now]);
  const of = (kind: MovementRow['kind']) => movements.filter((movement) => movement.kind === kind);
  const disputes = await owner.query<{ invoice_id: string; cents: bigint }>(disputesText);
  const refundOrder = await owner.query<{ invoice_id: string; cents: string }>(refundOrderText);
  const balances = await owner.query<{ name: string; micros: string }>(balancesText);
  const [pending] = await owner.query<{ pending: number }>(pendingText, [now]);
  return {
    charges: of('charge').map((row) => ({ invoiceId: row.subject_id, cents: row.cents, feeCents: row.fee_cents })),
    refunds: of('refund').map((row) => ({ invoiceId: row.charged_for ?? '', cents: row.cents })),
    disputesLost: disputes.map((row) => ({ invoiceId: row.invoice_id, cents: row.cents })),
    transfers: of('transfer').map((row) => ({ payoutId: row.subject_id, cents: row.cents, isBack: row.is_back })),
    invoices: (await owner.query<InvoiceRow>(invoicesText)).map(toInvoice),
    refundOrder: refundOrder.map((row) => ({ invoiceId: row.invoice_id, cents: BigInt(row.cents) })),
    payouts: (await owner.query<PayoutRow>(payoutsText)).map(toPayout),
    balances: Object.fromEntries(balances.map(({ name, micros }) => [name, BigInt(micros)])),
    pending: pending?.pending ?? 0,
  };
}

interface MovementRow {
  readonly kind: 'charge' | 'refund' | 'transfer';
  readonly subject_id: string;
  readonly party_id: string;
  readonly cents: bigint;
  readonly fee_cents: bigint;
  readonly is_back: boolean;
  readonly charged_for: string | null;
}

interface InvoiceRow {
  readonly invoice_id: string;
  readonly number: bigint;
  readonly consumer_id: string;
  readonly period: string;
  readonly status: string;
  readonly total_cents: string;
  readonly charge_micros: string;
  readonly carried_out_micros: string;
  readonly due_at: Date;
}

interface PayoutRow {
  readonly payout_id: string;
  readonly builder_id: string;
  readonly period: string;
  readonly status: string;
  readonly net_cents: string;
  readonly fee_cents: string;
}

function toInvoice(row: InvoiceRow): TrueInvoice {
  return {
    id: row.invoice_id,
    number: row.number,
    consumerId: row.consumer_id,
    period: row.period,
    status: row.status,
    cents: BigInt(row.total_cents),
    chargeMicros: BigInt(row.charge_micros),
    carriedOutMicros: BigInt(row.carried_out_micros),
    dueAtMs: row.due_at.getTime(),
  };
}

function toPayout(row: PayoutRow): TruePayout {
  return {
    id: row.payout_id,
    builderId: row.builder_id,
    period: row.period,
    status: row.status,
    netCents: BigInt(row.net_cents),
    feeCents: BigInt(row.fee_cents),
  };
}
