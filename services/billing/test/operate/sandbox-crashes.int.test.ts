import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Database } from '@tollgate/database/database';
import { createSandboxFailures } from '../../src/processor/sandbox/sandbox-failures.ts';
import { createSandboxProcessor } from '../../src/processor/sandbox/sandbox-processor.ts';
import { createAttempts, type Attempts } from '../../src/processor/create-attempts.ts';
import type { ScriptedFailureName } from '../../src/processor/sandbox/scripted-failures.ts';
import type { ApplyOutcome } from '../../src/processor/settle-attempt.ts';
import type { Attempt } from '../../src/processor/attempt.ts';
import { frozenClock } from '../support/frozen-clock.ts';
import { silentLog as log } from '../support/silent-log.ts';
import { useDatabase } from '../support/use-database.ts';

const delayMs = 2_000;
const clock = frozenClock('2026-11-21T12:34:56.789Z');
const testing = useDatabase();
/** The effects that were applied, by attempt: one effect per status. */
let applied: string[];

beforeAll(() =>
  testing.owner.query(
    `insert into sandbox.customer values ('cus', 'cus', 'cus', 'pm', 'visa', '4242', 12, 2030, '2026-11-21Z')`,
  ),
);

beforeEach(() => {
  applied = [];
});

const apply: ApplyOutcome = async (_tx, attempt, { status }) => {
  applied.push(`${attempt.id} ${status}`);
};

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
