import { hash, randomUUID } from 'node:crypto';
import type { Price } from '@tollgate/contracts/tools/price';
import { createDatabase, type Database, type Transaction } from '@tollgate/database/database';
import { toIso } from '@tollgate/kernel/clock';
import { micros } from '@tollgate/kernel/money';
import { hourMs } from '@tollgate/kernel/durations';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { testDatabase, type TestDatabase } from '@tollgate/testkit/postgres';
import { createFillBalances } from '../../../src/gate/caps/balance-caps.ts';
import type { CreditRules } from '../../../src/gate/deciding/credit-rules.ts';
import { createGate, type Gate } from '../../../src/gate/gate.ts';
import type { AccountToSettle } from '../../../src/gate/settling/read-settlement-facts.ts';
import { createSettleAccounts, type SettleAccounts } from '../../../src/gate/settling/settle-accounts.ts';
import { withAncestors, type Pass } from '../../../src/passes/pass.ts';
import type { WindowKind } from '../../../src/passes/spending-window.ts';
import { insertPass, updatePass } from '../../../src/passes/sql-pass.ts';
import { changePassCap } from '../../../src/passes/sql-pass-spending.ts';
import { changeBudget } from '../../../src/gate/caps/change-budget.ts';
import { createToolDirectory } from '../../../src/tools/tool-directory.ts';
import type { Tool } from '../../../src/tools/tool.ts';

/** A record of the log, as far as counting needs it. */
export interface LoggedEvent {
  readonly eventId: string;
  readonly accountId: string;
  readonly passId: string | null;
  readonly toolId: string;
  readonly bodyHash: string;
  readonly occurredAtMs: number;
  readonly holdExpiresAtMs: number;
  readonly success: boolean;
  readonly durationMs: number;
  readonly metadata: Readonly<Record<string, string>>;
}

export type WorldRules = Omit<CreditRules, 'refusesPastDue'>;

/** Accounts that do not wish for a cap of their balance have none. */
export const prepaid: WorldRules = { consumerCredit: 'prepaid', allowanceMicros: undefined };

/** Nobody has a payment method who has not set one up. */
export const withAllowance: WorldRules = { consumerCredit: 'postpaid', allowanceMicros: micros(500_000n) };

export interface TestGate {
  readonly gate: Gate;
  readonly settleAccounts: SettleAccounts;
  /** Settles one account. */
  readonly settle: (of: AccountToSettle & { readonly nowMs: number }) => Promise<readonly string[]>;
  readonly database: Database;
}

export interface GateWorld {
  readonly database: TestDatabase;
  readonly owner: Database;
  /** The rules of its gates, if they are opened with no others. */
  readonly rules: WorldRules;
  nowMs: number;
  openGate(rules?: WorldRules): TestGate;
  /** A gateway that dies at some statement; it uses the connections of the others. */
  openDyingGate(around: (database: Database) => Database): TestGate;
  addTool(versions: readonly (readonly [startMs: number | null, price: Price])[]): Promise<Tool>;
  setBudget(accountId: string, amountMicros: bigint, window: WindowKind): Promise<void>;
  /** A pass with this cap since some time before the world; undefined: without one. With a parent it is a child of it. */
  addPass(accountId: string, cap: TestCap | undefined, parent?: Pass): Promise<Pass>;
  /** Sets the cap of a pass, as its owner does. */
  setPassCap(pass: Pass, cap: TestCap): Promise<Pass>;
  /** Counts as the aggregator does: once by id, and not at all once the watermark has passed the hold. */
  count(events: readonly LoggedEvent[]): Promise<LoggedEvent[]>;
  moveWatermark(toMs: number): Promise<void>;
  /** The sums of its only cap, where it has one. */
  capOf(ownerId: string): Promise<{ readonly spent: bigint; readonly held: bigint } | undefined>;
  /** Every write, ever, that left the cap of an account or a pass with more than it allows. */
  capsExceeded(): Promise<string[]>;
  stop(): Promise<void>;
}

export interface TestCap {
  readonly amountMicros: bigint;
  readonly window: WindowKind;
}

const log = createLogger({ name: 'gate-test', level: 'silent' });

