import type { AppError } from '@tollgate/kernel/app-error';
import type { SpendingToken } from '@tollgate/runtime/auth/spending-token-check';
import { invalidRequest } from '@tollgate/runtime/http/requests/invalid-request';
import type { Pass } from '../../passes/pass.ts';
import type { NamePass } from '../../passes/named-pass.ts';
import type { Tool } from '../../tools/tool.ts';
import { notOfResource, passRefused } from './refusals.ts';

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
  readonly namePass: NamePass;
  readonly isSuspended: (accountId: string) => boolean;
}

export interface PayerQuery {
  readonly asker: Asker;
  /** The key of a pass, or an access token of OAuth, which is a pass at the server of one resource. */
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
export function createFindPayer({ namePass, isSuspended }: FindPayerDeps) {
  return async function findPayer({ passKey, ...query }: PayerQuery): Promise<Payer> {
    const { asker, nowMs } = query;
    if (asker.pass !== undefined && passKey !== undefined) throw twoPasses();
    if (passKey === undefined) return asker;
    const named = await namePass(passKey);
    if (named === undefined) throw passRefused(nowMs);
    const { token, known } = named;
    if (token !== undefined && !isAtResource(token, query)) throw notOfResource(token.resource);
    const pass = isGood(known) ? known : await named.lookUp();
    if (!isGood(pass)) throw passRefused(nowMs);
    return { accountId: pass.accountId, pass };

    function isGood(one: Pass | undefined): one is Pass {
      return one !== undefined && !isSuspended(one.accountId) && isGoodPass(one, query);
    }
  };
}

export type FindPayer = ReturnType<typeof createFindPayer>;

/** A token opens the tools of the server for which it was made, and for that server's builder alone. */
function isAtResource({ resource }: SpendingToken, { asker, tool }: Omit<PayerQuery, 'passKey'>): boolean {
  return tool?.resource === resource && tool.ownerId === asker.accountId;
}

function twoPasses(): AppError {
  const message = 'must be left out: the bearer is a pass already';
  return invalidRequest(`The pass ${message}.`, [{ pointer: '/pass', code: 'not_allowed', message }]);
}
