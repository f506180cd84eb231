import { pino, type DestinationStream, type Logger as PinoLogger } from 'pino';
import { redact, scrubLine } from './redact.ts';

export type Logger = PinoLogger;

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface LoggerOptions {
  readonly name: string;
  readonly level?: LogLevel;
  /** Standard output if not given. */
  readonly destination?: DestinationStream;
}

/** One JSON object a line, times in ISO UTC, no secrets: see redact.ts. */
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
    serializers: { err: asItIs }, // pino's own would read our plain copy of an error as something else
    hooks: { streamWrite: scrubLine },
  };
  return destination ? pino(options, destination) : pino(options);
}

function redactFacts(facts: Record<string, unknown>): Record<string, unknown> {
  return redact(facts) as Record<string, unknown>; // an object that is no error, date or array stays an object
}

function asItIs(value: unknown): unknown {
  return value;
}