export async function createGateWorld(startMs: number, rules: WorldRules = prepaid): Promise<GateWorld> {
  const database = await testDatabase();
  const open = (url: string, name: string) => createDatabase({ url, name, log, maxConnections: 4, isPipelined: true });
  const owner = open(database.ownerUrl, 'test-owner');
  // Nothing here loses its power, so no commit waits for the disk.
  await owner.query(`alter database ${database.name} set synchronous_commit to off`);
  await owner.query(watchText);
  const opened: Database[] = [];
  const openWorker = (): Database => {
    const worker = open(database.urlFor('ingest_gateway_worker'), `gate-${opened.length}`);
    opened.push(worker);
    return worker;
  };
  const clock = { now: () => world.nowMs, monotonicMs: () => world.nowMs };
  const reader = openWorker();
  const notifications = { on: () => undefined };
  const tools = createToolDirectory({ database: reader, notifications, clock, log, toolsMax: 1_000 });
  const gateOn = (worker: Database, of: WorldRules = rules): TestGate => {
    const settleAccounts = createSettleAccounts(worker);
    const fillBalances = createFillBalances(of);
    const gate = createGate({ database: worker, settleAccounts, fillBalances, clock, log });
    return { gate, settleAccounts, settle: ({ nowMs, ...of }) => settleAccounts([of], nowMs), database: worker };
  };
  const world: GateWorld = {
    database,
    owner,
    rules,
    nowMs: startMs,
    openGate: (of) => gateOn(openWorker(), of),
    openDyingGate: (around) => gateOn(around(reader)),
    async addTool(versions) {
      const toolId = `tool-${randomUUID().slice(0, 8)}`;
      await owner.query(`insert into billing.tool (tool_id, owner_id, name, created_at) values ($1, $2, 'Tool', $3)`, [
        toolId,
        randomUUID(),
        toIso(startMs),
      ]);
      for (const [fromMs, price] of versions)
        await owner.query(
          `insert into billing.tool_price (price_id, tool_id, price, measures, effective_from, created_at)
           values ($1, $2, $3, $4, $5, $6)`,
          [randomUUID(), toolId, price, ['tokens'], fromMs === null ? null : toIso(fromMs), toIso(startMs)],
        );
      const tool = await tools.lookUp(toolId);
      if (tool === undefined) throw new Error('the tool was not stored');
      return tool;
    },
    setBudget: (accountId, amountMicros, window) =>
      changeBudget(reader, {
        accountId,
        amountMicros: micros(amountMicros),
        window,
        alerts: [50, 100],
        changedAtMs: world.nowMs,
      }),
    async addPass(accountId, cap, parent) {
      const passId = randomUUID();
      const ancestors = parent === undefined ? [] : [...parent.ancestors, parent];
      const pass = {
        passId,
        accountId,
        ancestorIds: ancestors.map((one) => one.passId),
        name: 'pass',
        toolIds: undefined,
        isPaused: false,
        tags: {},
        prefix: 'tg_pass_0000',
        lastFour: '0000',
        createdAtMs: startMs,
        expiresAtMs: undefined,
        perCallMaxMicros: undefined,
        approveAboveMicros: undefined,
        cap: cap && { amountMicros: micros(cap.amountMicros), window: cap.window, changedAtMs: startMs - hourMs },
      };
      await owner.transaction((tx) => insertPass(tx, pass, hash('sha256', passId, 'buffer')));
      return withAncestors(pass, ancestors);
    },
    async setPassCap(pass, { amountMicros, window }) {
      const before = pass.cap?.window === window ? pass.cap.changedAtMs : undefined;
      const cap = { amountMicros: micros(amountMicros), window, changedAtMs: before ?? world.nowMs };
      const changed = { ...pass, cap };
      await owner.transaction(async (tx) => {
        await updatePass(tx, changed);
        await changePassCap(tx, pass, changed);
      });
      return changed;
    },
    count: (events) => countAll(owner, events),
    async moveWatermark(toMs) {
      await owner.query(`insert into usage.log_topic values ('usage.events.v1', 1) on conflict do nothing`);
      await owner.query(
        `insert into usage.cursor values ('usage.events.v1', 0, 7, $1)
         on conflict (topic, partition) do update set counted_through = greatest(cursor.counted_through, excluded.counted_through)`,
        [toIso(toMs)],
      );
    },
    async capOf(ownerId) {
      const text = 'select spent_micros as spent, held_micros as held from gate.cap_state where owner_id = $1';
      return (await owner.query<{ spent: bigint; held: bigint }>(text, [ownerId]))[0];
    },
    async capsExceeded() {
      const rows = await owner.query<{ what: string }>('select what from test_exceeded order by what');
      return rows.map(({ what }) => what);
    },
    async stop() {
      for (const each of [...opened, owner]) await each.stop();
      await database.drop();
    },
  };
  return world;
}

