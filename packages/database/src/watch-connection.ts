import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';

const askEveryMs = 500;
/** With `askEveryMs`, listeners hear of a change within a second, and the look that they then take has time left. */
const answerWithinMs = 250;
/** A connection without an answer for this long is given up. A busy server answers late, and keeps its connections. */
const silenceMs = 4_000;

export interface WatchOptions {
  /** The connection of now; undefined while there is none. */
  readonly connection: () => pg.Client | undefined;
  /** Called while no answer comes in time, twice per second. */
  readonly onSilence: () => void;
  readonly stopped: AbortSignal;
}

/** Until stopped, asks the connection twice per second for an answer. One that is silent for too long is ended. */
export async function watchConnection({ connection, onSilence, stopped }: WatchOptions): Promise<void> {
  let asked: Promise<boolean> | undefined;

  function answersInTime(client: pg.Client): Promise<boolean> {
    asked ??= ask(client).finally(() => (asked = undefined));
    const outcome = Promise.withResolvers<boolean>();
    const timer = setTimeout(outcome.resolve, answerWithinMs, false);
    void asked.then(outcome.resolve);
    return outcome.promise.finally(() => clearTimeout(timer));
  }

  while (!stopped.aborted) {
    await wait(askEveryMs, undefined, { signal: stopped, ref: false }).catch(() => undefined);
    if (stopped.aborted) return;
    const client = connection();
    const isAlive = client !== undefined && (await answersInTime(client));
    if (!isAlive && !isStopped(stopped)) onSilence();
  }
}

/** Apart, since the compiler does not know that the signal changes during an `await`. */
function isStopped(signal: AbortSignal): boolean {
  return signal.aborted;
}

/** Whether the server answers on this connection. */
async function ask(client: pg.Client): Promise<boolean> {
  const question = { text: 'select', query_timeout: silenceMs };
  return client.query(question).then(
    () => true,
    async () => {
      await client.end().catch(() => undefined);
      return false;
    },
  );
}
