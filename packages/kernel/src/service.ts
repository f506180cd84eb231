import type { IncomingMessage, ServerResponse } from 'node:http';

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
  /**
   * One entry per part that this service needs. Any text but 'ok' says why the service cannot work; `degraded: …` says
   * what it does less well meanwhile.
   */
  readiness?(): Promise<Record<string, 'ok' | string>>;
}
