import { dayMs, hourMs } from '@tollgate/kernel/durations';
import { periodBounds, periodOf } from '@tollgate/kernel/period';
import type { Database } from '@tollgate/database/database';
import type { InvoicingModel } from './money-model.ts';
import type { CallHours, GrantOrdered, Scene } from './random-steps.ts';
import type { Truth, TrueGrant } from './read-truth.ts';

/**
 * Where grants have not paid for the calls that were made while they were valid, or have paid for others. It knows when grants
 * were ordered and in which hours calls were made, and nothing of how charges are laid on them.
 */
export async function grantDifferences(scene: Scene, truth: Truth): Promise<string[]> {
  const { world, granted, callHours, model } = scene;
  const parts = await world.owner.query<LaidPart>(partsText);
  const closedUntilMs = await readClosedUntil(world.owner);
  const grants = truth.grants.flatMap((grant) => {
    const ordered = granted.get(grant.id);
    return ordered === undefined ? [] : [{ ...grant, ...ordered, endMs: grant.endsAt?.getTime() ?? ordered.endMs }];
  });
  const byId = new Map(grants.map((grant) => [grant.id, grant]));
  const nowMs = world.clock.now();
  return [
    ...parts.filter((part) => !isPaidFor(part, byId.get(part.creditId))).map(strange),
    ...grants.flatMap((grant) => outlived(grant, { nowMs, closedUntilMs, callHours, model, truth })),
    ...(await world.owner.query<{ text: string }>(passedOverText)).map(({ text }) => text),
  ];
}

type KnownGrant = TrueGrant & GrantOrdered;

interface LaidPart {
  readonly invoice: string;
  readonly creditId: string;
  readonly fromAt: Date;
  readonly toAt: Date;
}

const partsText = `
select i.number::text as invoice, p.credit_id as "creditId", p.from_at as "fromAt", p.to_at as "toAt"
from billing.laid_part p join billing.invoice i using (invoice_id)`;

/** Hours are paid whole. */
function isPaidFor({ fromAt, toAt }: LaidPart, grant: KnownGrant | undefined): boolean {
  if (grant === undefined) return false;
  return toAt.getTime() > grant.fromMs && (grant.endMs === null || fromAt.getTime() < grant.endMs);
}

function strange({ invoice, creditId, fromAt }: LaidPart): string {
  return `grant ${creditId} pays invoice ${invoice} for calls of ${fromAt.toISOString()}, when it was not valid`;
}

const unpaid: ReadonlySet<string> = new Set(['open', 'past_due']);

interface Times {
  readonly nowMs: number;
  /** Calls before then are invoiced, but for those that were counted late. */
  readonly closedUntilMs: number;
  readonly callHours: CallHours;
  readonly model: InvoicingModel;
  readonly truth: Truth;
}

/**
 * A grant that has ended has nothing left, but for calls of its time that wait for their invoice or for its payment, or are
 * carried to one.
 */
function outlived(grant: KnownGrant, { nowMs, closedUntilMs, callHours, model, truth }: Times): string[] {
  const { id, accountId, leftCents, fromMs, endMs } = grant;
  if (endMs === null || leftCents === 0n || Math.ceil(endMs / hourMs) * hourMs + dayMs + hourMs > nowMs) return [];
  const waits = hoursOf(accountId, callHours).some(
    (hour) => hour >= closedUntilMs && hour + hourMs > fromMs && hour < endMs,
  );
  const isLate = model.hasLate(accountId, periodOf(closedUntilMs));
  const carriedMicros = truth.invoices.findLast(({ consumerId }) => consumerId === accountId)?.carriedOutMicros ?? 0n;
  const laidMicros = unpaidCents(grant, truth) * 10_000n + carriedMicros; // laid on whole cents
  return waits || isLate || leftCents * 10_000n < laidMicros + 10_000n
    ? []
    : [`grant ${id} has expired and has ${leftCents} cents left`];
}

/** Sums the invoices of months in which the grant was valid, and that are not paid yet. */
function unpaidCents({ accountId, fromMs, endMs }: KnownGrant, { invoices }: Truth): bigint {
  const open = invoices.filter(({ consumerId, status, period }) => {
    const { start, end } = periodBounds(period);
    return consumerId === accountId && unpaid.has(status) && end > fromMs && (endMs === null || start < endMs);
  });
  return open.reduce((sum, { cents }) => sum + cents, 0n);
}

function hoursOf(accountId: string, callHours: CallHours): number[] {
  return [...(callHours.get(accountId) ?? [])];
}

async function readClosedUntil(owner: Database): Promise<number> {
  const [row] = await owner.query<{ period: string | null }>('select max(period) as period from billing.closed_period');
  return row?.period == null ? 0 : periodBounds(row.period).end;
}

/**
 * A grant that was there when an invoice was collected, valid in all of its months, and with money that nothing took until it
 * expired or until now, although others paid a part of the invoice. A cent may have begun before. Calls that are counted when
 * their grant has expired for good find nothing left of it.
 */
const passedOverText = `
select format('grant %s was passed over by invoice %s', c.credit_id, i.number) as text
from billing.invoice i join billing.laid_invoice l using (invoice_id)
join billing.balance_credit c on c.account_id = i.consumer_id and c.top_up_id is null and c.created_at < l.laid_at
where i.status in ('open', 'past_due', 'paid') and (i.paid_at is null or i.paid_at < i.due_at) and i.total_cents > 0
  and c.left_cents - coalesce((select sum(m.amount_cents) from billing.balance_move m
    where m.credit_id = c.credit_id and m.business_key like 'credit-expired:%' and m.moved_at >= l.laid_at), 0) > 0
  and not exists (select from billing.balance_move m where m.credit_id = c.credit_id and m.amount_cents > 0 and m.invoice_id is not null)
  and i.total_cents - ceil(i.carried_in_micros / 10000) > (select coalesce(sum(p.cents), 0) from billing.laid_part p
    where p.invoice_id = i.invoice_id)
  and not exists (select from billing.invoice_line n
    where n.invoice_id = i.invoice_id and not (
      c.effective_from < to_timestamp(coalesce(n.adjustment_of, i.period), 'YYYY-MM') + interval '1 hour'
      and (c.ends_at is null or c.ends_at >= to_timestamp(coalesce(n.adjustment_of, i.period), 'YYYY-MM') + interval '1 month')))`;
