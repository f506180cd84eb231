import { AppError } from '@tollgate/kernel/app-error';
import { minuteMs } from '@tollgate/kernel/durations';
import type { Clock } from '@tollgate/kernel/clock';
import type { Queryable } from '@tollgate/database/database';
import type { AuditAction } from '@tollgate/contracts/operator/audit';
import type { Act, Actor } from '@tollgate/runtime/http/requests/act';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import { createMemoryRateLimiter } from '@tollgate/runtime/limits/memory-rate-limiter';
import type { SignInCredentials } from './begin-session.ts';
import { findAccountByEmail } from './sql-account.ts';

interface Deps {
  readonly worker: Queryable;
  readonly clock: Clock;
}

/**
 * The trail is kept for ever, so strangers must not fill it. Of all refused tries this process writes so many per minute,
 * and metrics count the others. The bound is one for all: what a refusal costs must not tell whether the e-mail is known.
 */
const refusalsPerMinute = 600;

const refusals = [
  'invalid_credentials',
  'account_suspended',
  'second_factor_required',
  'invalid_second_factor',
] as const;

type Change<Request, Result> = (request: Request, by: Actor) => Promise<Result>;

export type RecordRefusals = ReturnType<typeof createRecordRefusals>;

/** Adds the rows of tries that were refused: there is no transaction whose row they could be. */
export function createRecordRefusals({ worker, clock }: Deps) {
  const limiter = createMemoryRateLimiter({ limit: refusalsPerMinute, windowMs: minuteMs }, clock);

  async function record(error: unknown, by: Actor, toAct: () => Promise<Act>): Promise<void> {
    const code = refusals.find((each) => error instanceof AppError && error.code === each);
    if (code === undefined || !limiter.admit('all').isAdmitted) return;
    const act = await toAct();
    await recordAct(worker, by, { ...act, result: 'refused', detail: { code } });
  }

  return {
    /** The row names the account if there is one. It never has the e-mail: people type passwords into that field. */
    ofSignIn<Credentials extends SignInCredentials, Result>(signIn: Change<Credentials, Result>) {
      return async function signInOrRecord(credentials: Credentials, by: Actor): Promise<Result> {
        return signIn(credentials, by).catch(async (error: unknown) => {
          await record(error, by, async () => {
            const accountId = (await findAccountByEmail(worker, credentials.email))?.accountId;
            return { action: 'account.signed_in', accountId, object: { kind: 'account', id: accountId } };
          });
          throw error;
        });
      };
    },
    /** A change that an account makes of its own credentials. */
    ofChange<Request extends { readonly accountId: string }, Result>(
      action: AuditAction,
      change: Change<Request, Result>,
    ) {
      return async function changeOrRecord(request: Request, by: Actor): Promise<Result> {
        return change(request, by).catch(async (error: unknown) => {
          const { accountId } = request;
          const object = { kind: 'account', id: accountId };
          await record(error, by, async () => ({ action, accountId, object }));
          throw error;
        });
      };
    },
  };
}
