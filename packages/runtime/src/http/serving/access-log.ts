import type { Logger } from '../../logging/create-logger.ts';
import type { RequestContext } from '../requests/request-context.ts';

/** Lines per second of one operation and status. Further lines would say nothing new and cost more than the answers. */
const linesPerSecondMax = 100;

type Level = 'debug' | 'info' | 'warn';

/** The answers of one operation and status in this second. */
interface Kind {
  readonly operation: string | undefined;
  readonly status: number;
  answers: number;
}

export interface LoggedAnswer {
  readonly method: string | undefined;
  readonly status: number;
  readonly durationMs: number;
  /** All of it was handed to the system. */
  readonly isSent: boolean;
}

/** A part of the context. */
type LoggedRequest = Pick<RequestContext, 'requestId' | 'path' | 'route' | 'principal' | 'reason'>;

/**
 * Writes a line per answer. Failures and refusals are limited per second; then a line says how many were left out.
 * Successes are at level `debug`: at 25,000 requests per second a line costs more than the answer. Metrics count all.
 */
export function createAccessLog(log: Logger) {
  const thisSecond = new Map<string, Kind>();

  return function logAccess(request: LoggedRequest, { method, status, durationMs, isSent }: LoggedAnswer): void {
    const level = levelOf(status);
    if (!log.isLevelEnabled(level)) return;
    const { principal, requestId, path, route, reason } = request;
    const operation = route?.operationId;
    if (level !== 'debug' && !isWithinLimit(operation, status)) return;
    log[level](
      {
        request_id: requestId,
        method,
        path,
        operation,
        status,
        duration_ms: Math.round(durationMs * 1_000) / 1_000,
        finished: isSent,
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
