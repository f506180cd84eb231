import type { IncomingMessage, ServerResponse } from 'node:http';

/** A part of the system that is started and stopped. Nothing runs before `start`, nothing is left running after `stop`. */
export interface Service {
  readonly name: string;
  /** Resolved: ready to be used. Rejected: nothing of it is left running. */
  start(): Promise<void>;
  /** Resolved: all is let go of. Safe to repeat, also when it never started. */
  stop(): Promise<void>;
  /** Answers one request. Only main.ts and standalone listen. */
  handle?(request: IncomingMessage, response: ServerResponse): void;
  /**
   * One entry a part that this service needs; anything but 'ok' says why it cannot do its work, or, as `degraded: …`,
   * what it does less well meanwhile.
   */
  readiness?(): Promise<Record<string, 'ok' | string>>;
}
