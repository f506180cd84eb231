/**
 * Idempotency-Key: a single effect and a single reply, however often a request comes.
 *
 * One transaction does everything, so that reply and effect exist together or not at all:
 *   1. take an advisory lock on (account, method, path, key); if another transaction has it, 409 `idempotency_in_progress`;
 *   2. look for a stored reply; for another body it is 422 `idempotency_key_reused`, for the same body the reply again;
 *   3. set a savepoint and run the effect; if it throws a 4xx, roll back to the savepoint;
 *   4. store the reply: 2xx and 4xx, but never 401 and 429 (they depend on the moment, not on the request) and never 5xx
 *      (a retry may succeed): those roll back the whole transaction.
 *
 * The migrations of `<schema>` make the table, readable and writable under a row-level policy on account_id:
 *   create table <schema>.idempotency_reply (
 *     account_id uuid not null, method text not null, path text not null, key text not null,
 *     body_hash bytea not null, status integer not null, headers jsonb not null, body jsonb not null,
 *     sealed bytea, created_at timestamptz not null, primary key (account_id, method, path, key)
 *   );  -- and an index on created_at for forgetting
 *
 * Secrets of an answer are sealed by the credential of the caller, which we do not have (we keep its hash, or nothing). So the
 * caller gets them again, and nobody who reads the database does.
 */
import { AppError } from '@tollgate/kernel/app-error';
import { dayMs } from '@tollgate/kernel/durations';
import { isErrorCode, type ErrorKind } from '@tollgate/kernel/error-codes';
import { toIso, type Clock } from '@tollgate/kernel/clock';
import type { Queryable } from '@tollgate/database/database';
import { createSealedBox, type SealedBox } from '@tollgate/kernel/sealed-box';
import { hashBody } from './body-hash.ts';
import {
  findReply,
  forgetReplies,
  storeReply,
  tryLockKey,
  type ReplyKey,
  type ReplySchema,
  type StoredReply,
} from './idempotency-store.ts';

export interface IdempotentRequest {
  readonly accountId: string;
  readonly method: string;
  readonly path: string;
  /** Undefined if the caller sent none: then the effect just runs in a transaction. */
  readonly key: string | undefined;
  /** The credential of the caller, if the effect may reply with secrets. */
  readonly credential?: string | undefined;
  /** The parsed JSON body. It is compared by value, so field order and white space do not matter. */
  readonly body: unknown;
}

export interface EffectReply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body of a replay, where `body` holds a secret that is shown once. */
  readonly replayBody?: unknown;
  /** Fields of the answer beside those of `body`, which is an object then. They are kept sealed. */
  readonly secrets?: Readonly<Record<string, string>>;
}

/** The answer. A refusal is a value, since the answer must mark a replayed refusal: see send-outcome.ts. */
export type Outcome =
  | { readonly kind: 'reply'; readonly replayed: boolean; readonly reply: EffectReply }
  | { readonly kind: 'refusal'; readonly replayed: boolean; readonly error: AppError };

/** The part of a database that is needed: ours fits, and Prisma's transactions can be wrapped to fit. */
export interface TransactionRunner<Tx extends Queryable> {
  transaction<T>(work: (tx: Tx) => Promise<T>, options?: { accountId?: string }): Promise<T>;
}

export interface Idempotency {
  /** Throws 409 (in progress), 422 (reused) and errors that are never stored. Safe to repeat with the same key. */
  run<Tx extends Queryable>(
    db: TransactionRunner<Tx>,
    request: IdempotentRequest,
    effect: (tx: Tx) => Promise<EffectReply>,
  ): Promise<Outcome>;
  /** Deletes replies that are old enough. A job calls it. Returns how many it deleted. */
  forget(db: Queryable): Promise<number>;
}

const keptMs = 2 * dayMs; // we promise a day; the second day is slack for clocks and late jobs

