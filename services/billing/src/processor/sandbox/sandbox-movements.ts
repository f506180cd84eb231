import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '@tollgate/kernel/app-error';
import { toIso, type Clock } from '@tollgate/kernel/clock';
import { onlyRow, type Database, type Transaction } from '@tollgate/database/database';
import type { ExistingMovement, MovementOrder, Movements, TimeWindow } from '../processor.ts';
import { type MovementKind, type ScriptedFailureName, takeScriptedFailure } from './scripted-failures.ts';
import { addSandboxEvent, foundRow, createSandboxId } from './sandbox-events.ts';
import { lockInSandbox } from './lock-sandbox-charge.ts';

interface SandboxMovementsOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly delayMs?: number;
}

/** The rules of the sandbox for one kind of movement. */
export interface MovementRules<Order extends MovementOrder> {
  readonly kind: MovementKind;
  readonly idPrefix: string;
  partiesOf(order: Order): MovementParties;
  /** A second subject of the order. Failures that are scripted for it also meet the order. */
  readonly alsoFor?: (tx: Transaction, order: Order, nowMs: number) => Promise<string | undefined>;
  /** Returns why the order is refused as things stand, or undefined. Runs in the transaction that carries it out. */
  refuse(tx: Transaction, order: Order, nowMs: number): Promise<string | undefined>;
  feeCentsOf(order: Order): bigint;
}

interface MovementParties {
  readonly subjectId: string;
  readonly partyId: string;
  readonly paymentMethodId?: string;
}

interface MovementRow {
  readonly object_id: string;
  readonly attempt_id: string;
  readonly subject_id: string;
  readonly party_id: string;
  readonly payment_method_id: string | null;
  readonly amount_cents: bigint;
  readonly status: 'succeeded' | 'failed';
  readonly failure_code: string | null;
  readonly fee_cents: bigint;
  readonly reverses_at: Date | null;
  readonly created_at: Date;
}

interface CarriedOut {
  readonly row: MovementRow | undefined;
  readonly failure?: ScriptedFailureName | undefined;
}

const defaultDelayMs = 5_000;
const reversedAfterMs = 3_600_000;
const pageMax = 100;

const columns = `object_id, attempt_id, subject_id, party_id, payment_method_id, amount_cents, status, failure_code,
  fee_cents, reverses_at, created_at`;

const byKeyText = `select ${columns} from sandbox.movement where idempotency_key = $1`;

const insertText = `
insert into sandbox.movement (object_id, kind, idempotency_key, attempt_id, subject_id, party_id, payment_method_id,
  amount_cents, status, failure_code, fee_cents, reverses_at, created_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
returning ${columns}`;

const ofSubjectText = `
select ${columns} from sandbox.movement where kind = $1 and subject_id = $2 order by created_at, object_id`;

const readText = `select ${columns} from sandbox.movement where kind = $1 and object_id = $2`;

const listText = `
select ${columns} from sandbox.movement
where kind = $1 and created_at >= $2 and created_at < $3 and (created_at, object_id) > ($4, $5)
order by created_at, object_id limit ${pageMax}`;

const refusedWith: Partial<Record<ScriptedFailureName, string>> = {
  decline: 'declined',
  expired_card: 'expired_card',
  authentication_required: 'authentication_required',
  insufficient_funds: 'insufficient_funds_of_platform',
};

/**
 * Creates the movements of one kind. One transaction stores a movement under its key, adds its webhook event, and uses
 * up a scripted failure.
 */
