import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type MovableClock, createMovableClock } from '@tollgate/kernel/clock';
import { hourMs } from '@tollgate/kernel/durations';
import { type Database, onlyRow } from '@tollgate/database/database';
import { eventually } from '@tollgate/testkit/eventually';
import type { Movement, Processor } from '../../src/processor/processor.ts';
import type {
  FailureScript,
  ScriptedFailureName,
  ScriptedFailures,
} from '../../src/processor/sandbox/scripted-failures.ts';
import type { SignedWebhook } from '../../src/processor/webhook-ports.ts';
import { createSandboxFailures } from '../../src/processor/sandbox/sandbox-failures.ts';
import { createSandboxProcessor } from '../../src/processor/sandbox/sandbox-processor.ts';
import { createSandboxWebhookSender } from '../../src/processor/sandbox/sandbox-webhook-sender.ts';
import { frozenClock } from '../support/frozen-clock.ts';
import { useDatabase } from '../support/use-database.ts';
import { createSandboxBank } from '../../src/processor/sandbox/sandbox-bank.ts';
import { lockMovedFunds } from '../../src/processor/sandbox/sandbox-funds.ts';
import { lockInSandbox } from '../../src/processor/sandbox/lock-sandbox-charge.ts';
import { createSandboxPages } from '../../src/processor/sandbox/sandbox-pages.ts';
import { type Attempts, createAttempts } from '../../src/processor/create-attempts.ts';
import type { ApplyOutcome } from '../../src/processor/settle-attempt.ts';
import type { Attempt } from '../../src/processor/attempt.ts';
import { silentLog as log } from '../support/silent-log.ts';

let processor: Processor;
let failures: ScriptedFailures;
let names = 0;

const newAttempt = () => {
  const attemptId = `attempt-${(names += 1)}`;
  return { attemptId, idempotencyKey: attemptId, amountCents: 1_000n };
};

const newCharge = (invoiceId = `invoice-${(names += 1)}`) => ({
  ...newAttempt(),
  processorCustomerId: 'cus',
  paymentMethodId: 'pm',
  invoiceId,
});

const newTransfer = (payoutId = `payout-${(names += 1)}`) => ({
  ...newAttempt(),
  processorAccountId: 'acct',
  payoutId,
});

const unavailable = { kind: 'unavailable' };
const refused = { status: 'failed', failureCode: 'insufficient_funds_of_platform' };
let customer: { processorCustomerId: string; paymentMethodId: string };
let processorAccountId: string;
const tokenOf = (url: string) => new URL(url, 'http://sandbox').searchParams.get('token') ?? '';
const attempt = () => ({ attemptId: randomUUID(), idempotencyKey: randomUUID() });

function transfer(amountCents: bigint): Promise<Movement> {
  return processor.transfers.create({ ...attempt(), processorAccountId, amountCents, payoutId: randomUUID() });
}

/** The effects that were applied, by attempt: one effect per status. */
let applied: string[];

const apply: ApplyOutcome = async (_tx, attempt, { status }) => {
  applied.push(`${attempt.id} ${status}`);
};

