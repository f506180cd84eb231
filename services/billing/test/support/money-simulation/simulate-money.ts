import { dayMs } from '@tollgate/kernel/durations';
import { toIso } from '@tollgate/kernel/clock';
import { createAuthRows } from '@tollgate/testkit/auth-rows';
import type { SeededRandom } from '@tollgate/testkit/seeded-random';
import { checkLedger } from '../../../src/audit/check-ledger.ts';
import type { FeeScope } from '../../../src/fees/fee.ts';
import { makeRandomTools } from '../random-prices.ts';
import { createMoneyWorld } from './create-money-world.ts';
import { expectedBalances } from './expected-balances.ts';
import { lineDifferences } from './line-differences.ts';
import { InvoicingModel } from './money-model.ts';
import { takeRandomStep, type Scene } from './random-steps.ts';
import { creditDifferences } from './credit-differences.ts';
import { grantDifferences } from './grant-differences.ts';
import { createPayoutWatch } from './watch-payouts.ts';
import { settledDifferences } from './settled-differences.ts';
import { createUnpaidWatch } from './watch-unpaid.ts';
import { readTruth, type Truth } from './read-truth.ts';

export interface MoneySimulation {
  readonly steps: number;
  /** The last steps, and every difference found; empty if there is none. */
  readonly differences: readonly string[];
  /** Σ |expected − actual| of all ledger balances at all comparisons, in micro-dollars. */
  readonly driftMicros: bigint;
  readonly died: number;
  /** Steps by name. */
  readonly counts: Readonly<Record<string, number>>;
  /** The number of their outcomes, by name. */
  readonly moved: Readonly<Record<string, number>>;
}

const startMs = Date.parse('2024-01-10T00:00:00Z');
const builders = ['0000000b-0000-4000-8000-00000000000a', '0000000b-0000-4000-8000-00000000000b'] as const;
const consumers = [
  '1000000a-0000-4000-8000-000000000000',
  '1000000b-0000-4000-8000-000000000000',
  '1000000c-0000-4000-8000-000000000000',
  '1000000d-0000-4000-8000-000000000000',
  builders[0], // calls too, its own tools among them
] as const;

/**
 * A world of its own for each run: random steps, the process dying in many of them, and every so often, with everything that
 * was on its way arrived, all books compared with a model in plain sums. It stops at the first difference.
 */
export async function simulateMoney(random: SeededRandom, wanted: { steps: number; compareEvery: number }) {
  const scope = random.pick<FeeScope>(['lifetime', 'month']);
  const world = await createMoneyWorld({ startMs, scope });
  try {
    const tools = await makeRandomTools(random, {
      slugs: ['search', 'parse', 'translate'],
      builders: [...builders],
      unitPricesUsd: ['0.0025', '0.0000005', '0.01', '0.5', '1.25', '0.000123456789', '0'],
      changesIn: ['2024-01', '2024-02', '2024-03', '2024-04'],
      putTool: world.putTool,
    });
    const versions = new Map(tools.flatMap((tool) => tool.versions.map((each) => [each.priceId, each])));
    const model = new InvoicingModel(versions);
    const [first, ...others] = tools;
    if (!first) throw new Error('no tools');
    const cast = { builders, consumers, tools: [first, ...others] as const };
    for (const accountId of consumers) await createAuthRows(world.owner).putAccount(accountId);
    return await play({ world, model, granted: new Map(), callHours: new Map(), cast, random }, wanted);
  } finally {
    await world.drop();
  }
}

async function play(scene: Scene, wanted: { steps: number; compareEvery: number }): Promise<MoneySimulation> {
  const counts: Record<string, number> = {};
  const last: string[] = [];
  let driftMicros = 0n;
  let steps = 0;
  let died = 0;
  const closed = new Set<string>();
  let truth: Truth | undefined;
  const watchPayouts = createPayoutWatch(scene.world);
  const watchUnpaid = createUnpaidWatch(scene.world);
  while (steps < wanted.steps) {
    const took = await takeRandomStep(scene);
    steps += 1;
    died += took.hasDied ? 1 : 0;
    counts[took.name] = (counts[took.name] ?? 0) + 1;
    last.push(took.hasDied ? `${took.name} (the process died)` : took.name);
    await followCloses(scene, closed);
    const misplanned = [...(await watchPayouts(took)), ...(await watchUnpaid())];
    if (misplanned.length > 0) return ended(misplanned);
    if (steps % wanted.compareEvery !== 0 && steps < wanted.steps) continue;
    const found = await compare(scene, closed);
    truth = found.truth;
    driftMicros += found.driftMicros;
    if (found.differences.length > 0) return ended(found.differences);
  }
  return ended([]);

  function ended(found: readonly string[]): MoneySimulation {
    const differences = found.length > 0 ? [...last.slice(-40), ...found] : [];
    return { steps, differences, driftMicros, died, counts, moved: movedOf(truth) };
  }
}

