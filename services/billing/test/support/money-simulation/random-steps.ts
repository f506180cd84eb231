import { byOperator } from '../by-operator.ts';
import { dayMs, hourMs } from '@tollgate/kernel/durations';
import { AppError } from '@tollgate/kernel/app-error';
import { toIso } from '@tollgate/kernel/clock';
import { uuidV8 } from '@tollgate/kernel/uuid';
import type { SeededRandom } from '@tollgate/testkit/seeded-random';
import { createWeightedPick } from '@tollgate/testkit/weighted-pick';
import type { CardName, PageAnswer } from '../../../src/processor/sandbox/hosted-pages.ts';
import type { MovementKind, ScriptedFailureName } from '../../../src/processor/sandbox/scripted-failures.ts';
import { toUsagePart, type RandomTool } from '../random-prices.ts';
import type { TestRollup } from '../put-rollup.ts';
import type { MoneyWorld } from './create-money-world.ts';
import { Died } from './crash.ts';
import type { InvoicingModel } from './money-model.ts';

/** The grants of the operator: the cents by the key, and whether the order was answered. */
export type Granted = Map<string, GrantOrdered>;

export interface GrantOrdered {
  readonly accountId: string;
  readonly cents: bigint;
  /** It pays for calls from then on, and before the end; null: for ever. */
  readonly fromMs: number;
  readonly endMs: number | null;
  isAnswered: boolean;
}

/** The hours in which calls were made, by consumer. */
export type CallHours = Map<string, Set<number>>;

export interface Cast {
  readonly builders: readonly [string, ...string[]];
  readonly consumers: readonly [string, ...string[]];
  readonly tools: readonly [RandomTool, ...RandomTool[]];
}

export interface Scene {
  readonly world: MoneyWorld;
  readonly model: InvoicingModel;
  readonly granted: Granted;
  readonly callHours: CallHours;
  readonly cast: Cast;
  readonly random: SeededRandom;
}

type Step = (scene: Scene) => Promise<void>;

/** The steps of the world, each with its weight beside the others. */
const steps: Readonly<Record<string, { readonly weight: number; readonly step: Step }>> = {
  'calls are counted': { weight: 30, step: countCalls },
  'time passes': { weight: 22, step: passTime },
  'a card is entered': { weight: 8, step: enterCard },
  'a card is removed': {
    weight: 2,
    step: ({ world, cast, random }) => world.useCases.removeCard(random.pick(cast.consumers), byOperator),
  },
  'a builder goes through onboarding': { weight: 6, step: onboard },
  'a builder disconnects': {
    weight: 1.5,
    step: ({ world, cast, random }) => world.useCases.disconnect(random.pick(cast.builders), byOperator),
  },
  'money is refunded': { weight: 6, step: refund },
  'a charge is disputed': { weight: 4, step: dispute },
  'a balance is topped up': { weight: 5, step: topUp },
  'a credit is granted': { weight: 3, step: grant },
  'unused balance is refunded': { weight: 3, step: refundBalance },
  'an invoice is voided': { weight: 1, step: voidOne },
  'the processor will fail': { weight: 6, step: scriptFailure },
  'webhooks pass': { weight: 8, step: ({ world, random }) => world.passWebhooks(random) },
  'due work is done': { weight: 6, step: ({ world }) => world.runDueWork() },
};

const pickStep = createWeightedPick(steps);

export interface StepTaken {
  readonly name: string;
  readonly hasDied: boolean;
}

/** Does one of them. In some the process dies on the way, is started anew, and does what it finds due. */
export async function takeRandomStep(scene: Scene): Promise<StepTaken> {
  const { world, random } = scene;
  const [name, { step }] = pickStep(random);
  const isDoomed = random.chance(0.25);
  if (isDoomed) world.mortal.doom(random.pick([random.integer(0, 8), random.integer(0, 60)]));
  try {
    await step(scene);
  } catch (error) {
    if (!(error instanceof Died) && !isRefusal(error)) throw error;
  }
  const hasDied = world.mortal.revive();
  if (hasDied) await world.runDueWork();
  return { name, hasDied };
}

/** Recognises the refusals that any caller may get: too little is left, or the invoice is not paid. */
function isRefusal(error: unknown): boolean {
  return error instanceof AppError && ['conflict', 'unprocessable'].includes(error.kind);
}

/** Mostly of this month, at times of one before: late for a period that may be closed. */
async function countCalls({ world, model, callHours, cast, random }: Scene): Promise<void> {
  const nowMs = world.clock.now();
  const tool = random.pick(cast.tools);
  const backMs = random.chance(0.1) ? random.integer(20, 70) * dayMs : random.integer(0, 96) * hourMs;
  const edgeMs = (tool.versions[1]?.effectiveFromMs ?? 0) - random.pick([0, hourMs]); // where a price version begins
  const isAtEdge = random.chance(0.2) && edgeMs <= nowMs && edgeMs > nowMs - 70 * dayMs;
  const rollup: TestRollup = {
    consumerId: random.pick(cast.consumers),
    tool: tool.slug,
    hour: toIso(isAtEdge ? edgeMs : Math.floor((nowMs - backMs) / hourMs) * hourMs),
    success: random.chance(0.85),
    calls: random.integer(1, 400),
    durationMs: BigInt(random.integer(0, 5_000)),
    measures: random.chance(0.7) ? { tokens: `${random.integer(0, 900)}.${random.integer(1, 9)}` } : {},
  };
  const hours = callHours.get(rollup.consumerId) ?? new Set();
  callHours.set(rollup.consumerId, hours.add(Date.parse(rollup.hour)));
  await world.addUsage(rollup);
  model.count(toUsagePart(rollup, cast.tools));
}