const watchText = `
create table test_exceeded (what text not null);
create function note_exceeded() returns trigger language plpgsql security definer set search_path = public as $$
begin
  insert into test_exceeded select format('%s has spent %s and holds %s of %s', new.owner_id, new.spent_micros, new.held_micros, new.cap_micros);
  return null;
end $$;
create trigger note_exceeded after insert or update on gate.cap_state for each row
  when (new.spent_micros + new.held_micros > new.cap_micros and new.scope in ('account', 'pass')) execute function note_exceeded()`;

const countText = (table: string, names: string): string => `
with incoming as materialized (
  select distinct on (event_id) * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::timestamptz[], $6::boolean[],
    $7::bigint[], $8::jsonb[], $9::uuid[]) with ordinality
    as t (event_id, consumer_id, body_hash, tool_id, occurred_at, success, duration_ms, metadata, pass_id, place)
  order by event_id, place
), claimed as (
  insert into usage.event_key (event_id, consumer_id, body_hash, occurred_at)
  select event_id, consumer_id, decode(body_hash, 'base64'), occurred_at from incoming on conflict do nothing returning event_id
), fresh as (
  insert into usage.event (consumer_id, event_id, tool_id, occurred_at, received_at, success, duration_ms, metadata,
    idempotency_key, pass_id)
  select consumer_id, event_id, tool_id, occurred_at, occurred_at, success, duration_ms, metadata, 'key', pass_id
  from incoming where event_id in (select event_id from claimed)
  returning *, date_trunc('hour', occurred_at, 'UTC') as hour
), rolled as (
  insert into usage.${table} as kept (consumer_id, tool_id, hour, success, calls, duration_ms${names})
  select consumer_id, tool_id, hour, success, count(*), sum(duration_ms)${names} from fresh group by consumer_id, tool_id, hour, success${names}
  on conflict (consumer_id, tool_id, hour, success${names})
  do update set calls = kept.calls + excluded.calls, duration_ms = kept.duration_ms + excluded.duration_ms
), measured as (
  insert into usage.${table}_measure as kept (consumer_id, tool_id, hour, success, key, total${names})
  select consumer_id, tool_id, hour, success, key, sum(value::numeric)${names} from fresh cross join lateral jsonb_each_text(metadata)
  group by consumer_id, tool_id, hour, success, key${names}
  on conflict (consumer_id, tool_id, hour, success, key${names}) do update set total = trim_scale(kept.total + excluded.total)
)
select place::int from incoming where event_id in (select event_id from claimed)`;

/** Returns those whose ids were not counted before. The watermark stands still meanwhile, as in a flush of the aggregator. */
async function countAll(owner: Database, all: readonly LoggedEvent[]): Promise<LoggedEvent[]> {
  if (all.length === 0) return [];
  return owner.transaction(async (tx) => {
    const [cursor] = await tx.query<{ counted_through: Date }>('select counted_through from usage.cursor for update');
    const events = all.filter(({ holdExpiresAtMs }) => holdExpiresAtMs > (cursor?.counted_through.getTime() ?? 0));
    for (const day of new Set(events.map(({ occurredAtMs }) => toIso(occurredAtMs).slice(0, 10))))
      await tx.query('select usage.ensure_day($1)', [day]);
    const [withPass, without] = [
      events.filter(({ passId }) => passId !== null),
      events.filter(({ passId }) => passId === null),
    ];
    const countedWithPass = await countInto(tx, withPass, countText('pass_rollup', ', pass_id'));
    return [...countedWithPass, ...(await countInto(tx, without, countText('rollup', '')))];
  });
}

async function countInto(tx: Transaction, events: readonly LoggedEvent[], text: string): Promise<LoggedEvent[]> {
  const rows = await tx.query<{ place: number }>(text, [
    events.map(({ eventId }) => eventId),
    events.map(({ accountId }) => accountId),
    events.map(({ bodyHash }) => Buffer.from(bodyHash, 'base64url').toString('base64')),
    events.map(({ toolId }) => toolId),
    events.map(({ occurredAtMs }) => toIso(occurredAtMs)),
    events.map(({ success }) => success),
    events.map(({ durationMs }) => durationMs),
    events.map(({ metadata }) => JSON.stringify(metadata)),
    events.map(({ passId }) => passId),
  ]);
  return rows.flatMap(({ place }) => events[place - 1] ?? []);
}