/** A period is closed when its row is there; what its invoices bill was settled when the first step of the close ended. */
async function followCloses({ world, model }: Scene, closed: Set<string>): Promise<void> {
  const rows = await world.owner.query<{ period: string }>('select period from billing.closed_period order by period');
  for (const { period } of rows) {
    if (closed.has(period)) continue;
    closed.add(period);
    model.close(period);
  }
}

interface Found {
  readonly truth: Truth;
  readonly differences: readonly string[];
  readonly driftMicros: bigint;
}

async function compare(scene: Scene, closed: Set<string>): Promise<Found> {
  const { world, model } = scene;
  const truth = await settle(scene, closed);
  const expected = expectedBalances(model.invoices, truth, world.scope);
  const drifted = driftOf(expected, truth.balances);
  const ledger = await checkLedger(world.checkLedgerOn);
  return {
    truth,
    driftMicros: drifted.micros,
    differences: [
      ...drifted.differences,
      ...invoiceDifferences(model, truth),
      ...(await lineDifferences(world.owner, model)),
      ...(await settledDifferences(world.owner)),
      ...stateDifferences(truth, world.clock.now()),
      ...payoutDifferences(truth),
      ...creditDifferences(truth, scene.granted),
      ...(await grantDifferences(scene, truth)),
      ...ledger.differences.map(({ check, examples }) => `ledger check: ${check}: ${examples.join('; ')}`),
      ...(truth.pending > 0 ? [`${truth.pending} outcomes or webhooks never arrived`] : []),
    ],
  };
}

/** Lets all that is on its way arrive: outcomes are looked up, webhooks come, and nothing fails any more. */
async function settle(scene: Scene, closed: Set<string>): Promise<Truth> {
  const { world, random } = scene;
  await world.failures.clear();
  for (let round = 0; round < 20; round += 1) {
    world.clock.advance(120_000);
    await world.runDueWork();
    await world.passWebhooks(random);
    await followCloses(scene, closed);
    const truth = await readTruth(world.owner, toIso(world.clock.now()));
    if (truth.pending === 0 && round > 0) return truth;
  }
  return readTruth(world.owner, toIso(world.clock.now()));
}

function driftOf(expected: Readonly<Record<string, bigint>>, actual: Readonly<Record<string, bigint>>) {
  let total = 0n;
  const differences: string[] = [];
  for (const name of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
    const off = (actual[name] ?? 0n) - (expected[name] ?? 0n);
    if (off === 0n) continue;
    total += off < 0n ? -off : off;
    differences.push(`${name}: expected ${expected[name] ?? 0n}, is ${actual[name] ?? 0n}`);
  }
  return { micros: total, differences };
}

function invoiceDifferences(model: InvoicingModel, truth: Truth): string[] {
  const wanted = model.invoices.map(({ consumerId, period, lines, cents, carriedOut }) =>
    [period, consumerId, lines.reduce((sum, { micros }) => sum + micros, 0n), cents, carriedOut].join(' '),
  );
  const are = truth.invoices.map((invoice) =>
    [invoice.period, invoice.consumerId, invoice.chargeMicros, invoice.cents, invoice.carriedOutMicros].join(' '),
  );
  const numbers = truth.invoices.every(({ number }, index) => number === BigInt(index + 1));
  return [
    ...wanted.filter((text) => !are.includes(text)).map((text) => `invoice missing: ${text}`),
    ...are.filter((text) => !wanted.includes(text)).map((text) => `invoice too many: ${text}`),
    ...(numbers ? [] : ['invoice numbers have a gap']),
  ];
}

