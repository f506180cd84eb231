import type { AppError } from '@tollgate/kernel/app-error';
import { hashApiKey, isPassKey } from '@tollgate/runtime/auth/api-key-format';
import { invalidRequest } from '@tollgate/runtime/http/invalid-request';
import { refuseTool, requireUsable, type Pass } from '../passes/pass.ts';
import type { PassDirectory } from '../passes/pass-directory.ts';
import type { Tool } from '../tools/tool.ts';
import { passRefused } from './refusals.ts';

/** Who asks: an account, or a pass of it. */
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
  readonly toolId: string;
  readonly tool: Tool | undefined;
}

/** The id under which an authorization is asked for, and by which it is captured. */
export function askerIdOf({ accountId, pass }: Asker): string {
  return pass?.passId ?? accountId;
}

/**
 * Finds who pays for a call. The builder of the tool names a consumer's pass; a consumer names none, or one of its own. Throws
 * one and the same `pass_refused` for every pass that is not good for this asker, after exactly one look into PostgreSQL: a
 * second one for some of them would tell by its time which pass exists.
 */
export function createFindPayer({ passes, isSuspended }: FindPayerDeps) {
  return async function findPayer({ asker, passKey, toolId, tool }: PayerQuery): Promise<Payer> {
    if (asker.pass !== undefined) {
      if (passKey !== undefined) throw twoPasses();
      requireUsable(asker.pass);
      return allowed(asker.pass);
    }
    if (passKey === undefined) return { accountId: asker.accountId, pass: undefined };
    if (!isPassKey(passKey)) throw passRefused();
    const keyHash = hashApiKey(passKey).toString('base64');
    const known = passes.known(keyHash);
    const pass = isGood(known) ? known : await passes.lookUp(keyHash);
    if (!isGood(pass)) throw passRefused();
    return allowed(pass);

    function isGood(one: Pass | undefined): one is Pass {
      if (one === undefined || one.isPaused || isSuspended(one.accountId)) return false;
      return one.accountId === asker.accountId || tool?.ownerId === asker.accountId;
    }

    function allowed(one: Pass): Payer {
      const refusal = refuseTool(one, toolId);
      if (refusal !== undefined) throw refusal;
      return { accountId: one.accountId, pass: one };
    }
  };
}

export type FindPayer = ReturnType<typeof createFindPayer>;

function twoPasses(): AppError {
  const message = 'must be left out: the bearer is a pass already';
  return invalidRequest(`The pass ${message}.`, [{ pointer: '/pass', code: 'not_allowed', message }]);
}
