import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '@tollgate/kernel/app-error';
import { toIso, type Clock } from '@tollgate/kernel/clock';
import type { Checks } from '@tollgate/kernel/service';
import type { Logger } from '../../logging/create-logger.ts';
import { within } from '../../timing/within.ts';
import { createRequestId } from '../requests/request-context.ts';
import { pathOfTarget } from '../requests/request-path.ts';
import { setSecurityHeaders } from './security-headers.ts';
import { sendJson } from '../answers/send-json.ts';
import { sendProblem } from '../answers/send-problem.ts';

export interface HealthOptions {
  readonly readiness: () => Checks;
  /** Names the parts and the reasons, which are for the operator. Else callers learn only whether it is ready. */
  readonly showsChecks: boolean;
  readonly log: Logger;
  /** The time that `/livez` says. */
  readonly clock: Pick<Clock, 'now'>;
  /** True while the listener drains: balancers must stop sending before it closes. */
  readonly isStopping: () => boolean;
}

/** Answers the request if it asks for health; else returns false. */
export type AnswerHealth = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Each check has its own time limit, so that one that hangs hides no other. */
const checkTimeoutMs = 2_000;

/**
 * `/livez`: this process answers, and which time it has. `/readyz`: everything that it needs is there; else 503. A part that is `degraded: …` is
 * listed, and the process is ready all the same. The log has a line when it stops being ready, and when it is again.
 */
export function createHealth(options: HealthOptions): AnswerHealth {
  const noteReadiness = createReadinessLog(options.log);
  return function answerHealth(request, response) {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false;
    const path = pathOfTarget(request.url ?? '').text;
    if (path !== '/livez' && path !== '/readyz') return false;
    response.setHeader('x-request-id', createRequestId(request)); // these two do not pass the front
    setSecurityHeaders(response);
    if (path === '/livez') sendJson(response, 200, { status: 'ok', now: toIso(options.clock.now()) });
    else void answerReadiness(request, response);
    return true;
  };

  async function answerReadiness(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const checks = options.isStopping() ? { server: 'stopping' } : await answersOf(options.readiness);
    const missing = Object.entries<string>(checks).flatMap(([name, check]) => (isGoodEnough(check) ? [] : [name]));
    noteReadiness(missing.length === 0, checks);
    const shown = options.showsChecks ? { checks } : {};
    if (missing.length === 0) return sendJson(response, 200, { status: 'ok', ...shown });
    const words = options.showsChecks ? `Not ready: ${missing.join(', ')}.` : 'Not ready.';
    sendProblem(request, response, new AppError('unavailable', words, { members: shown }));
  }
}

/** One line per change: probes ask every second. */
function createReadinessLog(log: Logger): (isReady: boolean, checks: Record<string, string>) => void {
  let wasReady: boolean | undefined;
  return function noteReadiness(isReady, checks) {
    if (isReady && wasReady === false) log.info({}, 'ready again');
    if (!isReady && wasReady !== false) log.warn({ checks }, 'not ready');
    wasReady = isReady;
  };
}

function isGoodEnough(check: string): boolean {
  return check === 'ok' || check.startsWith('degraded: ');
}

/** A check that hangs must not hang the probe, nor take the names of the others. */
async function answersOf(readiness: HealthOptions['readiness']): Promise<Record<string, string>> {
  const answers = Object.entries(checksOf(readiness)).map(async ([name, check]) => {
    const answer = Promise.resolve(check).catch(() => 'cannot tell');
    return [name, await within(answer, checkTimeoutMs, () => `no answer in ${checkTimeoutMs} ms`)];
  });
  return Object.fromEntries(await Promise.all(answers)) as Record<string, string>; // pairs of texts
}

function checksOf(readiness: HealthOptions['readiness']): Checks {
  try {
    return readiness();
  } catch {
    return { readiness: 'cannot tell' };
  }
}
