import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '../logging/create-logger.ts';
import { contextOf } from './request-context.ts';

/** Of one operation and status. Thousands of the same refusal tell no more than these, and cost more than the answers. */
const linesASecondMax = 100;

type Level = 'debug' | 'info' | 'warn';

/** The answers of one operation and status in this second. */
interface Kind {
  readonly operation: string | undefined;
  readonly status: number;
  answers: number;
}

/**
 * A line an answer; of failures and refusals so many a second, then how many were left out. Successes are written at
 * `debug`: at 25,000 requests a second a line each costs more than the answer; metrics count all of them.
 */
export function createAccessLog(log: Logger) {
  const thisSecond = new Map<string, Kind>();

  return function logAccess(request: IncomingMessage, response: ServerResponse, durationMs: number): void {
    const { statusCode: status } = response;
    const level = levelOf(status);
    const context = contextOf(request);
    if (!context || !log.isLevelEnabled(level)) return;
    const { principal, requestId, path, route, reason } = context;
    const operation = route?.operationId;
    if (level !== 'debug' && !isToBeTold(operation, status)) return;
    log[level](
      {
        request_id: requestId,
        method: request.method,
        path,
        operation,
        status,
        duration_ms: Math.round(durationMs * 1_000) / 1_000,
        finished: response.writableFinished,
        ...(reason === undefined ? {} : { reason }),
        ...(principal && principal.kind !== 'operator' ? { account_id: principal.accountId } : {}),
      },
      'answered',
    );
  };

  /** Counts it. */
  function isToBeTold(operation: string | undefined, status: number): boolean {
    if (thisSecond.size === 0) setTimeout(tellLeftOut, 1_000).unref();
    const name = `${operation} ${status}`;
    let kind = thisSecond.get(name);
    if (kind === undefined) thisSecond.set(name, (kind = { operation, status, answers: 0 }));
    kind.answers += 1;
    return kind.answers <= linesASecondMax;
  }

  function tellLeftOut(): void {
    for (const { operation, status, answers } of thisSecond.values()) {
      const leftOut = answers - linesASecondMax;
      if (leftOut > 0)
        log[levelOf(status)]({ operation, status, left_out: leftOut }, 'answered so many more times in this second');
    }
    thisSecond.clear();
  }
}

function levelOf(status: number): Level {
  if (status >= 500) return 'warn';
  return status >= 400 ? 'info' : 'debug';
}