/** Compares each invoice's state with what it must be, by its dates and by what the processor collected for it. */
function stateDifferences(truth: Truth, nowMs: number): string[] {
  const refunded = [...truth.refunds, ...truth.disputesLost]
    .map(({ invoiceId, cents }) => `${invoiceId} ${cents}`)
    .toSorted();
  const applied = truth.refundOrder
    .filter(({ cents, balanceCents }) => cents > balanceCents)
    .map(({ invoiceId, cents, balanceCents }) => `${invoiceId} ${cents - balanceCents}`)
    .toSorted();
  const byBalance = new Map(truth.balanceParts.map(({ invoiceId, cents }) => [invoiceId, cents]));
  const wrong = truth.invoices.flatMap((invoice) => {
    const charges = truth.charges.filter(({ invoiceId }) => invoiceId === invoice.id);
    if (charges.length > 1) return [`invoice ${invoice.number} was collected ${charges.length} times`];
    const parts = { chargedCents: charges[0]?.cents, balanceCents: byBalance.get(invoice.id) ?? 0n };
    return stateDifference(invoice, parts, nowMs);
  });
  const isSame = refunded.join() === applied.join();
  return [...wrong, ...(isSame ? [] : [`refunds at the processor ${refunded.join()}, applied ${applied.join()}`])];
}

interface PaidParts {
  /** Undefined: nothing was collected. */
  readonly chargedCents: bigint | undefined;
  readonly balanceCents: bigint;
}

function stateDifference(
  { number, cents, status, dueAt }: Truth['invoices'][number],
  { chargedCents, balanceCents }: PaidParts,
  nowMs: number,
): string[] {
  const paidCents = balanceCents + (chargedCents ?? 0n);
  if (chargedCents !== undefined && paidCents !== cents) return [`invoice ${number}: another amount was collected`];
  if (['void', 'uncollectible'].includes(status) && balanceCents !== 0n)
    return [`invoice ${number} is ${status}, and the balance paid ${balanceCents} of it`];
  if (status === 'void') return chargedCents === undefined ? [] : [`invoice ${number} is void, and was collected`];
  const wanted = paidCents === cents ? 'paid' : lateStatus(nowMs - dueAt.getTime());
  return status === wanted ? [] : [`invoice ${number} is ${status}, not ${wanted}`];
}

function lateStatus(lateMs: number): string {
  if (lateMs < 0) return 'open';
  return lateMs >= 60 * dayMs ? 'uncollectible' : 'past_due';
}

/** Each payout has left once and is not back, or it has not left. No builder has been promised more than it has earned. */
function payoutDifferences(truth: Truth): string[] {
  return truth.payouts.flatMap(({ id, period, status, netCents }) => {
    const gone = truth.transfers.filter(({ payoutId, isBack }) => payoutId === id && !isBack);
    const isPaid = status === 'paid';
    if (gone.length !== (isPaid ? 1 : 0)) return [`payout ${id} of ${period} is ${status}: ${gone.length} transfers`];
    return gone.every(({ cents }) => cents === netCents) ? [] : [`payout ${id}: another amount was transferred`];
  });
}

function movedOf(truth: Truth | undefined): Record<string, number> {
  if (!truth) return {};
  const invoicesThatAre = (status: string) => truth.invoices.filter((invoice) => invoice.status === status).length;
  return {
    invoices: truth.invoices.length,
    'invoices paid': invoicesThatAre('paid'),
    'invoices uncollectible': invoicesThatAre('uncollectible'),
    'invoices void': invoicesThatAre('void'),
    charges: truth.charges.length,
    refunds: truth.refunds.length,
    'top-ups': truth.topUps.length,
    'refunds of balances': truth.topUpRefunds.length,
    grants: truth.grants.length,
    'cents expired': Number(truth.expired.reduce((sum, { cents }) => sum + cents, 0n)),
    'invoices that a balance paid of': truth.balanceParts.filter(({ cents }) => cents > 0n).length,
    'disputes lost': truth.disputesLost.length,
    payouts: truth.payouts.length,
    transfers: truth.transfers.length,
    'transfers that came back': truth.transfers.filter(({ isBack }) => isBack).length,
  };
}