export function createIdempotency({
  schema,
  clock,
}: {
  readonly schema: ReplySchema;
  readonly clock: Clock;
}): Idempotency {
  async function run<Tx extends Queryable>(
    db: TransactionRunner<Tx>,
    request: IdempotentRequest,
    effect: (tx: Tx) => Promise<EffectReply>,
  ): Promise<Outcome> {
    const { accountId, method, path, key, body } = request;
    if (key === undefined) {
      const reply = await db.transaction(effect, { accountId });
      return { kind: 'reply', replayed: false, reply: withSecrets(reply, reply.secrets) };
    }
    const replyKey: ReplyKey = { accountId, method, path, key };
    const bodyHash = hashBody(body);
    return db.transaction(
      async (tx) => {
        if (!(await tryLockKey(tx, schema, replyKey))) throw inProgress();
        const stored = await findReply(tx, schema, replyKey);
        if (stored) return replay(stored, request, bodyHash);
        const outcome = await runEffect(tx, effect);
        const kept = { ...toStored(outcome), sealed: sealSecrets(outcome, request) };
        await storeReply(tx, schema, { ...replyKey, ...kept, bodyHash, createdAt: toIso(clock.now()) });
        if (outcome.kind === 'refusal') return outcome;
        return { ...outcome, reply: withSecrets(outcome.reply, outcome.reply.secrets) };
      },
      { accountId },
    );
  }

  return { run, forget: (db) => forgetReplies(db, schema, toIso(clock.now() - keptMs)) };
}

async function runEffect<Tx extends Queryable>(tx: Tx, effect: (tx: Tx) => Promise<EffectReply>): Promise<Outcome> {
  await tx.query('savepoint effect');
  try {
    return { kind: 'reply', replayed: false, reply: await effect(tx) };
  } catch (error) {
    if (!(error instanceof AppError) || !storedKinds.has(error.kind)) throw error;
    await tx.query('rollback to savepoint effect');
    return { kind: 'refusal', replayed: false, error };
  }
}

const storedKinds: ReadonlySet<ErrorKind> = new Set<ErrorKind>([
  'invalid',
  'forbidden',
  'not_found',
  'conflict',
  'unprocessable',
]);

const refusalStatus = 0; // marks a stored refusal; the error's code decides its status

function toStored(outcome: Outcome): Pick<StoredReply, 'status' | 'headers' | 'body'> {
  if (outcome.kind === 'reply') {
    const { status, headers = {}, body } = outcome.reply;
    return { status, headers, body: 'replayBody' in outcome.reply ? outcome.reply.replayBody : body };
  }
  const { code, message, errors, members } = outcome.error;
  return { status: refusalStatus, headers: {}, body: { code, message, errors, members } };
}

function replay(stored: StoredReply, request: IdempotentRequest, bodyHash: Buffer): Outcome {
  if (!stored.bodyHash.equals(bodyHash)) {
    throw new AppError('idempotency_key_reused', 'This Idempotency-Key was used with another body; use a new key.');
  }
  const { status, headers, body } = stored;
  if (status !== refusalStatus)
    return {
      kind: 'reply',
      replayed: true,
      reply: withSecrets({ status, headers, body }, openSecrets(stored, request)),
    };
  return { kind: 'refusal', replayed: true, error: fromStoredError(body as StoredError) }; // only toStored writes these
}

function withSecrets(reply: EffectReply, secrets: EffectReply['secrets']): EffectReply {
  return secrets === undefined ? reply : { ...reply, body: { ...(reply.body as object), ...secrets } }; // see EffectReply
}

function sealSecrets(outcome: Outcome, request: IdempotentRequest): Buffer | null {
  if (outcome.kind === 'refusal' || outcome.reply.secrets === undefined) return null;
  return boxOf(request).seal(JSON.stringify(outcome.reply.secrets), contextOf(request));
}

function openSecrets({ sealed }: StoredReply, request: IdempotentRequest): EffectReply['secrets'] {
  if (sealed === null) return undefined;
  const opened = boxOf(request).open(sealed, contextOf(request));
  if (opened === undefined) {
    const message =
      'This Idempotency-Key was used with another credential, which alone has the secret of its answer again.';
    throw new AppError('idempotency_key_reused', message);
  }
  return JSON.parse(opened) as EffectReply['secrets']; // only sealSecrets writes it
}

function boxOf({ credential }: IdempotentRequest): SealedBox {
  if (credential === undefined) throw new Error('a reply with secrets needs the credential of its caller');
  return createSealedBox({ secret: credential, purpose: 'reply' });
}

function contextOf({ accountId, method, path, key }: IdempotentRequest): string {
  return JSON.stringify([accountId, method, path, key]);
}

type StoredError = Pick<AppError, 'message' | 'errors' | 'members'> & { readonly code: string };

/** During an update, a newer version may have stored a code that this one does not know. Then the caller tries again. */
function fromStoredError({ code, message, errors, members }: StoredError): AppError {
  return new AppError(isErrorCode(code) ? code : 'unavailable', message, {
    ...(errors ? { errors } : {}),
    ...(members ? { members } : {}),
  });
}

function inProgress(): AppError {
  return new AppError(
    'idempotency_in_progress',
    'A request with this Idempotency-Key is still being worked on; try again soon.',
  );
}
