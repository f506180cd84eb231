import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * The state of each part that a service needs, by the part's name; a promise where somebody else has to be asked. Any text
 * but 'ok' says why the service cannot work; `degraded: …` says what it does less well meanwhile.
 */
export type Checks = Readonly<Record<string, string | Promise<string>>>;

/** A part of the system that is started and stopped. Nothing runs before `start` or after `stop`. */
export interface Service {
  readonly name: string;
  /**
   * Resolved: the service is ready. Rejected: nothing of it runs. `stopping` ends a wait for something that is not there
   * yet: nobody needs the service any more.
   */
  start(stopping?: AbortSignal): Promise<void>;
  /** Resolved: it has released everything. Safe to repeat, and without a start. */
  stop(): Promise<void>;
  /** Answers one request. Only main.ts and standalone listen. */
  handle?(request: IncomingMessage, response: ServerResponse): void;
  /** Names all parts at once, also those that may never answer: so a check that hangs is known by its name. */
  readiness?(): Checks;
}
