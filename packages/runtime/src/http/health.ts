import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '@tollgate/kernel/app-error';
import { within } from '../timing/within.ts';
import { createRequestId } from './request-context.ts';
import { pathOfTarget } from './request-path.ts';
import { setSecurityHeaders } from './security-headers.ts';
import { sendJson } from './send-json.ts';
import { sendProblem } from './send-problem.ts';

export interface HealthOptions {
  readonly readiness: () => Promise<Record<string, string>>;
  /** True while the listener drains: balancers must stop sending before it closes. */
  readonly isStopping: () => boolean;
}

/** Answers the request if it asks for health; else returns false. */
export type AnswerHealth = (request: IncomingMessage, response: ServerResponse) => boolean;

const readinessTimeoutMs = 2_000;

/**
 * `/livez`: this process answers. `/readyz`: everything that it needs is there; else 503 with the missing parts. A part that
 * is `degraded: …` is listed, and the process is ready all the same.
 */
export function createHealth(options: HealthOptions): AnswerHealth {
  return function answerHealth(request, response) {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false;
    const path = pathOfTarget(request.url ?? '').text;
    if (path !== '/livez' && path !== '/readyz') return false;
    response.setHeader('x-request-id', createRequestId(request)); // these two do not pass the front
    setSecurityHeaders(response);
    if (path === '/livez') sendJson(response, 200, { status: 'ok' });
    else void answerReadiness(request, response, options);
    return true;
  };
}

async function answerReadiness(
  request: IncomingMessage,
  response: ServerResponse,
  { readiness, isStopping }: HealthOptions,
): Promise<void> {
  const checks = isStopping() ? { server: 'stopping' } : await withinTime(readiness);
  const missing = Object.entries<string>(checks).flatMap(([name, check]) => (isGoodEnough(check) ? [] : [name]));
  if (missing.length === 0) sendJson(response, 200, { status: 'ok', checks });
  else
    sendProblem(
      request,
      response,
      new AppError('unavailable', `Not ready: ${missing.join(', ')}.`, { members: { checks } }),
    );
}

function isGoodEnough(check: string): boolean {
  return check === 'ok' || check.startsWith('degraded: ');
}

/** A check that hangs must not hang the probe. */
async function withinTime(readiness: HealthOptions['readiness']): Promise<Record<string, string>> {
  const checks = readiness().catch(() => ({ readiness: 'cannot tell' }));
  return within(checks, readinessTimeoutMs, () => ({ readiness: `no answer in ${readinessTimeoutMs} ms` }));
}
