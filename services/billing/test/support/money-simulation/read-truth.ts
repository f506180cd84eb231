import { onlyRow, type Database } from '@tollgate/database/database';

/** The truth at the processor beside our rows; amounts as whole numbers, money of the processor in cents. */
export interface Truth {
  readonly charges: readonly { readonly invoiceId: string; readonly cents: bigint; readonly feeCents: bigint }[];
  /** The refunds of invoices, to their cards. */
  readonly refunds: readonly Refunded[];
  /** Charges for balances, and what went back of them. */
  readonly topUps: readonly (OfAccount & { readonly feeCents: bigint })[];
  readonly topUpRefunds: readonly OfAccount[];
  /** The grants of the operator. */
  readonly grants: readonly TrueGrant[];
  /** The cents taken from expired grants, by account. */
  readonly expired: readonly OfAccount[];
  /** The cents that credits have left, by account. */
  readonly left: readonly OfAccount[];
  /** The parts of invoices that balances paid, before refunds. */
  readonly balanceParts: readonly Refunded[];
  readonly disputesLost: readonly Refunded[];
  readonly transfers: readonly { readonly payoutId: string; readonly cents: bigint; readonly isBack: boolean }[];
  readonly invoices: readonly TrueInvoice[];
  /** In the order in which they were applied, by what was applied. */
  readonly refundOrder: readonly (Refunded & { readonly balanceCents: bigint })[];
  readonly payouts: readonly TruePayout[];
  /** Debits less credits, by kind and owner. */
  readonly balances: Readonly<Record<string, bigint>>;
  /** The number of things on their way: outcomes not known, webhooks not applied. */
  readonly pending: number;
}

export interface Refunded {
  readonly invoiceId: string;
  readonly cents: bigint;
}

export interface OfAccount {
  readonly accountId: string;
  readonly cents: bigint;
}

export interface TrueGrant extends OfAccount {
  readonly id: string;
  readonly leftCents: bigint;
  /** When it ends: also where an invoice gave money back. */
  readonly endsAt: Date | null;
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
  readonly dueAt: Date;
}

export interface TruePayout {
  readonly id: string;
  readonly builderId: string;
  readonly period: string;
  readonly status: string;
  readonly netCents: bigint;
  readonly feeCents: bigint;
}

/**
 * Selects each movement that succeeded: its invoice or payout (a refund has that of its charge), and whether it came
 * back since.
 */
const movementsText = `
select m.kind, coalesce(c.subject_id, m.subject_id) as "subjectId", m.amount_cents as cents, m.fee_cents as "feeCents",
  coalesce(m.reverses_at <= $1, false) as "isBack", t.account_id as "accountId"
from sandbox.movement m left join sandbox.movement c on c.object_id = m.party_id
left join billing.top_up t on t.top_up_id::text = coalesce(c.subject_id, m.subject_id)
where m.status = 'succeeded' order by m.created_at, m.object_id`;

const disputesText = `
select c.subject_id as "invoiceId", d.amount_cents as cents from sandbox.dispute d
join sandbox.movement c on c.object_id = d.charge_id where d.status = 'lost'`;

const invoicesText = `
select invoice_id as id, number, consumer_id as "consumerId", period, status, total_cents::int8 as cents,
  charge_micros::int8 as "chargeMicros", carried_out_micros::int8 as "carriedOutMicros", due_at as "dueAt"
from billing.invoice order by number`;

const refundOrderText = `
select r.invoice_id as "invoiceId", r.amount_cents::int8 as cents, r.balance_cents::int8 as "balanceCents" from billing.refund r
join billing.ledger_transaction t on t.business_key = 'refund:' || r.refund_id order by t.transaction_id`;

const grantsText = `
select credit_id as id, account_id as "accountId", amount_cents::int8 as cents, left_cents::int8 as "leftCents",
  ends_at as "endsAt"
from billing.balance_credit where top_up_id is null order by created_at, credit_id`;

const expiredText = `
select account_id as "accountId", -sum(amount_cents)::int8 as cents from billing.balance_move
where business_key like 'credit-expired:%' group by 1`;

const leftText = `
select account_id as "accountId", sum(left_cents)::int8 as cents from billing.balance_credit group by 1`;

const balancePartsText = `
select invoice_id as "invoiceId", -sum(amount_cents)::int8 as cents from billing.balance_move
where invoice_id is not null and business_key not like 'refund:%' group by 1`;

const payoutsText = `
select payout_id as id, builder_id as "builderId", period, status, net_cents::int8 as "netCents", fee_cents::int8 as "feeCents"
from billing.payout order by builder_id, period`;

const balancesText = `
select concat_ws(' ', kind, owner_id) as name, balance_micros::int8 as micros from billing.ledger_account where balance_micros <> 0`;

const pendingText = `
select ((select count(*) from billing.processor_attempt where status = 'unknown')
  + (select count(*) from sandbox.event where delivered_at is null and created_at <= $1)
  + (select count(*) from billing.webhook_event where applied_at is null))::int as pending`;

export async function readTruth(owner: Database, now: string): Promise<Truth> {
  const movements = await owner.query<Moved>(movementsText, [now]);
  const of = (wanted: Moved['kind']) => movements.filter((one) => one.kind === wanted && one.accountId === null);
  const ofTopUps = (wanted: Moved['kind']) =>
    movements.flatMap(({ kind, accountId, cents, feeCents }) =>
      kind === wanted && accountId !== null ? [{ accountId, cents, feeCents }] : [],
    );
  const balances = await owner.query<{ name: string; micros: bigint }>(balancesText);
  return {
    charges: of('charge').map(({ subjectId: invoiceId, cents, feeCents }) => ({ invoiceId, cents, feeCents })),
    refunds: of('refund').map(({ subjectId: invoiceId, cents }) => ({ invoiceId, cents })),
    topUps: ofTopUps('charge'),
    topUpRefunds: ofTopUps('refund'),
    grants: await owner.query<TrueGrant>(grantsText),
    expired: await owner.query<OfAccount>(expiredText),
    left: await owner.query<OfAccount>(leftText),
    balanceParts: await owner.query<Refunded>(balancePartsText),
    disputesLost: await owner.query<Refunded>(disputesText),
    transfers: of('transfer').map(({ subjectId: payoutId, cents, isBack }) => ({ payoutId, cents, isBack })),
    invoices: await owner.query<TrueInvoice>(invoicesText),
    refundOrder: await owner.query<Truth['refundOrder'][number]>(refundOrderText),
    payouts: await owner.query<TruePayout>(payoutsText),
    balances: Object.fromEntries(balances.map(({ name, micros }) => [name, micros])),
    pending: onlyRow(await owner.query<{ pending: number }>(pendingText, [now])).pending,
  };
}

interface Moved {
  readonly kind: 'charge' | 'refund' | 'transfer';
  readonly subjectId: string;
  readonly cents: bigint;
  readonly feeCents: bigint;
  readonly isBack: boolean;
  /** The account whose top-up it is for; null if it is for an invoice or a payout. */
  readonly accountId: string | null;
}
