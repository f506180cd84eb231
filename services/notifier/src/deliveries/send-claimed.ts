import type { Service } from '@tollgate/kernel/service';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { every } from '@tollgate/runtime/timing/every';
import { within } from '@tollgate/runtime/timing/within';

export interface SendClaimedDeps<Claimed> {
  readonly name: string;
  /** Claims what is due and may be sent beside what is on its way. */
  readonly claim: (running: readonly Claimed[]) => Promise<readonly Claimed[]>;
  /** Sends it and writes down what came of it. `stopping` ends the call. */
  readonly deliver: (claimed: Claimed, stopping: AbortSignal) => Promise<void>;
  /** Names it in the log. */
  readonly nameOf: (claimed: Claimed) => object;
  readonly log: Logger;
}

export interface SendClaimed extends Service {
  /** Looks at once for what is due. */
  announce(): void;
}

const everyMs = 1_000;
/** A stop waits so long for answers; then it ends the calls, and others send them again. */
const stopAfterMs = 5_000;

/** A claim, which a stop of the process gives back. */
interface Released {
  readonly stopping: AbortSignal;
  /** Lets anybody send it at once. */
  readonly release: () => Promise<void>;
}

/** Undefined: this process stops. The receiver may have got it, and gets it again. */
export async function sendOrRelease<Sent>(
  send: () => Promise<Sent>,
  { stopping, release }: Released,
): Promise<Sent | undefined> {
  try {
    return await send();
  } catch (error) {
    if (!stopping.aborted) throw error;
    await release();
    return undefined;
  }
}

/**
 * Sends what is due. Each is claimed, sent, and settled by the answer, each in a transaction of its own. Whoever dies between
 * two of them leaves a claim that ends by itself: it is sent again, and never lost.
 */
export function createSendClaimed<Claimed>(deps: SendClaimedDeps<Claimed>): SendClaimed {
  const { name, claim, deliver, nameOf, log } = deps;
  const running = new Map<Promise<void>, Claimed>();
  const stopping = new AbortController();
  const pump = every({ name, run: claimAndBegin, everyMs, first: 'at once', log });

  async function claimAndBegin(): Promise<void> {
    for (const claimed of await claim([...running.values()])) begin(claimed);
  }

  function begin(claimed: Claimed): void {
    const task: Promise<void> = deliver(claimed, stopping.signal)
      .catch((error: unknown) => log.warn({ ...nameOf(claimed), err: error }, `${name}: not settled; it is sent again`))
      .finally(() => {
        running.delete(task);
        pump.announce();
      });
    running.set(task, claimed);
  }

  async function stop(): Promise<void> {
    await pump.stop();
    const ended = () => Promise.all(running.keys()).then(() => undefined);
    await within(ended(), stopAfterMs, () => stopping.abort());
    await ended();
  }

  return { name, start: pump.start, stop, announce: pump.announce };
}
