import { hash, randomBytes } from 'node:crypto';
import { AppError } from '@tollgate/kernel/app-error';
import { toIso, type Clock } from '@tollgate/kernel/clock';
import type { Database, Transaction } from '@tollgate/database/database';
import type { Actor } from '@tollgate/runtime/http/requests/act';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import { defaultOperatorToken, operatorTokenPrefix } from '@tollgate/runtime/auth/operator-check';
import { requireFuture } from '@tollgate/runtime/http/requests/require-future';
import {
  countOperatorTokens,
  findOperatorToken,
  forgetDeadOperatorToken,
  lockOperatorTokens,
  putOperatorToken,
  revokeOperatorToken,
  type OperatorToken,
} from './sql-operator-token.ts';

/** Services read all rows at each change. */
const tokensMax = 100;

export interface CreatedOperatorToken {
  readonly operatorToken: OperatorToken;
  /** Nobody sees it again: only its hash is stored. */
  readonly token: string;
}

/** The changes of the operator's tokens. Resolved: it is durable. Every service knows it within a second. */
export interface ChangeOperatorTokens {
  /**
   * Throws `operator_token_taken` while a live token has the name, `too_many_operator_tokens`, `invalid_request` for a
   * time that has passed, and `forbidden` for a token that would outlive the one that asks for it.
   */
  create(wish: { name: string; expiresAt: number | undefined }, by: Actor): Promise<CreatedOperatorToken>;
  /** Replaces the token of a live name at once; its time of expiry stays. Throws `not_found`. */
  rotate(name: string, by: Actor): Promise<CreatedOperatorToken>;
  /** False: no live token has the name. */
  revoke(name: string, by: Actor): Promise<boolean>;
}

interface Deps {
  readonly worker: Database;
  /** The clock of tokens: moving the sandbox clock must neither end nor lengthen the life of a token. */
  readonly realTime: Pick<Clock, 'now'>;
}

export function createChangeOperatorTokens({ worker, realTime }: Deps): ChangeOperatorTokens {
  /** One change at a time, so what is read is still true when it is written. */
  function change<Result>(work: (tx: Transaction, nowMs: number) => Promise<Result>): Promise<Result> {
    return worker.transaction(async (tx) => {
      await lockOperatorTokens(tx);
      return work(tx, realTime.now());
    });
  }

  return {
    create: ({ name, expiresAt }, by) =>
      change(async (tx, createdAt) => {
        requireFuture(expiresAt, createdAt);
        await requireLongerLife(tx, { expiresAt, nowMs: createdAt }, by);
        const known = await findOperatorToken(tx, name);
        refuseTaken(name, known, createdAt);
        if (!known) await makeRoom(tx, createdAt);
        const created = await put(tx, { name, createdAt, expiresAt });
        const detail = expiresAt === undefined ? undefined : { expires_at: toIso(expiresAt) };
        await recordAct(tx, by, { action: 'operator_token.created', object: objectOf(name), detail });
        return created;
      }),
    rotate: (name, by) =>
      change(async (tx, createdAt) => {
        const known = await findOperatorToken(tx, name);
        if (known ? !isLive(known, createdAt) : name !== defaultOperatorToken) throw nothingToRotate(name);
        const created = await put(tx, { name, createdAt, expiresAt: known?.expiresAt });
        await recordAct(tx, by, { action: 'operator_token.rotated', object: objectOf(name) });
        return created;
      }),
    revoke: (name, by) =>
      change(async (tx, nowMs) => {
        const known = await findOperatorToken(tx, name);
        if (known ? !isLive(known, nowMs) : name !== defaultOperatorToken) return false;
        // The row of a token that nobody has keeps OPERATOR_TOKEN from counting.
        if (!known) await put(tx, { name, createdAt: nowMs, expiresAt: undefined });
        await revokeOperatorToken(tx, name, nowMs);
        await recordAct(tx, by, { action: 'operator_token.revoked', object: objectOf(name) });
        return true;
      }),
  };
}

interface Life {
  readonly name: string;
  readonly createdAt: number;
  readonly expiresAt: number | undefined;
}

async function put(tx: Transaction, life: Life): Promise<CreatedOperatorToken> {
  const token = `${operatorTokenPrefix}${randomBytes(32).toString('base64url')}`;
  await putOperatorToken(tx, { ...life, tokenHash: hash('sha256', token, 'buffer') });
  return { operatorToken: { ...life, revokedAt: undefined }, token };
}

export function isLive({ expiresAt, revokedAt }: OperatorToken, nowMs: number): boolean {
  return revokedAt === undefined && (expiresAt === undefined || expiresAt > nowMs);
}

/** A token with an end must not become one without: who stole it would keep the platform. The command line is free. */
async function requireLongerLife(
  tx: Transaction,
  { expiresAt, nowMs }: { readonly expiresAt: number | undefined; readonly nowMs: number },
  by: Actor,
): Promise<void> {
  const asking = by.operatorName === undefined ? undefined : await findOperatorToken(tx, by.operatorName);
  if (asking === undefined) return;
  if (!isLive(asking, nowMs)) throw new AppError('unauthorized', 'The token of this request has just been revoked.');
  const end = asking.expiresAt;
  if (end === undefined || (expiresAt !== undefined && expiresAt <= end)) return;
  const message = `The token of this request expires at ${toIso(end)}. Send \`expires_at\` no later than that.`;
  throw new AppError('forbidden', message);
}

async function makeRoom(tx: Transaction, nowMs: number): Promise<void> {
  if ((await countOperatorTokens(tx)) < tokensMax || (await forgetDeadOperatorToken(tx, nowMs))) return;
  throw new AppError('too_many_operator_tokens', `There are ${tokensMax} live operator tokens. Revoke one first.`);
}

function refuseTaken(name: string, known: OperatorToken | undefined, nowMs: number): void {
  if (known ? !isLive(known, nowMs) : name !== defaultOperatorToken) return;
  const why = known ? 'is alive' : 'is OPERATOR_TOKEN of the settings';
  const message = `\`${name}\` ${why}. Take another name, or replace it with \`tollgate operator operator-token rotate ${name}\`.`;
  throw new AppError('operator_token_taken', message);
}

function nothingToRotate(name: string): AppError {
  const message = `No live operator token has the name \`${name}\`. Make one with \`tollgate operator operator-token create --name ${name}\`.`;
  return new AppError('not_found', message);
}

function objectOf(name: string) {
  return { kind: 'operator_token', id: name };
}
