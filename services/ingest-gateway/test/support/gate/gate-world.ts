import { hash, randomUUID } from 'node:crypto';
import type { Price } from '@tollgate/contracts/price';
import { createDatabase, type Database } from '@tollgate/database/database';
import { toIso } from '@tollgate/kernel/clock';
import { micros } from '@tollgate/kernel/money';
import { hourMs } from '@tollgate/kernel/durations';
import { hourOf } from '@tollgate/kernel/period';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { testDatabase, type TestDatabase } from '@tollgate/testkit/postgres';
import { createGate, type Gate } from '../../../src/gate/gate.ts';
import { createSettleAccount, type SettleAccount } from '../../../src/gate/settle-account.ts';
import type { Pass } from '../../../src/passes/pass.ts';
import type { WindowKind } from '../../../src/passes/spending-window.ts';
import { insertPass, updatePass } from '../../../src/passes/sql-pass.ts';
import { changePassCap } from '../../../src/passes/sql-pass-spending.ts';
import { changeBudget } from '../../../src/gate/change-budget.ts';
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

export interface TestGate {
  readonly gate: Gate;
  readonly settle: SettleAccount;
  readonly database: Database;
}

export interface GateWorld {
  readonly database: TestDatabase;
  readonly owner: Database;
  nowMs: number;
  openGate(): TestGate;
  /** A gateway that dies at some statement; it uses the connections of the others. */
  openDyingGate(around: (database: Database) => Database): TestGate;
  addTool(versions: readonly (readonly [startMs: number | null, price: Price])[]): Promise<Tool>;
  setBudget(accountId: string, amountMicros: bigint, window: WindowKind): Promise<void>;
  /** A pass with this cap since some time before the world; undefined: without one. */
  addPass(accountId: string, cap: TestCap | undefined): Promise<Pass>;
  /** Sets the cap of a pass, as its owner does. */
  setPassCap(pass: Pass, cap: TestCap): Promise<Pass>;
  /** Counts as the aggregator does: once by id, and not at all once the watermark has passed the hold. */
  count(events: readonly LoggedEvent[]): Promise<LoggedEvent[]>;
  moveWatermark(toMs: number): Promise<void>;
  stop(): Promise<void>;
}

export interface TestCap {
  readonly amountMicros: bigint;
  readonly window: WindowKind;
}

const log = createLogger({ name: 'gate-test', level: 'silent' });

export async function createGateWorld(startMs: number): Promise<GateWorld> {
  const database = await testDatabase();
  const open = (url: string, name: string) => createDatabase({ url, name, log, maxConnections: 4 });
  const owner = open(database.ownerUrl, 'test-owner');
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
  const passed = { ms: 0 };
  const gateOn = (worker: Database): TestGate => {
    const settle = createSettleAccount(worker);
    return { gate: createGate({ database: worker, settleAccount: settle, clock, log }), settle, database: worker };
  };
  const world: GateWorld = {
    database,
    owner,
    nowMs: startMs,
    openGate: () => gateOn(openWorker()),
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
    async addPass(accountId, cap) {
      const passId = randomUUID();
      const pass = {
        passId,
        accountId,
        name: 'pass',
        toolIds: undefined,
        isPaused: false,
        tags: {},
        prefix: 'tg_pass_0000',
        lastFour: '0000',
        createdAtMs: startMs,
        expiresAtMs: undefined,
        perCallMaxMicros: undefined,
        cap: cap && { amountMicros: micros(cap.amountMicros), window: cap.window, changedAtMs: startMs - hourMs },
      };
      await owner.transaction((tx) => insertPass(tx, pass, hash('sha256', passId, 'buffer')));
      return pass;
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
    async count(events) {
      const counted: LoggedEvent[] = [];
      for (const event of events)
        if (event.holdExpiresAtMs > passed.ms && (await countOne(owner, event))) counted.push(event);
      return counted;
    },
    async moveWatermark(toMs) {
      passed.ms = Math.max(passed.ms, toMs);
      await owner.query(`insert into usage.log_topic values ('usage.events.v1', 1) on conflict do nothing`);
      await owner.query(
        `insert into usage.cursor values ('usage.events.v1', 0, 7, $1)
         on conflict (topic, partition) do update set counted_through = greatest(cursor.counted_through, excluded.counted_through)`,
        [toIso(toMs)],
      );
    },
    async stop() {
      for (const each of [...opened, owner]) await each.stop();
      await database.drop();
    },
  };
  return world;
}

/** False: its id is counted already. */
function countOne(owner: Database, event: LoggedEvent): Promise<boolean> {
  const { eventId, accountId, passId, toolId, occurredAtMs, success, durationMs, metadata } = event;
  const at = toIso(occurredAtMs);
  return owner.transaction(async (tx) => {
    await tx.query('select usage.ensure_day($1)', [at.slice(0, 10)]);
    const claimed = await tx.query(
      `insert into usage.event_key (event_id, consumer_id, body_hash, occurred_at) values ($1, $2, $3, $4)
       on conflict do nothing returning event_id`,
      [eventId, accountId, Buffer.from(event.bodyHash, 'base64url'), at],
    );
    if (claimed.length === 0) return false;
    await tx.query(
      `insert into usage.event (consumer_id, event_id, tool_id, occurred_at, received_at, success, duration_ms, metadata,
         idempotency_key, pass_id)
       values ($1, $2, $3, $4, $4, $5, $6, $7, 'key', $8)`,
      [accountId, eventId, toolId, at, success, durationMs, metadata, passId],
    );
    const row = [accountId, toolId, toIso(hourOf(occurredAtMs)), success];
    const [table, names, at7, pass] =
      passId === null ? ['rollup', '', '', []] : ['pass_rollup', ', pass_id', ', $7', [passId]];
    const columns = `consumer_id, tool_id, hour, success`;
    await tx.query(
      `insert into usage.${table} as kept (${columns}, calls, duration_ms${names}) values ($1, $2, $3, $4, $5, $6${at7})
       on conflict (${columns}${names})
       do update set calls = kept.calls + 1, duration_ms = kept.duration_ms + excluded.duration_ms`,
      [...row, 1, durationMs, ...pass],
    );
    for (const [key, amount] of Object.entries(metadata))
      await tx.query(
        `insert into usage.${table}_measure as kept (${columns}, key, total${names}) values ($1, $2, $3, $4, $5, $6${at7})
         on conflict (${columns}, key${names}) do update set total = trim_scale(kept.total + excluded.total)`,
        [...row, key, amount, ...pass],
      );
    return true;
  });
}
