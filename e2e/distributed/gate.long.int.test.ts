import { expect } from '@jest/globals';
import { problemTypeOf } from '@tollgate/contracts/forms/problem';
import { eventually } from '@tollgate/testkit/eventually';
import { inTurn } from '@tollgate/testkit/in-turn';
import { describeWithKafkaAndRedis } from '@tollgate/testkit/kafka-and-redis';
import { itWith } from '../it-with.ts';
import { untilDecided, type CappedAccount, type Gateway } from './capped-account.ts';
import { openGateShape, type GateShape, type IsStatement } from './gate-shape.ts';

const describeWithBoth = await describeWithKafkaAndRedis();

const patience = { withinMs: 30_000 };
const asked = 1_000;
/** Each takes 100 requests per second. */
const keys = 5;
const batchEvents = 100;

/** The name of a prepared statement ends with a zero byte. */
const isNamed =
  (name: string): IsStatement =>
  (bytes) =>
    bytes.includes(`${name}\0`);
const isText =
  (text: string): IsStatement =>
  (bytes) =>
    bytes.includes(text);
const isCommitAfter =
  (isStatement: IsStatement): IsStatement =>
  (bytes, before) =>
    bytes.includes('commit\0') && before !== undefined && isStatement(before, undefined);

function isSecond(isStatement: IsStatement): IsStatement {
  let seen = 0;
  return (...bytes) => {
    if (isStatement(...bytes)) seen += 1;
    return seen === 2;
  };
}

const isHolding = isNamed('gate.put_holds');
const isLocking = isText('order by hold_id for update');
const isCapturing = isText(`update gate.hold h set state = 'captured'`);
const isReleasing = isText('update gate.hold set state = $2');
const isFreeing = isNamed('gate.change_caps');

interface Death {
  readonly when: string;
  readonly isStatement: IsStatement;
  /** Whether PostgreSQL was told to commit. Undefined: COMMIT left along with the statement, and may have been lost. */
  readonly isCommitted: boolean | undefined;
}

const asking: readonly Death[] = [
  { when: 'before it has locked the cap', isStatement: isNamed('gate.lock_caps'), isCommitted: false },
  { when: 'while it stores what is held', isStatement: isHolding, isCommitted: undefined },
];
const capturing: readonly Death[] = [
  { when: 'before it has locked the hold', isStatement: isLocking, isCommitted: false },
  { when: 'while it captures', isStatement: isCapturing, isCommitted: undefined },
];
/** The gateway captures two calls of one book: when it captures the second, it knows the book. */
const capturingCalls = [
  { when: 'before it has captured the first', isStatement: isLocking, captured: [0] },
  { when: 'while it captures the first', isStatement: isNamed('gate.capture_calls'), captured: [0] },
  { when: 'while it captures the second', isStatement: isSecond(isNamed('gate.capture_calls')), captured: [1, 2] },
] as const;
const releasing: readonly Death[] = [
  { when: 'before it has locked the cap', isStatement: isNamed('gate.lock_caps_of_hold'), isCommitted: false },
  { when: 'while it releases', isStatement: isReleasing, isCommitted: false },
  { when: 'while it frees the cap', isStatement: isFreeing, isCommitted: false },
  { when: 'while it commits the release', isStatement: isCommitAfter(isFreeing), isCommitted: true },
];
/** Returns the outcomes that may be, by whether the gateway's transaction was committed. */
function oneOf<Value>(isCommitted: boolean | undefined, committed: Value, rolledBack: Value): Value[] {
  if (isCommitted === undefined) return [committed, rolledBack];
  return [isCommitted ? committed : rolledBack];
}

/** More by hand: `BURSTS=20`. */
const bursts = Number(process.env['BURSTS'] ?? 1);
/** The budgets of each burst, then of each death. */
const budgets = [
  ...Array.from({ length: bursts }, () => 5),
  ...[...asking, ...capturing, ...capturingCalls, ...releasing].map(() => 0.02),
];