async function passTime({ world, random }: Scene): Promise<void> {
  const hours = random.pick([1, 3, 12, 24, 24, 48, 72, random.integer(1, 240)]);
  world.clock.advance(hours * hourMs);
  await world.runDueWork();
}

async function enterCard({ world, cast, random }: Scene): Promise<void> {
  const card = random.pick<CardName>(['visa', 'visa', 'mastercard', 'declined']);
  const answer = random.pick<PageAnswer>(['complete', 'complete', 'complete', 'refuse', 'later']);
  await world.useCases.enterCard(random.pick(cast.consumers), { answer, card });
}

async function onboard({ world, cast, random }: Scene): Promise<void> {
  const answer = random.pick<PageAnswer>(['complete', 'complete', 'complete', 'refuse', 'later']);
  await world.useCases.onboard(random.pick(cast.builders), answer);
}

async function refund({ world, random }: Scene): Promise<void> {
  const paid = await pickPaid(world, random);
  if (!paid) return;
  await world.useCases.refundInvoice({ ...paid, idempotencyKey: undefined, by: byOperator });
}

async function dispute({ world, random }: Scene): Promise<void> {
  const paid = await pickPaid(world, random);
  if (!paid) return;
  const { charge: chargeObjectId, amountCents } = paid;
  await world.bank.dispute({ chargeObjectId, amountCents, outcome: random.pick(['won', 'lost', 'lost']) });
}

async function topUp({ world, cast, random }: Scene): Promise<void> {
  const amountCents = BigInt(random.pick([random.integer(100, 500), random.integer(100, 50_000)]));
  const accountId = random.pick(cast.consumers);
  await world.useCases.orderTopUp({ accountId, amountCents, idempotencyKey: undefined, by: byOperator });
}

/** Some of them expire, with what is left then. */
async function grant({ world, granted, cast, random }: Scene): Promise<void> {
  const accountId = random.pick(cast.consumers);
  const cents = BigInt(random.pick([1, random.integer(2, 20_000)]));
  const key = `grant-${granted.size}`;
  const expiresAtMs = random.chance(0.7) ? world.clock.now() + random.integer(1, 40) * dayMs : null;
  const effectiveFromMs = random.pick([undefined, world.clock.now() - random.integer(0, 90) * dayMs]);
  const of = { accountId, cents, fromMs: effectiveFromMs ?? world.clock.now(), endMs: expiresAtMs, isAnswered: false };
  granted.set(uuidV8('credit', accountId, key), of);
  const times = { effectiveFromMs, expiresAtMs };
  const order = { accountId, amountCents: cents, reason: 'simulated', ...times, idempotencyKey: key };
  await world.useCases.grantCredit({ ...order, by: byOperator });
  of.isAnswered = true;
}

async function refundBalance({ world, cast, random }: Scene): Promise<void> {
  const accountId = random.pick(cast.consumers);
  const amountCents = random.chance(0.5) ? undefined : BigInt(random.integer(1, 2_000));
  await world.useCases.refundBalance({ accountId, amountCents, idempotencyKey: undefined, by: byOperator });
}

async function voidOne({ world, random }: Scene): Promise<void> {
  const open = await world.owner.query<{ invoice_id: string }>(
    `select invoice_id from billing.invoice where status in ('open', 'past_due', 'uncollectible') order by number`,
  );
  const one = open[random.integer(0, open.length)];
  if (one) await world.useCases.voidInvoice(one.invoice_id, byOperator);
}

async function scriptFailure({ world, random }: Scene): Promise<void> {
  const on = random.pick<MovementKind>(['charge', 'charge', 'transfer', 'transfer', 'refund']);
  const failures: [ScriptedFailureName, ...ScriptedFailureName[]] = [
    'decline',
    'timeout_before_effect',
    'timeout_after_effect',
  ];
  if (on === 'transfer') failures.push('insufficient_funds', 'reverse_later', 'reverse_later');
  const times = random.integer(1, 3);
  await world.failures.add({ on, failure: random.pick(failures), times, subjectId: undefined });
}

/** One that has been collected, with its charge, and an amount that it has mostly left. */
async function pickPaid(world: MoneyWorld, random: SeededRandom) {
  const paid = await world.owner.query<{ invoice_id: string; charge: string; cents: bigint }>(
    `select i.invoice_id, m.object_id as charge, m.amount_cents as cents
     from billing.invoice i join sandbox.movement m on m.kind = 'charge' and m.subject_id = i.invoice_id::text
     where m.status = 'succeeded' order by i.number desc limit 12`,
  );
  const one = paid[random.integer(0, paid.length - 1)];
  if (!one) return undefined;
  const share = random.pick([100n, 100n, BigInt(random.integer(1, 99)), 1n]);
  const amountCents = (one.cents * share) / 100n;
  return { invoiceId: one.invoice_id, charge: one.charge, amountCents: amountCents > 0n ? amountCents : 1n };
}
