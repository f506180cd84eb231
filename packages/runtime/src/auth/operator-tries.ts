/**
 * Throttles guesses at the operator's tokens, by the address that sends them. Wrong tokens count, right ones do not. After
 * too many wrong ones the address waits, also with a right token: an answer to it would be an answer to the guess. Another
 * address is not touched. A try takes its place before it is judged and gives it back if it was right, so tries that come at
 * once are counted exactly. What counts as a try: any bearer token at the operator's routes, and elsewhere one that is
 * compared with the operator's tokens, because the answer tells a right one there too.
 */
import type { IncomingMessage } from 'node:http';
import type { Queryable } from '@tollgate/database/database';
import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import { minuteMs } from '@tollgate/kernel/durations';
import { actorOf } from '../audit/actor-of.ts';
import { recordAct } from '../audit/record-act.ts';
import { clientAddressOf, routeOf } from '../http/requests/request-context.ts';
import { createMemoryRateLimiter } from '../limits/memory-rate-limiter.ts';
import { networkOf } from '../limits/network-of.ts';
import type { Logger } from '../logging/create-logger.ts';
import { tokenOf } from './bearer-token.ts';
import type { OperatorCheck } from './operator-check.ts';
import type { Principal } from '../http/requests/principal.ts';
import { DeadOperatorToken } from './token-refusals.ts';

/** Throws, or rejects, as `judge` does. Throws `rate_limit_exceeded` for a try from an address with too many wrong ones. */
export type JudgeTry = (request: IncomingMessage, judge: Judge) => Principal | Promise<Principal>;

type Judge = () => Principal | Promise<Principal>;

interface Deps extends Pick<OperatorCheck, 'isCandidate'> {
  /** Connects as a worker role that may write these rows of the audit trail. */
  readonly db: Queryable;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly log: Logger;
  readonly wrongPerMinute: number;
}

/** The trail is kept for ever, so strangers must not fill it. The access log counts the others. */
const rowsPerMinute = 100;

export function createJudgeTry({ db, clock, log, wrongPerMinute, isCandidate }: Deps): JudgeTry {
  const wrong = createMemoryRateLimiter({ limit: wrongPerMinute, windowMs: minuteMs }, clock);
  const rows = createMemoryRateLimiter({ limit: rowsPerMinute, windowMs: minuteMs }, clock);

  function isTry(request: IncomingMessage): boolean {
    const token = tokenOf(request.headers.authorization);
    return token !== undefined && (isCandidate(token) || routeOf(request).access === 'operator');
  }

  /** The answer is 401 whether or not the row can be written. */
  async function record(request: IncomingMessage, error: AppError): Promise<void> {
    const id = error instanceof DeadOperatorToken ? error.tokenName : undefined;
    const detail = { code: error instanceof DeadOperatorToken ? error.fate : 'unknown' };
    const act = {
      action: 'operator_token.used',
      result: 'refused',
      object: { kind: 'operator_token', id },
      detail,
    } as const;
    await recordAct(db, actorOf(request), act).catch((err: unknown) =>
      log.warn({ err }, 'could not record a wrong operator token'),
    );
  }

  return function judgeTry(request, judge) {
    if (!isTry(request)) return judge();
    const network = networkOf(clientAddressOf(request));
    const { isAdmitted, waitMs } = wrong.admit(network);
    if (!isAdmitted) throw tooManyWrong(waitMs);
    const right = (principal: Principal): Principal => {
      wrong.takeBack(network);
      return principal;
    };
    const refused = async (error: unknown): Promise<never> => {
      if (!(error instanceof AppError && error.code === 'unauthorized')) wrong.takeBack(network);
      else if (rows.admit('all').isAdmitted) await record(request, error);
      throw error;
    };
    try {
      const found = judge();
      return found instanceof Promise ? found.then(right, refused) : right(found);
    } catch (error) {
      return refused(error);
    }
  };
}

function tooManyWrong(waitMs: number): AppError {
  const message = 'Too many wrong operator tokens came from this address. Wait before the next.';
  return new AppError('rate_limit_exceeded', message, { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) });
}