describe('scripted failures', () => {
  const delayMs = 1_000;
  const clock = frozenClock('2026-11-21T12:34:56.789Z');
  const testing = useDatabase();

  beforeAll(async () => {
    const { worker: database, owner } = testing;
    processor = createSandboxProcessor({ database, clock, delayMs });
    failures = createSandboxFailures({ database, clock });
    await owner.query(
      `insert into sandbox.customer values ('cus', 'cus', 'cus', 'pm', 'visa', '4242', 12, 2030, '2026-11-21Z')`,
    );
    await owner.query(`insert into sandbox.account values ('acct', 'acct', 'acct', true, true, '2026-11-21Z')`);
  });

  beforeEach(() => failures.clear());

  const script = (made: Pick<FailureScript, 'on' | 'failure'> & Partial<FailureScript>) =>
    failures.add({ times: 1, subjectId: undefined, ...made });
  const charge = (order = newCharge()): Promise<Movement> => processor.charges.create(order);

  /** Returns the webhooks of this object that were not there before. */
  async function typesSent(objectId: string): Promise<unknown[]> {
    const sent: { readonly type: unknown; readonly object_id: unknown }[] = [];
    const deliver = async ({ rawBody }: SignedWebhook) => {
      sent.push(JSON.parse(Buffer.from(rawBody).toString()) as (typeof sent)[number]);
    };
    await createSandboxWebhookSender({
      database: testing.worker,
      clock,
      secret: 'a secret of this test alone',
      deliver,
    })();
    return sent.filter((event) => event.object_id === objectId).map(({ type }) => type);
  }

  it('decline: the processor refuses this order and accepts the next', async () => {
    await script({ on: 'charge', failure: 'decline' });
    expect(await charge()).toMatchObject({ status: 'failed', failureCode: 'declined', feeCents: 0n });
    expect(await charge()).toMatchObject({ status: 'succeeded' });
  });

  it('timeout_before_effect: nothing is done, and the same order does it', async () => {
    await script({ on: 'charge', failure: 'timeout_before_effect' });
    const order = newCharge();
    await expect(charge(order)).rejects.toMatchObject(unavailable);
    expect(await processor.charges.findAll(order)).toEqual([]);
    expect(await charge(order)).toMatchObject({ status: 'succeeded' });
  });

  it('delay: it is done at once, and answered late', async () => {
    await script({ on: 'charge', failure: 'delay' });
    const order = newCharge();
    const startedMs = clock.monotonicMs();
    const answer = charge(order);
    let isAnswered = false;
    void answer.finally(() => (isAnswered = true));
    let found: Movement | undefined;
    while (!found) [found] = await processor.charges.findAll(order);
    expect(isAnswered).toBe(false);
    expect(await answer).toEqual(found);
    expect(clock.monotonicMs() - startedMs).toBeGreaterThanOrEqual(delayMs - 1);
  });

  it('reverse_later: it succeeds, comes back an hour later, and a webhook tells of it then', async () => {
    await script({ on: 'transfer', failure: 'reverse_later' });
    const { objectId = '', status } = await processor.transfers.create(newTransfer());
    expect(status).toBe('succeeded');
    expect(await typesSent(objectId)).toEqual(['transfer.succeeded']);
    clock.advance(3_599_999);
    expect(await typesSent(objectId)).toEqual([]);
    expect(await processor.transfers.read(objectId)).toMatchObject({ status: 'succeeded' });
    clock.advance(1);
    expect(await typesSent(objectId)).toEqual(['transfer.reversed']);
    expect(await processor.transfers.read(objectId)).toMatchObject({ status: 'reversed' });
  });

  it('apply to their kind, their invoice and its refunds, and their payout', async () => {
    const order = newCharge('invoice-of-this-test');
    await script({ on: 'charge', failure: 'decline', subjectId: 'another-invoice' });
    await script({ on: 'transfer', failure: 'decline', subjectId: 'payout-of-this-test' });
    await script({ on: 'refund', failure: 'decline', subjectId: 'invoice-of-this-test' });
    const { objectId: chargeObjectId = '' } = await charge(order);
    const { objectId: otherCharge = '' } = await charge();
    const refund = (of: string) =>
      processor.refunds.create({ ...newAttempt(), amountCents: 1n, chargeObjectId: of, refundId: `r-${(names += 1)}` });
    expect(await refund(otherCharge)).toMatchObject({ status: 'succeeded' });
    expect(await refund(chargeObjectId)).toMatchObject({ status: 'failed', failureCode: 'declined' });
    expect(await refund(chargeObjectId)).toMatchObject({ status: 'succeeded' });
    expect(await processor.transfers.create(newTransfer())).toMatchObject({ status: 'succeeded' });
    expect(await processor.transfers.create(newTransfer('payout-of-this-test'))).toMatchObject({ status: 'failed' });
  });

  it('apply to one order each, also of many at once, and to no repeated order', async () => {
    await script({ on: 'charge', failure: 'decline', times: 3 });
    const orders = Array.from({ length: 8 }, () => newCharge());
    const count = (made: readonly Movement[]) => made.filter(({ status }) => status === 'failed').length;
    const made = await Promise.all(orders.map(charge));
    expect(count(made)).toBe(3);
    await script({ on: 'charge', failure: 'decline', times: 8 });
    expect(await Promise.all(orders.map(charge))).toEqual(made);
    expect(await failures.list()).toMatchObject([{ times: 8 }]);
  });

  it('apply in the order in which they were scripted, also while the clock stands still', async () => {
    const [declined, lost] = ['decline', 'timeout_before_effect'] as const;
    const scripted = [lost, declined, declined, lost, lost, declined, lost, declined];
    for (const failure of scripted) await script({ on: 'charge', failure });
    const met: string[] = [];
    while (met.length < scripted.length)
      met.push(
        await charge().then(
          () => declined,
          () => lost,
        ),
      );
    expect(met).toEqual(scripted);
  });
});