describeWithBoth(
  'the gate at several gateways on Kafka and Redis',
  inTurn(() => {
    const it = itWith(async (undo) => {
      const shape = await openGateShape({ budgets, keys }, undo);
      const left = shape.consumers.slice(bursts).values();
      const nextConsumer = () => given(left.next().value);
      return { ...shape, ofBursts: shape.consumers.slice(0, bursts), nextConsumer };
    });

    it(
      'F240 grants exactly 500 of 1,000 calls of a cent at once to a budget of 5 USD, and counts each once',
      async (opened) => {
        const gateways = [opened.one, opened.two, await opened.startThird()] as const;
        for (const consumer of opened.ofBursts) await expectBurst(opened, consumer, gateways);
      },
      180_000 * bursts,
    );

    for (const { when, isStatement, isCommitted } of asking)
      it(`F239 what is authorized is held once if its gateway dies ${when}`, async (opened) => {
        const { one, two, killAt, nextConsumer } = opened;
        const consumer = nextConsumer();
        const granted = await idOf(consumer, one, 'granted');
        await killAt(isStatement, (third) => consumer.ask(third, { key: 'unanswered' }));
        const { spent_usd: spent, held_usd: heldUsd } = await consumer.budget(one);
        expect(spent).toBe(0);
        expect(oneOf(isCommitted, 0.02, 0.01)).toContain(heldUsd);
        expect(await opened.wrongCaps()).toEqual([]);

        const repeated = await idOf(consumer, two, 'unanswered');
        expect(await idOf(consumer, one, 'unanswered')).toBe(repeated);
        expect((await consumer.show(two, granted)).body.state).toBe('open');
        const further = await untilDecided(() => consumer.ask(one, { key: 'further' }));
        expect(further.body).toEqual(refusalOf(consumer, { spent: 0, held: 0.02 }));

        const events = [await captureOnce(opened, consumer, granted), await captureOnce(opened, consumer, repeated)];
        await expectSettled(opened, consumer, { events, amountUsd: 0.02 });
      }, 120_000);

    for (const { when, isStatement, isCommitted } of capturing)
      it(`F239 a call is charged once if its gateway dies ${when}`, async (opened) => {
        const { one, two, killAt, nextConsumer } = opened;
        const consumer = nextConsumer();
        const id = await idOf(consumer, one, 'captured');
        await killAt(isStatement, (third) => consumer.capture(third, id));
        expect(oneOf(isCommitted, 'captured', 'open')).toContain((await consumer.show(one, id)).body.state);
        expect(await consumer.budget(two)).toMatchObject({ spent_usd: 0, held_usd: 0.01 });
        expect(await opened.wrongCaps()).toEqual([]);

        const events = [await captureOnce(opened, consumer, id)];
        await expectSettled(opened, consumer, { events, amountUsd: 0.02 });
      }, 120_000);

    for (const { when, isStatement, captured } of capturingCalls)
      it(`F239 each call of a book is charged once if its gateway dies ${when}`, async (opened) => {
        const { one, two, killAt, nextConsumer } = opened;
        const consumer = nextConsumer();
        const { id } = (await untilDecided(() => consumer.ask(one, { key: 'book', count: 2 }))).body;
        await killAt(isStatement, async (third) => {
          await consumer.capture(third, id, 0);
          await consumer.capture(third, id, 1);
        });
        expect(captured).toContain((await consumer.show(one, id)).body.captured_count);
        expect(await consumer.budget(two)).toMatchObject({ remaining_usd: 0 });
        expect(await opened.wrongCaps()).toEqual([]);

        const events = [await captureOnce(opened, consumer, id, 0), await captureOnce(opened, consumer, id, 1)];
        expect(new Set(events).size).toBe(2);
        await expectSettled(opened, consumer, { events, amountUsd: 0.02 });
      }, 120_000);

    for (const { when, isStatement, isCommitted } of releasing)
      it(`F239 what is released is free once if its gateway dies ${when}`, async (opened) => {
        const { one, two, killAt, nextConsumer } = opened;
        const consumer = nextConsumer();
        const [kept, id] = [await idOf(consumer, one, 'kept'), await idOf(consumer, two, 'released')];
        await killAt(isStatement, (third) => consumer.release(third, id));
        expect((await consumer.show(one, id)).body.state).toBe(isCommitted === true ? 'released' : 'open');
        expect(await consumer.budget(two)).toMatchObject({ held_usd: isCommitted === true ? 0.01 : 0.02 });
        expect(await opened.wrongCaps()).toEqual([]);

        for (const gateway of [one, two])
          expect((await untilDecided(() => consumer.release(gateway, id))).status).toBe(204);
        const again = await idOf(consumer, two, 'again');
        const further = await untilDecided(() => consumer.ask(one, { key: 'further' }));
        expect(further.body).toEqual(refusalOf(consumer, { spent: 0, held: 0.02 }));

        const events = [await captureOnce(opened, consumer, kept)];
        expect((await untilDecided(() => consumer.release(one, again))).status).toBe(204);
        await expectSettled(opened, consumer, { events, amountUsd: 0.02 });
      }, 120_000);
  }),
);

