import { randomUUID } from 'node:crypto';
import { isLockAwaited } from '@tollgate/testkit/is-lock-awaited';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { EventBatchResult } from '@tollgate/contracts/events/event-answers';
import { busyMs, eventually } from '@tollgate/testkit/eventually';
import { seriesIn } from '@tollgate/testkit/read-series';
import { isReplay, type TestAccount } from '../support/gateway-under-test.ts';
import { putCountedEvent } from '../support/put-counted-event.ts';
import { stallLog } from '../support/stall-log.ts';
import { useGateway } from '../support/use-gateway.ts';

const monotonic = { nowMs: 0 };
const gateway = useGateway({ monotonic });
let consumer: TestAccount;
let toolId: string;

beforeAll(async () => {
  consumer = await gateway.newAccount();
  toolId = await gateway.newTool();
  await gateway.record({ tool_id: toolId }, consumer); // memory has the tool from now on
});

const record = (key?: string) => gateway.record({ tool_id: toolId, idempotency_key: key }, consumer);

async function recordAll(keys: readonly (string | undefined)[]) {
  const events = keys.map((key) => ({ tool_id: toolId, ...(key !== undefined && { idempotency_key: key }) }));
  return gateway.send<EventBatchResult>('POST', '/v1/events/batch', { token: consumer.token, body: { events } });
}

/** Look-ups come first for so long after a repeat. */
const firstForMs = 5_000;
beforeEach(() => void (monotonic.nowMs += firstForMs));

/** The key of a counted event. */
async function counted(wish: { readonly toolId?: string } = {}): Promise<string> {
  const key = randomUUID();
  const occurredAtMs = gateway.clock.now() - 60_000;
  await putCountedEvent(gateway.owner, { consumerId: consumer.accountId, toolId, occurredAtMs, key, ...wish });
  return key;
}

async function archivedTool(): Promise<string> {
  const archived = await gateway.newTool();
  await gateway.record({ tool_id: archived }, consumer);
  await gateway.archive(archived);
  const status = async () => (await gateway.record({ tool_id: archived }, consumer)).status;
  await eventually(async () => (await status()) === 404, { withinMs: busyMs }); // the gateway has heard of it
  return archived;
}

async function keysAppended(work: () => Promise<unknown>): Promise<(string | undefined)[]> {
  const before = new Set((await gateway.appended()).map((each) => each.event_id));
  await work();
  const added = (await gateway.appended()).filter((each) => !before.has(each.event_id));
  return added.map((each) => each.idempotency_key);
}

/** How many appends ended with each outcome. */
async function appends() {
  const valueOf = seriesIn(await gateway.metrics());
  const ended = (outcome: string) => valueOf('tollgate_gateway_append_seconds_count', { outcome }) ?? 0;
  return { durable: ended('durable'), notMade: ended('not_appended') };
}

describe('an append that sees by itself whether its events are counted', () => {
  it('F250 appends nothing for a counted key, and the other events of its batch once', async () => {
    const [key, other] = [await counted(), randomUUID()];
    const before = await appends();
    const results: unknown[] = [];
    const appended = await keysAppended(async () => {
      const { body } = await recordAll([other, key, undefined]);
      results.push(...body.results.map(({ status }) => status));
    });
    expect(results).toEqual(['recorded', 'duplicate', 'recorded']);
    expect(appended).toHaveLength(2);
    expect(new Set(appended)).toEqual(new Set([other, undefined]));
    expect((await appends()).notMade).toBe(before.notMade + 1);
  });

  it('is not tried for 5 s after a repeat', async () => {
    await record(randomUUID());
    const before = await appends();
    const repeats = [await counted(), await counted(), await counted()];
    const answers = [];
    for (const key of repeats) answers.push(await record(key));
    expect(answers.map((answer) => [answer.status, isReplay(answer)])).toEqual(repeats.map(() => [201, true]));
    expect(await appends()).toEqual({ ...before, notMade: before.notMade + 1 });
    monotonic.nowMs += firstForMs;
    await record(randomUUID());
    await record(await counted());
    expect(await appends()).toEqual({ durable: before.durable + 1, notMade: before.notMade + 2 });
  });

  it('F05 is not tried for an archived tool: a repeat is answered, and another event is 404', async () => {
    const archived = await archivedTool();
    const key = await counted({ toolId: archived });
    const again = await gateway.record({ tool_id: archived, idempotency_key: key }, consumer);
    const fresh = await gateway.record({ tool_id: archived, idempotency_key: randomUUID() }, consumer);
    expect([again.status, isReplay(again), fresh.status]).toEqual([201, true, 404]);
  });

  it('is not tried by an event that waited for its turn, if look-ups come first by then', async () => {
    const archived = await archivedTool();
    const [key, keyOfArchived] = [await counted(), await counted({ toolId: archived })];
    const before = await appends();
    const stall = await stallLog(gateway.owner);
    const first = record(randomUUID());
    await eventually(async () => isLockAwaited(gateway.owner), { withinMs: busyMs, everyMs: 5 });
    const second = record(key);
    const repeat = await gateway.record({ tool_id: archived, idempotency_key: keyOfArchived }, consumer);
    await stall.release();
    const answers = [await first, await second, repeat].map((answer) => [answer.status, isReplay(answer)]);
    expect(answers).toEqual([
      [201, false],
      [201, true],
      [201, true],
    ]);
    expect(await appends()).toEqual({ ...before, durable: before.durable + 1 });
  });

  it('F250 never sends a record that no caller waits for any more, if its batch was not appended', async () => {
    const appended = await keysAppended(() =>
      gateway.owner.transaction(async (tx) => {
        await tx.query('lock table usage.event_key in access exclusive mode');
        const sent = recordAll([randomUUID(), undefined]);
        await eventually(async () => isLockAwaited(tx), { withinMs: busyMs, everyMs: 5 });
        monotonic.nowMs += 60_000;
        expect((await sent).status).toBe(503);
      }),
    );
    expect(appended).toHaveLength(0);
  });

  it('F251 records events while the key table is locked', async () => {
    const key = randomUUID();
    const appended = await keysAppended(() =>
      gateway.owner.transaction(async (tx) => {
        await tx.query('lock table usage.event_key in access exclusive mode');
        expect((await record(key)).status).toBe(201);
      }),
    );
    expect(appended).toEqual([key]);
  });
});
