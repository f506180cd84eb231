import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Movement, Processor } from '../../src/processor/processor.ts';
import type { FailureScript, ScriptedFailures } from '../../src/processor/sandbox/scripted-failures.ts';
import type { SignedWebhook } from '../../src/processor/webhook-ports.ts';
import { createSandboxFailures } from '../../src/processor/sandbox/sandbox-failures.ts';
import { createSandboxProcessor } from '../../src/processor/sandbox/sandbox-processor.ts';
import { createSandboxWebhookSender } from '../../src/processor/sandbox/sandbox-webhook-sender.ts';
import { frozenClock } from '../support/frozen-clock.ts';
import { useDatabase } from '../support/use-database.ts';

const delayMs = 1_000;
const clock = frozenClock('2026-11-21T12:34:56.789Z');
const testing = useDatabase();
let processor: Processor;
let failures: ScriptedFailures;
let names = 0;

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

describe('scripted failures', () => {
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