export function createSandboxMovements<Order extends MovementOrder>(
  { database, clock, delayMs = defaultDelayMs }: SandboxMovementsOptions,
  rules: MovementRules<Order>,
): Movements<Order> {
  const { kind } = rules;

  async function carryOut(tx: Transaction, order: Order): Promise<CarriedOut> {
    await lockInSandbox(tx, order.idempotencyKey); // the second of two calls with this key waits
    const [existing] = await tx.query<MovementRow>(byKeyText, [order.idempotencyKey]);
    if (existing) return { row: requireSameOrder(existing, { ...order, ...rules.partiesOf(order) }) };
    const { subjectId } = rules.partiesOf(order);
    const alsoFor = await rules.alsoFor?.(tx, order, clock.now());
    const failure = await takeScriptedFailure(tx, { kind, subjectIds: [subjectId, alsoFor ?? subjectId] });
    if (failure === 'timeout_before_effect') return { row: undefined, failure };
    const scripted = failure && refusedWith[failure];
    const refusal = scripted ?? (await rules.refuse(tx, order, clock.now()));
    return { row: await insert(tx, order, { failure, refusal }), failure };
  }

  async function insert(tx: Transaction, order: Order, { failure, refusal }: Verdict): Promise<MovementRow> {
    const now = clock.now();
    const status = refusal === undefined ? 'succeeded' : 'failed';
    const reversesAtMs = failure === 'reverse_later' && status === 'succeeded' ? now + reversedAfterMs : undefined;
    const { subjectId, partyId, paymentMethodId = null } = rules.partiesOf(order);
    const ordered = [order.idempotencyKey, order.attemptId, subjectId, partyId, paymentMethodId, order.amountCents];
    const feeCents = refusal === undefined ? rules.feeCentsOf(order) : 0n;
    const outcome = [status, refusal, feeCents, reversesAtMs && toIso(reversesAtMs), toIso(now)];
    const values = [createSandboxId(rules.idPrefix), kind, ...ordered, ...outcome];
    const row = onlyRow(await tx.query<MovementRow>(insertText, values));
    const event = { objectId: row.object_id, atMs: now };
    await addSandboxEvent(tx, { ...event, type: `${kind}.${status}` });
    if (reversesAtMs) await addSandboxEvent(tx, { ...event, type: `${kind}.reversed`, atMs: reversesAtMs });
    return row;
  }

  async function* list({ sinceMs, untilMs }: TimeWindow) {
    let last = [toIso(sinceMs), ''];
    for (;;) {
      const values = [kind, toIso(sinceMs), toIso(untilMs), ...last];
      const rows = await database.query<MovementRow>(listText, values);
      for (const row of rows) yield toMovement(row, clock.now());
      const end = rows.at(-1);
      if (!end || rows.length < pageMax) return;
      last = [end.created_at.toISOString(), end.object_id];
    }
  }

  return {
    async create(order) {
      const { row, failure } = await database.transaction((tx) => carryOut(tx, order));
      if (failure === 'delay') await wait(delayMs);
      if (!row || failure === 'timeout_after_effect') throw noAnswer();
      return toMovement(row, clock.now());
    },
    async findAll(order) {
      const { subjectId } = rules.partiesOf(order);
      const rows = await database.query<MovementRow>({ name: `sandbox-${kind}s`, text: ofSubjectText }, [
        kind,
        subjectId,
      ]);
      return rows.map((row) => toMovement(row, clock.now()));
    },
    async read(objectId) {
      const rows = await database.query<MovementRow>(readText, [kind, objectId]);
      return toMovement(foundRow(rows, objectId), clock.now());
    },
    list,
  };
}

interface Verdict {
  readonly failure: ScriptedFailureName | undefined;
  readonly refusal: string | undefined;
}

function requireSameOrder(row: MovementRow, order: MovementOrder & MovementParties): MovementRow {
  const { attemptId, amountCents, subjectId, partyId, paymentMethodId = null } = order;
  const ordered = [attemptId, amountCents, subjectId, partyId, paymentMethodId];
  const stored = [row.attempt_id, row.amount_cents, row.subject_id, row.party_id, row.payment_method_id];
  if (ordered.every((value, at) => value === stored[at])) return row;
  throw new AppError('idempotency_key_reused', 'This key was used for another order.');
}

function toMovement(row: MovementRow, nowMs: number): ExistingMovement {
  const isReversed = row.reverses_at !== null && row.reverses_at.getTime() <= nowMs;
  return {
    objectId: row.object_id,
    attemptId: row.attempt_id,
    partyId: row.party_id,
    amountCents: row.amount_cents,
    currency: 'usd',
    returnedCents: isReversed ? row.amount_cents : 0n,
    status: isReversed ? 'reversed' : row.status,
    failureCode: row.failure_code ?? undefined,
    feeCents: row.fee_cents,
    createdAtMs: row.created_at.getTime(),
  };
}

function noAnswer(): AppError {
  return new AppError('processor_unavailable', 'The processor did not answer in time.');
}
