import type { FeeScope } from '../../domain/fee-scope.ts';
import type { ModelInvoice, ModelLine } from './money-model.ts';
import type { Truth, TrueInvoice } from './read-truth.ts';

export type Balances = Record<string, bigint>;

/** What each line of an invoice and of those carried into it is worth, and how much of that was not given back. */
interface Group {
  readonly lines: readonly ModelLine[];
  readonly left: bigint[];
}

/**
 * All balances of the ledger, from what was invoiced (by the model) and what the processor did (by its own books), in plain
 * sums. The fee is 4 % of what a builder's gross has above 1,000 USD, whenever it is looked at.
 */
export function expectedBalances(invoiced: readonly ModelInvoice[], truth: Truth, scope: FeeScope): Balances {
  const balances: Balances = {};
  const move = (name: string, micros: bigint) => {
    balances[name] = (balances[name] ?? 0n) + micros;
  };
  const statuses = new Map(truth.invoices.map((invoice) => [`${invoice.consumerId} ${invoice.period}`, invoice]));
  const groups = new Map<string, Group>();
  const gross = new Map<string, bigint>();
  const grow = (line: ModelLine, micros: bigint) => {
    const key = `${line.builderId} ${scope === 'month' ? line.period : ''}`;
    gross.set(key, (gross.get(key) ?? 0n) + micros);
  };

  for (const invoice of invoiced)
    for (const line of invoice.lines) {
      move(`receivable ${invoice.consumerId}`, line.micros);
      move(`builder_earned ${line.builderId}`, -line.micros);
    }
  for (const { is, lines } of settledGroups(invoiced, statuses)) {
    for (const line of lines) move(`builder_earned ${line.builderId}`, line.micros);
    if (is.status !== 'paid') {
      for (const line of lines) move(`receivable ${is.consumerId}`, -line.micros);
      continue;
    }
    groups.set(is.id, { lines, left: lines.map(({ micros }) => micros) });
    for (const line of lines) grow(line, line.micros);
  }
  for (const { invoiceId, cents, feeCents } of truth.charges) {
    const consumerId = truth.invoices.find(({ id }) => id === invoiceId)?.consumerId;
    move('cash', (cents - feeCents) * 10_000n);
    move('processor_fees', feeCents * 10_000n);
    move(`receivable ${consumerId}`, -cents * 10_000n);
  }
  for (const { invoiceId, cents } of truth.refundOrder) {
    const group = groups.get(invoiceId) ?? { lines: [], left: [] };
    const excess = giveBack(group, cents * 10_000n, grow);
    move('rounding', excess);
    move('cash', -cents * 10_000n);
  }
  for (const { cents, isBack } of truth.transfers) if (!isBack) move('cash', -cents * 10_000n);
  for (const [key, micros] of gross) {
    const [builderId] = key.split(' ');
    const fee = feeOf(micros);
    move('platform_fees', -fee);
    move(`builder_payable ${builderId}`, -(micros - fee));
  }
  for (const { builderId, status, netCents } of truth.payouts) {
    if (status !== 'failed') move(`builder_payable ${builderId}`, netCents * 10_000n);
    if (status === 'scheduled') move(`in_transit ${builderId}`, -netCents * 10_000n);
  }
  return Object.fromEntries(Object.entries(balances).filter(([, micros]) => micros !== 0n));
}

/** Invoices that were paid or written off, each with the lines whose money it carried: its own, and those that billed 0 before. */
function* settledGroups(invoiced: readonly ModelInvoice[], statuses: ReadonlyMap<string, TrueInvoice>) {
  const carried = new Map<string, ModelLine[]>();
  for (const invoice of invoiced) {
    const lines = [...(carried.get(invoice.consumerId) ?? []), ...invoice.lines];
    carried.set(invoice.consumerId, invoice.cents === 0n ? lines : []);
    const is = statuses.get(`${invoice.consumerId} ${invoice.period}`);
    if (invoice.cents > 0n && is && ['paid', 'uncollectible', 'void'].includes(is.status)) yield { is, lines };
  }
}

/** By what each line has left, rounded down, then a micro-dollar more where the most was cut off. Answers the excess. */
function giveBack({ lines, left }: Group, micros: bigint, grow: (line: ModelLine, micros: bigint) => void): bigint {
  const all = left.reduce((sum, one) => sum + one, 0n);
  const weight = left.reduce((sum, one) => sum + (one > 0n ? one : 0n), 0n);
  const taken = all <= 0n ? 0n : micros < all ? micros : all;
  const cuts = left.map((one, index) => {
    const exact = one > 0n && weight > 0n ? taken * one : 0n;
    return { index, share: weight > 0n ? exact / weight : 0n, rest: weight > 0n ? exact % weight : 0n };
  });
  let missing = taken - cuts.reduce((sum, { share }) => sum + share, 0n);
  for (const cut of cuts.toSorted((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest < b.rest ? 1 : -1))) {
    const share = cut.share + (missing > 0n ? 1n : 0n);
    missing -= missing > 0n ? 1n : 0n;
    left[cut.index] = (left[cut.index] ?? 0n) - share;
    const line = lines[cut.index];
    if (line) grow(line, -share);
  }
  return micros - taken;
}

export function feeOf(grossMicros: bigint): bigint {
  const above = grossMicros - 1_000_000_000n;
  return above > 0n ? (above * 4n) / 100n : 0n;
}