function given(consumer: CappedAccount | undefined): CappedAccount {
  if (consumer === undefined) throw new Error('each test has a consumer of its own');
  return consumer;
}

/** A thousand calls at once, at three gateways in turn. */
async function expectBurst(opened: GateShape, consumer: CappedAccount, gateways: readonly [Gateway, ...Gateway[]]) {
  const [one] = gateways;
  const answers = await Promise.all(
    Array.from({ length: asked }, (_, call) => {
      const wish = { key: `call ${call}`, by: call % keys };
      return untilDecided(() => consumer.ask(gateways[call % gateways.length] ?? one, wish));
    }),
  );
  const granted = answers.filter(({ status }) => status === 201).map(({ body }) => body.id);
  const refused = answers.filter(({ status }) => status !== 201).map(({ body }) => body);
  expect([granted.length, new Set(granted).size, refused.length]).toEqual([500, 500, 500]);
  const refusal = refusalOf(consumer, { spent: 0, held: 5 });
  for (const body of refused) expect(body).toEqual(refusal);
  expect(await opened.wrongCaps()).toEqual([]);

  const events = new Set<string>();
  for (let from = 0; from < granted.length; from += batchEvents) {
    const ids = granted.slice(from, from + batchEvents);
    for (const gateway of gateways) for (const id of await captureAll(consumer, gateway, ids)) events.add(id);
  }
  expect(events.size).toBe(500);
  await expectSettled(opened, consumer, { events: [...events], amountUsd: 5 });
  const late = await untilDecided(() => consumer.ask(opened.two, { key: 'late' }));
  expect(late.body).toEqual(refusalOf(consumer, { spent: 5, held: 0 }));
}

async function idOf(consumer: CappedAccount, at: Gateway, key: string): Promise<string> {
  const answer = await untilDecided(() => consumer.ask(at, { key }));
  expect(answer).toMatchObject({ status: 201 });
  return answer.body.id;
}

/** Captures at both gateways, and returns the id of the one event. */
async function captureOnce(
  { one, two }: GateShape,
  consumer: CappedAccount,
  id: string,
  callIndex?: number,
): Promise<string> {
  const first = await untilDecided(() => consumer.capture(two, id, callIndex));
  const second = await untilDecided(() => consumer.capture(one, id, callIndex));
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(second.body.event_id).toBe(first.body.event_id);
  return first.body.event_id;
}

/** An event of which nobody knows whether it is recorded is sent again. Returns the ids of all events. */
async function captureAll(consumer: CappedAccount, at: Gateway, ids: readonly string[]): Promise<readonly string[]> {
  return eventually(async () => {
    const { results } = (await untilDecided(() => consumer.captureAll(at, ids))).body;
    const events = results.flatMap(({ event_id }) => event_id ?? []);
    expect(events).toHaveLength(ids.length);
    return events;
  }, patience);
}

interface Ended {
  /** The ids of all that was captured. */
  readonly events: readonly string[];
  readonly amountUsd: number;
}

/** Each event is counted once, its rating is what is spent, and nothing is held any more. */
async function expectSettled(opened: GateShape, consumer: CappedAccount, { events, amountUsd }: Ended): Promise<void> {
  const spent_usd = events.length / 100;
  const settled = { spent_usd, held_usd: 0, remaining_usd: amountUsd - spent_usd };
  await eventually(async () => {
    expect(await consumer.budget(opened.one)).toMatchObject(settled);
    return true;
  }, patience);
  expect(await consumer.totals()).toMatchObject({ calls: events.length, charge_usd: spent_usd });
  expect(await opened.countedEvents(consumer)).toEqual(events.toSorted());
  expect(await opened.wrongCaps()).toEqual([]);
}

/** The whole answer to a call of a cent that does not fit. */
function refusalOf({ resetsAt }: CappedAccount, { spent, held }: { spent: number; held: number }): object {
  const limit = {
    scope: 'account',
    cap_usd: spent + held,
    spent_usd: spent,
    held_usd: held,
    needed_usd: 0.01,
    resets_at: resetsAt,
  };
  return {
    type: problemTypeOf('spending_cap_reached'),
    title: 'A spending cap is reached',
    status: 402,
    detail: `The spending cap of ${spent + held} USD has no room for this call: ${spent} are spent, ${held} are held, and this call can come to 0.01. It is free again at ${resetsAt}.`,
    instance: '/v1/authorizations',
    code: 'spending_cap_reached',
    request_id: expect.any(String),
    limit,
    resets_at: resetsAt,
  };
}
