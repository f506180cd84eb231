import { coalesce } from '@tollgate/runtime/auth/coalesce';
import type { Service } from '@tollgate/kernel/service';
import type { Logger } from '@tollgate/runtime/logging/create-logger';

export interface RoundOptions {
  readonly name: string;
  readonly run: () => Promise<void>;
  /** What nobody has announced is found after this time: left over from before a start, or another process's. */
  readonly everyMs: number;
  readonly log: Logger;
}

export interface Round extends Service {
  /** There is something to do: at once, or right after the round that runs. Never two at a time. */
  announce(): void;
}

/** Work that is done when it is announced, and again every so often. A round that fails is followed by another. */
export function createRound({ name, run, everyMs, log }: RoundOptions): Round {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = true;
  let last: Promise<void> = Promise.resolve();
  const runOnce = coalesce(async () => {
    if (isStopped) return;
    await run().catch((error: unknown) =>
      log.warn({ round: name, err: error }, 'a round failed; the next one will do it'),
    );
  });
  const announce = (): void => {
    last = runOnce();
  };
  return {
    name,
    announce,
    async start() {
      isStopped = false;
      timer = setInterval(announce, everyMs).unref();
      announce();
    },
    async stop() {
      clearInterval(timer);
      isStopped = true;
      await last;
    },
  };
}
