import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { every } from '@tollgate/runtime/timing/every';
import { within } from '@tollgate/runtime/timing/within';
import type { Service } from '@tollgate/kernel/service';
import type { EventLogReader } from './event-log.ts';

export interface LogWatchOptions {
  readonly probe: NonNullable<EventLogReader['probe']>;
  readonly topic: string;
  readonly log: Pick<Logger, 'warn'>;
  onLook(isThere: boolean): void;
}

const lookEveryMs = 5_000;
const answersWithinMs = 3_000;

/** Asks the log whether it answers. So a log that is away is known while nobody appends, and while nothing comes to read. */
export function createLogWatch({ probe, topic, log, onLook }: LogWatchOptions): Service {
  let asked: Promise<boolean> | undefined;

  /** A question that hangs is not put again: its late answer is the next look's. */
  async function look(): Promise<void> {
    asked ??= probe(topic).then(
      () => true,
      () => false,
    );
    const answer = asked;
    void answer.then(() => asked === answer && (asked = undefined));
    onLook(await within(answer, answersWithinMs, () => false));
  }

  return every({ name: 'log-watch', everyMs: lookEveryMs, first: 'at once', log, run: look });
}
