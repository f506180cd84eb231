import type { FeeScope } from '../../../src/fees/fee.ts';
import type { ModelInvoice, ModelLine } from './money-model.ts';
import type { TruePayout, Truth, TrueInvoice } from './read-truth.ts';

type Balances = Record<string, bigint>;

/** The worth of each line of an invoice and of those carried into it, and the part of it that is not refunded. */
interface Group {
  readonly lines: readonly ModelLine[];
  readonly left: bigint[];
}

/**
 * All balances of the ledger, from what was invoiced (by the model) and what the processor did (by its own books), in plain
 * sums. The fee is 4 % of what a builder's gross has above 1,000 USD, whenever it is looked at.
 */
export function expectedBalances(invoiced: readonly ModelInvoice[], truth: Truth, scope: FeeScope): Balances {
  const books = new Books(scope);
  for (const { consumerId, lines } of invoiced) books.invoice(consumerId, lines);
  for (const { is, lines } of settledGroups(invoiced, truth)) books.settle(is, lines);
  for (const { invoiceId, cents, feeCents } of truth.charges) {
    const consumerId = consumerOf(truth, invoiceId);
    books.move('cash', (cents - feeCents) * 10_000n);
    books.move('processor_fees', feeCents * 10_000n);
    books.move(`receivable ${consumerId}`, -cents * 10_000n);
  }
  bookBalances(books, truth);
  for (const { invoiceId, cents, balanceCents } of truth.refundOrder) {
    books.refund(invoiceId, cents * 10_000n);
    books.move('cash', balanceCents * 10_000n); // that part went to the balance instead
    books.move(`consumer_balance ${consumerOf(truth, invoiceId)}`, -balanceCents * 10_000n);
  }
  for (const { cents, isBack } of truth.transfers) if (!isBack) books.move('cash', -cents * 10_000n);
  for (const payout of truth.payouts) books.promise(payout);
  return books.close();
}

/** Balances fill from the processor and from promotions. They pay invoices, expire, and go back to their cards. */
function bookBalances(books: Books, truth: Truth): void {
  const move = (from: string, to: string, cents: bigint): void => {
    books.move(from, cents * 10_000n);
    books.move(to, -cents * 10_000n);
  };
  const ofBalance = ({ accountId }: { readonly accountId: string }) => `consumer_balance ${accountId}`;
  for (const topUp of truth.topUps) {
    move('cash', ofBalance(topUp), topUp.cents);
    move('processor_fees', 'cash', topUp.feeCents);
  }
  for (const refund of truth.topUpRefunds) move(ofBalance(refund), 'cash', refund.cents);
  for (const grant of truth.grants) move('promotions', ofBalance(grant), grant.cents);
  for (const expired of truth.expired) move(ofBalance(expired), 'promotions', expired.cents);
  for (const { invoiceId, cents } of truth.balanceParts) {
    const consumerId = consumerOf(truth, invoiceId);
    move(`consumer_balance ${consumerId}`, `receivable ${consumerId}`, cents);
  }
}

function consumerOf({ invoices }: Truth, invoiceId: string): string | undefined {
  return invoices.find(({ id }) => id === invoiceId)?.consumerId;
}

class Books {
  private readonly scope: FeeScope;
  private readonly balances: Balances = {};
  private readonly gross = new Map<string, bigint>();
  private readonly groups = new Map<string, Group>();

  constructor(scope: FeeScope) {
    this.scope = scope;
  }

  move(name: string, micros: bigint): void {
    this.balances[name] = (this.balances[name] ?? 0n) + micros;
  }

  invoice(consumerId: string, lines: readonly ModelLine[]): void {
    for (const line of lines) {
      this.move(`receivable ${consumerId}`, line.micros);
      this.move(`builder_earned ${line.builderId}`, -line.micros);
    }
  }

  settle({ id, consumerId, status }: TrueInvoice, lines: readonly ModelLine[]): void {
    for (const line of lines) this.move(`builder_earned ${line.builderId}`, line.micros);
    if (status !== 'paid') {
      for (const line of lines) this.move(`receivable ${consumerId}`, -line.micros);
      return;
    }
    this.groups.set(id, { lines, left: lines.map(({ micros }) => micros) });
    for (const line of lines) this.grow(line, line.micros);
  }

  refund(invoiceId: string, micros: bigint): void {
    const group = this.groups.get(invoiceId) ?? { lines: [], left: [] };
    const excess = giveBack(group, micros, (line, share) => this.grow(line, -share));
    this.move('rounding', excess);
    this.move('cash', -micros);
  }

  promise({ builderId, status, netCents }: TruePayout): void {
    if (status !== 'failed') this.move(`builder_payable ${builderId}`, netCents * 10_000n);
    if (status === 'scheduled') this.move(`in_transit ${builderId}`, -netCents * 10_000n);
  }

  close(): Balances {
    for (const [key, micros] of this.gross) {
      const fee = feeOf(micros);
      this.move('platform_fees', -fee);
      this.move(`builder_payable ${key.split(' ')[0]}`, -(micros - fee));
    }
    return Object.fromEntries(Object.entries(this.balances).filter(([, micros]) => micros !== 0n));
  }

  private grow({ builderId, period }: ModelLine, micros: bigint): void {
    const key = `${builderId} ${this.scope === 'month' ? period : ''}`;
    this.gross.set(key, (this.gross.get(key) ?? 0n) + micros);
  }
}

/** Invoices that were paid or written off, each with the lines whose money it carried: its own, and those that billed 0 before. */
function* settledGroups(invoiced: readonly ModelInvoice[], { invoices }: Truth) {
  const made = new Map(invoices.map((invoice) => [`${invoice.consumerId} ${invoice.period}`, invoice]));
  const carried = new Map<string, ModelLine[]>();
  for (const invoice of invoiced) {
    const lines = [...(carried.get(invoice.consumerId) ?? []), ...invoice.lines];
    carried.set(invoice.consumerId, invoice.cents === 0n ? lines : []);
    const is = made.get(`${invoice.consumerId} ${invoice.period}`);
    if (invoice.cents > 0n && is && ['paid', 'uncollectible', 'void'].includes(is.status)) yield { is, lines };
  }
}

/**
 * Splits by what each line has left, rounded down, then adds a micro-dollar where the most was cut off. Answers the
 * excess.
 */
function giveBack({ lines, left }: Group, micros: bigint, take: (line: ModelLine, share: bigint) => void): bigint {
  const sum = (amounts: readonly bigint[]) => amounts.reduce((total, one) => total + one, 0n);
  const givers = left.map((one) => (one > 0n ? one : 0n));
  const weight = sum(givers);
  const all = sum(left);
  const taken = all <= 0n ? 0n : micros < all ? micros : all;
  const cuts = givers.map((one, index) => ({ index, exact: taken * one })).filter(() => weight > 0n);
  let missing = taken - sum(cuts.map(({ exact }) => exact / weight));
  for (const { index, exact } of cuts.toSorted(
    (a, b) => Number((b.exact % weight) - (a.exact % weight)) || a.index - b.index,
  )) {
    const share = exact / weight + (missing > 0n ? 1n : 0n);
    missing -= missing > 0n ? 1n : 0n;
    left[index] = (left[index] ?? 0n) - share;
    const line = lines[index];
    if (line) take(line, share);
  }
  return micros - taken;
}

export function feeOf(grossMicros: bigint): bigint {
  const above = grossMicros - 1_000_000_000n;
  return above > 0n ? (above * 4n) / 100n : 0n;
}
