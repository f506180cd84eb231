import type { CreatePass, UpdatePass } from '@tollgate/contracts/spending/passes';
import type { Database, Transaction } from '@tollgate/database/database';
import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import { uuidV7 } from '@tollgate/kernel/uuid';
import type { Actor } from '@tollgate/runtime/http/requests/act';
import { createPassKey, hashApiKey, partsOfApiKey } from '@tollgate/runtime/auth/api-key-format';
import type { Micros } from '@tollgate/kernel/money';
import { requireFuture } from '@tollgate/runtime/http/requests/require-future';
import type { ToolDirectory } from '../tools/tool-directory.ts';
import { changeAudited, createAuditedChange } from './audited-change.ts';
import type { PassCap, StoredPass } from './pass.ts';
import type { PassDirectory } from './pass-directory.ts';
import { toCap, toMicros, toToolIds, type CapBody } from './pass-values.ts';
import { requireTools } from './require-tools.ts';
import { endParts } from './sql-child-pass.ts';
import { changePassCap } from './sql-pass-spending.ts';
import {
  countPasses,
  insertPass,
  lockPass,
  lockPassesOf,
  revokePass,
  rotatePass,
  updatePass,
  type PassName,
} from './sql-pass.ts';

export interface ChangePassesDeps {
  /** Connects as ingest_gateway_api, under the row-level policies of the account. */
  readonly api: Database;
  readonly tools: ToolDirectory;
  readonly directory: Pick<PassDirectory, 'refresh'>;
  readonly clock: Clock;
  /** How many live passes an account may have. */
  readonly passesMax: number;
}

interface NewPass {
  readonly accountId: string;
  readonly body: CreatePass;
  readonly by: Actor;
}

interface Rotation {
  readonly name: PassName;
  readonly graceSeconds: number;
  readonly by: Actor;
}

/** A pass with its key, of which the hash is stored. */
export interface PassWithKey {
  readonly pass: StoredPass;
  readonly key: string;
}

/**
 * Each change and its row in the audit trail are one transaction. After `update` and `revoke` this gateway knows the change at
 * once. `create` and `rotate` run in the transaction that keeps their answer, and their caller refreshes the directory.
 */
export function createChangePasses({ api, tools, directory, clock, passesMax }: ChangePassesDeps) {
  const change = createAuditedChange(api, directory);

  async function create(tx: Transaction, { accountId, body, by }: NewPass): Promise<PassWithKey> {
    await requireTools(tools, body.tools);
    const createdAtMs = clock.now();
    requireFuture(body.expires_at, createdAtMs);
    const key = createPassKey();
    const pass: StoredPass = {
      passId: uuidV7(createdAtMs),
      accountId,
      ancestorIds: [],
      name: body.name,
      toolIds: toToolIds(body.tools),
      isPaused: false,
      tags: body.tags ?? {},
      ...partsOfApiKey(key),
      createdAtMs,
      expiresAtMs: body.expires_at,
      cap: body.cap && toCap(body.cap, createdAtMs),
      perCallMaxMicros: toMicros(body.per_call_max_usd),
      approveAboveMicros: toMicros(body.approve_above_usd),
    };
    await changeAudited(tx, { action: 'pass.created', name: pass, by }, async () => {
      await lockPassesOf(tx, accountId);
      if ((await countPasses(tx, accountId)).own >= passesMax)
        throw new AppError('too_many_passes', `An account has at most ${passesMax} live passes. Revoke one first.`);
      await insertPass(tx, pass, hashApiKey(key));
    });
    return { pass, key };
  }

  async function update(name: PassName, body: UpdatePass, by: Actor): Promise<StoredPass> {
    if (body.tools !== undefined) await requireTools(tools, body.tools);
    const nowMs = clock.now();
    requireFuture(body.expires_at ?? undefined, nowMs);
    return change({ action: 'pass.changed', name, by }, async (tx) => {
      const before = await ownPass(tx, name);
      const pass = applyUpdate(before, body, nowMs);
      await updatePass(tx, pass);
      if (body.cap !== undefined) await changePassCap(tx, before, pass);
      return pass;
    });
  }

  async function rotate(tx: Transaction, { name, graceSeconds, by }: Rotation): Promise<PassWithKey> {
    const key = createPassKey();
    const nowMs = clock.now();
    const oldKeyUntilMs = nowMs + graceSeconds * 1_000;
    const pass = await changeAudited(tx, { action: 'pass.rotated', name, by }, async () => {
      const old = await ownPass(tx, name);
      await rotatePass(tx, name, { keyHash: hashApiKey(key), ...partsOfApiKey(key), oldKeyUntilMs });
      await endParts(tx, old.passId, { nowMs, untilMs: oldKeyUntilMs });
      return { ...old, ...partsOfApiKey(key) };
    });
    return { pass, key };
  }

  async function revoke(name: PassName, by: Actor): Promise<void> {
    await change({ action: 'pass.revoked', name, by }, async (tx) => {
      if (!(await revokePass(tx, name, clock.now()))) throw noSuchPass(name.passId);
    });
  }

  return { create, update, rotate, revoke };
}

export type ChangePasses = ReturnType<typeof createChangePasses>;

async function ownPass(tx: Transaction, name: PassName): Promise<StoredPass> {
  const pass = await lockPass(tx, name);
  if (pass === undefined) throw noSuchPass(name.passId);
  return pass;
}

export function noSuchPass(passId: string): AppError {
  return new AppError('not_found', `You have no live pass \`${passId}\`.`);
}

function applyUpdate(pass: StoredPass, body: UpdatePass, nowMs: number): StoredPass {
  const { name, tools, cap, expires_at: expiresAt, tags, paused } = body;
  return {
    ...pass,
    name: name ?? pass.name,
    toolIds: tools === undefined ? pass.toolIds : toToolIds(tools),
    isPaused: paused ?? pass.isPaused,
    tags: tags ?? pass.tags,
    expiresAtMs: expiresAt === undefined ? pass.expiresAtMs : (expiresAt ?? undefined),
    cap: cap === undefined ? pass.cap : capAfter(pass.cap, cap, nowMs),
    perCallMaxMicros: limitAfter(pass.perCallMaxMicros, body.per_call_max_usd),
    approveAboveMicros: limitAfter(pass.approveAboveMicros, body.approve_above_usd),
  };
}

/** A cap whose amount alone changes goes on: what was spent of its window stays counted. */
function capAfter(before: PassCap | undefined, body: CapBody | null, nowMs: number): PassCap | undefined {
  if (body === null) return undefined;
  return toCap(body, before?.window === body.window ? before.changedAtMs : nowMs);
}

function limitAfter(before: Micros | undefined, amount: bigint | null | undefined): Micros | undefined {
  return amount === undefined ? before : toMicros(amount);
}