describe('F218 the platform’s balance at the sandbox', () => {
  /** As Stripe's page `connect/separate-charges-and-transfers` says: a transfer above the available balance is refused. */
  const db = useDatabase();

  let clock: MovableClock;

  beforeEach(async () => {
    clock = createMovableClock(Date.parse('2026-11-21T12:00:00Z'));
    await db.owner.query(
      `delete from sandbox.own_payout; delete from sandbox.dispute; delete from sandbox.movement; update sandbox.balance set cents = 0`,
    );
    processor = withFunds(0n);
    const pages = createSandboxPages({ database: db.worker, clock, onEvent: () => undefined });
    const keyed = () => ({ idempotencyKey: randomUUID(), reference: randomUUID() });
    const { processorCustomerId } = await processor.customers.create(keyed());
    const setup = await processor.customers.createSetupLink({ processorCustomerId, returnUrl: 'https://sandbox' });
    await pages.answerCardSetup(tokenOf(setup.url), { answer: 'complete', card: 'visa' });
    const card = await processor.customers.readPaymentMethod(processorCustomerId);
    customer = { processorCustomerId, paymentMethodId: card?.paymentMethodId ?? '' };
    ({ processorAccountId } = await processor.payoutAccounts.create(keyed()));
    const onboarding = await processor.payoutAccounts.createLink({ processorAccountId, returnUrl: 'https://sandbox' });
    await pages.answerOnboarding(tokenOf(onboarding.url), 'complete');
  });

  const withFunds = (fundsCents: bigint) =>
    createSandboxProcessor({ database: db.worker, clock, delayMs: 0, fundsCents });

  function charge(amountCents: bigint): Promise<Movement> {
    return processor.charges.create({ ...attempt(), ...customer, amountCents, invoiceId: randomUUID() });
  }

  /** Reads the balance that the triggers keep, and the sum over all movements. */
  async function balances(): Promise<bigint[]> {
    const { heldCents } = await processor.readBalance();
    return [await db.worker.transaction((tx) => lockMovedFunds(tx, clock.now())), heldCents];
  }

  async function waiting(): Promise<number> {
    const text = `select count(*)::int as waiting from pg_locks join pg_stat_activity using (pid)
    where not granted and datname = current_database()`;
    return onlyRow(await db.owner.query<{ waiting: number }>(text)).waiting;
  }

  it('pays transfers from what was charged, less the fee, and refuses the rest', async () => {
    expect(await transfer(1n)).toMatchObject(refused);
    await charge(1_000n); // fee 59 cents
    expect(await transfer(942n)).toMatchObject(refused);
    expect(await transfer(941n)).toMatchObject({ status: 'succeeded' });
    expect(await transfer(1n)).toMatchObject(refused);
    expect(await balances()).toEqual([0n, 0n]);
  });

  it('has what the platform deposited, which reconcile does not count as moved', async () => {
    processor = withFunds(5_000n);
    expect(await processor.readBalance()).toEqual({ heldCents: 5_000n, ownCents: 5_000n, otherCurrencies: [] });
    expect(await transfer(5_000n)).toMatchObject({ status: 'succeeded' });
    expect(await transfer(1n)).toMatchObject(refused);
  });

  it('is never overdrawn by transfers at once', async () => {
    await charge(1_000n);
    const other = db.openWorker();
    const under = await other.transaction(async (tx) => {
      await lockInSandbox(tx, 'balance');
      const transfers = Promise.all([transfer(941n), transfer(941n)]);
      await eventually(async () => (await waiting()) === 2, { withinMs: 5_000 });
      return { transfers };
    });
    const made = await under.transfers;
    await other.stop();
    expect(made.map(({ status }) => status).toSorted()).toEqual(['failed', 'succeeded']);
    expect(await balances()).toEqual([0n, 0n]);
  });

  it('goes below zero by refunds and lost disputes, which are not refused', async () => {
    const { objectId: chargeObjectId = '' } = await charge(1_000n);
    await transfer(941n);
    const refund = { ...attempt(), amountCents: 300n, chargeObjectId, refundId: randomUUID() };
    expect(await processor.refunds.create(refund)).toMatchObject({ status: 'succeeded' });
    const bank = createSandboxBank({ database: db.worker, clock, onEvent: () => undefined });
    await bank.dispute({ chargeObjectId, amountCents: 200n, outcome: 'lost' });
    await bank.dispute({ chargeObjectId, amountCents: 100n, outcome: 'won' });
    expect(await balances()).toEqual([-500n, -500n]);
  });

  it('F232 has neither money nor fee of an open dispute, and the money again if that is won', async () => {
    const { objectId: chargeObjectId = '' } = await charge(1_000n);
    const bank = createSandboxBank({ database: db.worker, clock, onEvent: () => undefined });
    const open = (amountCents: bigint) =>
      bank.dispute({ chargeObjectId, amountCents, outcome: 'needs_response', feeCents: 15n });
    const [first, second] = [await open(600n), await open(300n)];
    expect(await open(101n)).toBeUndefined();
    expect(await balances()).toEqual([11n, 11n]);
    await bank.decideDispute(first?.objectId ?? '', 'won');
    await bank.decideDispute(second?.objectId ?? '', 'lost');
    expect(await balances()).toEqual([611n, 611n]);
    expect(await bank.decideDispute(second?.objectId ?? '', 'won')).toBeUndefined();
    const undo = `update sandbox.dispute set status = 'lost' where status = 'won'`;
    await expect(db.owner.query(undo)).rejects.toThrow('is won and does not become lost');
    expect(await balances()).toEqual([611n, 611n]);
    await db.owner.query(`update sandbox.dispute set status = 'won' where status = 'lost'`); // reinstated
    expect(await balances()).toEqual([911n, 911n]);
  });

  it('pays out to the platform’s own bank what it has, and has it again if the bank returns it', async () => {
    processor = withFunds(500n);
    const bank = createSandboxBank({ database: db.worker, clock, fundsCents: 500n, onEvent: () => undefined });
    await charge(1_000n);
    expect(await bank.payOut({ amountCents: 1_442n, outcome: 'paid' })).toBeUndefined();
    expect(await bank.payOut({ amountCents: 1_000n, outcome: 'returned' })).toMatchObject({ takenCents: 1_000n });
    expect(await transfer(442n)).toMatchObject(refused);
    expect(await bank.payOut({ amountCents: 441n, outcome: 'paid' })).toMatchObject({ amountCents: 441n });
    expect(await balances()).toEqual([-500n, 0n]);
    clock.advance(hourMs);
    expect(await balances()).toEqual([500n, 1_000n]);
    expect(await transfer(1_000n)).toMatchObject({ status: 'succeeded' });
  });

  it('has a transfer again that came back', async () => {
    await charge(1_000n);
    const failures = createSandboxFailures({ database: db.worker, clock });
    await failures.add({ on: 'transfer', failure: 'reverse_later', times: 1, subjectId: undefined });
    await transfer(941n);
    expect(await balances()).toEqual([0n, 0n]);
    clock.advance(hourMs);
    expect(await balances()).toEqual([941n, 941n]);
    expect(await transfer(941n)).toMatchObject({ status: 'succeeded' });
  });
});

