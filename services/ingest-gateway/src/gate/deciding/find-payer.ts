import type { AppError } from '@tollgate/kernel/app-error';
import { hashApiKey, isPassKey } from '@tollgate/runtime/auth/api-key-format';
import { invalidRequest } from '@tollgate/runtime/http/requests/invalid-request';
import type { Pass } from '../../passes/pass.ts';
import type { PassDirectory } from '../../passes/pass-directory.ts';
import type { Tool } from '../../tools/tool.ts';
import { passRefused } from './refusals.ts';

/** The asker: an account, or a pass of it. */
export interface Asker {
  readonly accountId: string;
  readonly pass: Pass | undefined;
}

/** The account that pays, and the pass by which it consents. */
export interface Payer {
  readonly accountId: string;
  readonly pass: Pass | undefined;
}

export interface FindPayerDeps {
  readonly passes: Pick<PassDirectory, 'known' | 'lookUp'>;
  readonly isSuspended: (accountId: string) => boolean;
}

export interface PayerQuery {
  readonly asker: Asker;
  readonly passKey: string | undefined;
  readonly tool: Tool | undefined;
  readonly nowMs: number;
}

/** The id under which an authorization is asked for, and by which it is captured. */
export function askerIdOf({ accountId, pass }: Asker): string {
  return pass?.passId ?? accountId;
}

/** Whether the pass can be used by this asker: its owner, its bearer, or the builder of the tool. */
export function isGoodPass(pass: Pass, { asker, tool, nowMs }: Omit<PayerQuery, 'passKey'>): boolean {
  if (pass.isPaused || (pass.expiresAtMs !== undefined && nowMs >= pass.expiresAtMs)) return false;
  return pass.accountId === asker.accountId || tool?.ownerId === asker.accountId;
}

/**
 * Finds who pays for a call. The builder of the tool names a consumer's pass; a consumer names none, or one of its own. Throws
 * one and the same `pass_refused` for every pass that is not good for this asker, after exactly one look into PostgreSQL: a
 * second one for some of them would tell by its time which pass exists.
 */
export function createFindPayer({ passes, isSuspended }: FindPayerDeps) {
  return async function findPayer({ passKey, ...query }: PayerQuery): Promise<Payer> {
    const { asker } = query;
    if (asker.pass !== undefined && passKey !== undefined) throw twoPasses();
    if (passKey === undefined) return asker;
    if (!isPassKey(passKey)) throw passRefused(query.nowMs);
    const keyHash = hashApiKey(passKey).toString('base64');
    const known = passes.known(keyHash);
    const pass = isGood(known) ? known : await passes.lookUp(keyHash);
    if (!isGood(pass)) throw passRefused(query.nowMs);
    return { accountId: pass.accountId, pass };

    function isGood(one: Pass | undefined): one is Pass {
      return one !== undefined && !isSuspended(one.accountId) && isGoodPass(one, query);
    }
  };
}

export type FindPayer = ReturnType<typeof createFindPayer>;

function twoPasses(): AppError {
  const message = 'must be left out: the bearer is a pass already';
  return invalidRequest(`The pass ${message}.`, [{ pointer: '/pass', code: 'not_allowed', message }]);
}
