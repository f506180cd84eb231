import { pino, type DestinationStream, type Logger as PinoLogger, type LoggerOptions as PinoOptions } from 'pino';
import { trace } from '@opentelemetry/api';
import { redact, scrubLine } from './redact.ts';

export type Logger = PinoLogger;

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface LoggerOptions {
  readonly name: string;
  readonly level?: LogLevel;
  /** Default: standard output. */
  readonly destination?: DestinationStream;
}

/** Bytes that wait for standard output. If its reader stands still, further lines are dropped: they must not fill the memory. */
const waitingBytesMax = 4 * 1_024 * 1_024;

/** Writes one JSON object per line, with times in ISO UTC and without secrets: see redact.ts. */
export function createLogger({ name, level = 'info', destination }: LoggerOptions): Logger {
  const options = {
    level,
    base: { service: name },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: {
      level: (label: string) => ({ level: label }),
      bindings: redactFacts,
      log: redactFacts,
    },
    mixin: traceIds,
    serializers: { err: asItIs }, // pino's own would not recognise our plain copy of an error
    hooks: { streamWrite: scrubLine },
  };
  return destination ? pino(options, destination) : onStandardOutput(options);
}

/** When all waiting lines are written, a line says how many were dropped. */
function onStandardOutput(options: PinoOptions): Logger {
  const output = pino.destination({ dest: 1, sync: false, maxLength: waitingBytesMax });
  const log = pino(options, output);
  let dropped = 0;
  output.on('drop', () => (dropped += 1));
  output.on('drain', () => {
    if (dropped === 0) return;
    const lines = dropped;
    dropped = 0;
    log.warn({ log_lines_dropped: lines }, 'log lines were dropped: standard output was not read in time');
  });
  return log;
}

function redactFacts(facts: Record<string, unknown>): Record<string, unknown> {
  return redact(facts) as Record<string, unknown>; // an object that is no error, date or array stays an object
}

function asItIs(value: unknown): unknown {
  return value;
}

/** Where a line belongs to a trace it says to which, by the names that log viewers look for. */
function traceIds(): object {
  const at = trace.getActiveSpan()?.spanContext();
  return at === undefined ? {} : { trace_id: at.traceId, span_id: at.spanId };
}