describe('sandbox crashes', () => {
  const delayMs = 2_000;
  const clock = frozenClock('2026-11-21T12:34:56.789Z');
  const testing = useDatabase();

  beforeAll(() =>
    testing.owner.query(
      `insert into sandbox.customer values ('cus', 'cus', 'cus', 'pm', 'visa', '4242', 12, 2030, '2026-11-21Z')`,
    ),
  );

  beforeEach(() => {
    applied = [];
  });

  /** A process of billing, until it is killed: then it reaches no database any more. */
  function startProcess(): { attempts: Attempts; database: Database; kill: () => Promise<void> } {
    const database = testing.openWorker();
    const processor = createSandboxProcessor({ database: testing.worker, clock, delayMs });
    const applyOutcome = { charge: apply, refund: apply, transfer: apply };
    const hooks = { applyOutcome, applyReturn: async () => undefined };
    const attempts = createAttempts({ database, clock, log, processor, ...hooks, callMsMax: 60_000 });
    return { attempts, database, kill: () => database.stop() };
  }

  async function begin({ attempts, database }: ReturnType<typeof startProcess>): Promise<Attempt> {
    const order = { kind: 'charge', subjectId: randomUUID(), amountCents: 1_000n, partyId: 'cus' } as const;
    return database.transaction((tx) => attempts.begin(tx, { ...order, paymentMethodId: 'pm' }));
  }

  const charges = (attempt: Attempt) =>
    testing.owner.query('select status from sandbox.movement where attempt_id = $1', [attempt.id]);
  const stored = async (attempt: Attempt) =>
    (
      await testing.owner.query<{ status: string; object_id: string | null; fee_cents: string }>(
        'select status, object_id, fee_cents from billing.processor_attempt where attempt_id = $1',
        [attempt.id],
      )
    )[0];

  /** The processor will fail this charge so, the next time that it is ordered. */
  const script = ({ subjectId }: Attempt, failure: ScriptedFailureName, times = 1) =>
    createSandboxFailures({ database: testing.worker, clock }).add({ on: 'charge', failure, times, subjectId });

  async function resolveLater(): Promise<number> {
    const next = startProcess();
    clock.advance(60_000);
    const settled = await next.attempts.resolve(clock.now());
    await next.kill();
    return settled;
  }

  describe('a process of billing that dies', () => {
    it('F56 before it gave the order: the next process gives it once', async () => {
      const dying = startProcess();
      const attempt = await begin(dying);
      await dying.kill();
      expect(await resolveLater()).toBe(1);
      expect(await charges(attempt)).toEqual([{ status: 'succeeded' }]);
      expect(applied).toEqual([`${attempt.id} succeeded`]);
    });

    it('F56 after the processor accepted, before the id is stored: the next process finds the same charge', async () => {
      const dying = startProcess();
      const attempt = await begin(dying);
      await script(attempt, 'delay');
      const carrying = dying.attempts.carryOut(attempt).catch((error: unknown) => error);
      while ((await charges(attempt)).length === 0);
      await dying.kill();
      expect(await stored(attempt)).toMatchObject({ status: 'unknown', object_id: null });
      expect(await carrying).toBeInstanceOf(Error); // it was answered, and could write nothing down
      expect(await resolveLater()).toBe(1);
      expect(await charges(attempt)).toHaveLength(1);
      expect(await stored(attempt)).toMatchObject({ status: 'succeeded', fee_cents: '59' });
      expect(applied).toEqual([`${attempt.id} succeeded`]);
    });

    it('F56 while another has found the charge already: the late answer changes nothing', async () => {
      const slow = startProcess();
      const attempt = await begin(slow);
      await script(attempt, 'delay');
      const carrying = slow.attempts.carryOut(attempt);
      while ((await charges(attempt)).length === 0);
      expect(await resolveLater()).toBe(1);
      const found = await stored(attempt);
      await carrying;
      expect(await stored(attempt)).toEqual(found);
      expect(applied).toEqual([`${attempt.id} succeeded`]);
      await slow.kill();
    });
  });

  describe('an answer that is lost', () => {
    it.each(['timeout_before_effect', 'timeout_after_effect'] as const)(
      'F57 by a %s leaves the outcome unknown until it is looked up, and moves money once',
      async (failure) => {
        const process = startProcess();
        const attempt = await begin(process);
        await script(attempt, failure);
        await process.attempts.carryOut(attempt);
        expect(await stored(attempt)).toMatchObject({ status: 'unknown' });
        expect(await charges(attempt)).toHaveLength(failure === 'timeout_after_effect' ? 1 : 0);
        expect(applied).toEqual([]);
        await process.kill();
        expect(await resolveLater()).toBe(1);
        expect(await charges(attempt)).toEqual([{ status: 'succeeded' }]);
        expect(applied).toEqual([`${attempt.id} succeeded`]);
        expect(await resolveLater()).toBe(0);
      },
    );

    it('F57 four times is asked for four times, under the same key', async () => {
      const process = startProcess();
      const attempt = await begin(process);
      await script(attempt, 'timeout_before_effect', 4);
      await process.attempts.carryOut(attempt);
      await process.kill();
      const settled = [await resolveLater(), await resolveLater(), await resolveLater(), await resolveLater()];
      expect(settled).toEqual([0, 0, 0, 1]);
      expect(await charges(attempt)).toEqual([{ status: 'succeeded' }]);
      expect(applied).toEqual([`${attempt.id} succeeded`]);
    });
  });
});
