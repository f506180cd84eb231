import { fork } from 'node:child_process';
import { once } from 'node:events';

export interface PacedLoadOptions {
  readonly url: string;
  readonly tokens: readonly string[];
  readonly toolId: string;
  /** The body, with the marks of key and time; by default the event that all load sends. */
  readonly template?: string;
  readonly perSecond: number;
  readonly seconds: number;
  /** Before them, load of the same rate whose waits are not reported. Default: none. */
  readonly leadSeconds?: number;
  /**
   * The most connections. Default: 128. A request that is due while all are busy waits for one, and its wait counts.
   */
  readonly connectionsMax?: number;
  /**
   * The most requests that wait. Default: 2,000. A request that is due while so many wait for their answers is not
   * sent.
   */
  readonly waitingMax?: number;
}

/** The load's own process has compiled its code and opened its connections by then. */
export const leadSeconds = 1;

export interface PacedLoadResult {
  /** One for each request after the lead, from when it was due until its answer. */
  readonly waitsMs: readonly number[];
  /** How many answers of each status, or of each error where none came. */
  readonly statuses: Readonly<Record<string, number>>;
  /** When those were due that were not sent, since too many waited for their answers or for a connection. */
  readonly skippedAtSeconds: readonly number[];
  readonly seconds: number;
}

const main = new URL('paced-load-process.ts', import.meta.url).pathname;

/** Open-loop load from a process of its own: single events at an even rate, until the time is over or `enough` aborts. */
export async function runPacedLoad(options: PacedLoadOptions, enough?: AbortSignal): Promise<PacedLoadResult> {
  const child = fork(main, { serialization: 'advanced' });
  enough?.addEventListener('abort', () => child.connected && child.send('enough'), { once: true });
  const exited = once(child, 'exit');
  const disconnected = once(child, 'disconnect'); // after all that it has sent
  const answered = once(child, 'message') as Promise<[PacedLoadResult]>;
  child.send(options);
  const [result] = await Promise.race([answered, disconnected]);
  const [code] = (await exited) as [number | null];
  if (typeof result !== 'object' || result === null) throw new Error(`the load process ended with ${String(code)}`);
  return result as PacedLoadResult;
}

/** Throws unless every request was sent and recorded. */
export function refuseFailures({ statuses, skippedAtSeconds }: PacedLoadResult): void {
  if (skippedAtSeconds.length === 0 && Object.keys(statuses).join() === '201') return;
  throw new Error(`not all was recorded: ${JSON.stringify(statuses)}, ${notSent(skippedAtSeconds)}`);
}

/** Such as '267 not sent, from 301.2 to 301.3 s of the load'. */
export function notSent(atSeconds: readonly number[]): string {
  const [first, last] = [atSeconds[0], atSeconds.at(-1)];
  if (first === undefined || last === undefined) return 'all were sent';
  return `${atSeconds.length} not sent, from ${first.toFixed(1)} to ${last.toFixed(1)} s of the load`;
}
