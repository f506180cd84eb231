import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '../../logging/create-logger.ts';
import { contextOf } from '../requests/request-context.ts';

/** Lines per second of one operation and status. Further lines would say nothing new and cost more than the answers. */
const linesPerSecondMax = 100;

type Level = 'debug' | 'info' | 'warn';

/** The answers of one operation and status in this second. */
interface Kind {
  readonly operation: string | undefined;
  readonly status: number;
  answers: number;
}

/**
 * Writes a line per answer. Failures and refusals are limited per second; then a line says how many were left out.
 * Successes are at level `debug`: at 25,000 requests per second a line costs more than the answer. Metrics count all.
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
    if (level !== 'debug' && !isWithinLimit(operation, status)) return;
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

  /** Counts the answer, too. */
  function isWithinLimit(operation: string | undefined, status: number): boolean {
    if (thisSecond.size === 0) setTimeout(logLeftOut, 1_000).unref();
    const name = `${operation} ${status}`;
    let kind = thisSecond.get(name);
    if (kind === undefined) thisSecond.set(name, (kind = { operation, status, answers: 0 }));
    kind.answers += 1;
    return kind.answers <= linesPerSecondMax;
  }

  function logLeftOut(): void {
    for (const { operation, status, answers } of thisSecond.values()) {
      const leftOut = answers - linesPerSecondMax;
      if (leftOut > 0)
        log[levelOf(status)](
          { operation, status, left_out: leftOut },
          'further requests of this second are not logged one by one',
        );
    }
    thisSecond.clear();
  }
}

function levelOf(status: number): Level {
  if (status >= 500) return 'warn';
  return status >= 400 ? 'info' : 'debug';
}
