import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { createMovableClock, type MovableClock } from '@tollgate/kernel/clock';
import { hourMs } from '@tollgate/kernel/durations';
import { onlyRow } from '@tollgate/database/database';
import { eventually } from '@tollgate/testkit/eventually';
import type { Movement, Processor } from '../../src/processor/processor.ts';
import { createSandboxBank } from '../../src/processor/sandbox/sandbox-bank.ts';
import { createSandboxFailures } from '../../src/processor/sandbox/sandbox-failures.ts';
import { lockMovedFunds } from '../../src/processor/sandbox/sandbox-funds.ts';
import { lockInSandbox } from '../../src/processor/sandbox/sandbox-lock.ts';
import { createSandboxPages } from '../../src/processor/sandbox/sandbox-pages.ts';
import { createSandboxProcessor } from '../../src/processor/sandbox/sandbox-processor.ts';
import { useDatabase } from '../support/use-database.ts';

/** As Stripe's page `connect/separate-charges-and-transfers` says: a transfer above the available balance is refused. */
const db = useDatabase();
const refused = { status: 'failed', failureCode: 'insufficient_funds_of_platform' };

let clock: MovableClock;
let processor: Processor;
let customer: { processorCustomerId: string; paymentMethodId: string };
let processorAccountId: string;

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
const tokenOf = (url: string) => new URL(url, 'http://sandbox').searchParams.get('token') ?? '';
const attempt = () => ({ attemptId: randomUUID(), idempotencyKey: randomUUID() });

function charge(amountCents: bigint): Promise<Movement> {
  return processor.charges.create({ ...attempt(), ...customer, amountCents, invoiceId: randomUUID() });
}

function transfer(amountCents: bigint): Promise<Movement> {
  return processor.transfers.create({ ...attempt(), processorAccountId, amountCents, payoutId: randomUUID() });
}

/** Reads the balance that the triggers keep, and the sum over all movements. */
async function balances(): Promise<bigint[]> {
  const { heldCents } = await processor.readBalance();
  return [await db.worker.transaction((tx) => lockMovedFunds(tx, clock.now())), heldCents];
}

describe('F218 the platform’s balance at the sandbox', () => {
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

async function waiting(): Promise<number> {
  const text = `select count(*)::int as waiting from pg_locks join pg_stat_activity using (pid)
    where not granted and datname = current_database()`;
  return onlyRow(await db.owner.query<{ waiting: number }>(text)).waiting;
}
