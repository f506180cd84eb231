import type { Clock } from '@tollgate/kernel/clock';

export interface HeartbeatOptions {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** Gets what is going on now, and for how many whole seconds all of it has been. */
  readonly say: (step: string, seconds: number) => void;
  readonly everyMs?: number;
}

export interface Heartbeat {
  /** Names what is going on from now on. */
  at(step: string): void;
  /** Safe to repeat. */
  stop(): void;
}

/** People take a program that is silent for 3 s for one that hangs. */
const defaultEveryMs = 2_000;
/** The program has been silent before, while Node loaded it: a second, or two on a busy machine. */
const firstAfterMs = 1_000;

/** Says again and again what is going on, so that nothing slow is silent. What ends sooner says nothing. */
export function startHeartbeat({ clock, say, everyMs = defaultEveryMs }: HeartbeatOptions): Heartbeat {
  const startedMs = clock.monotonicMs();
  let current = '';
  let timer = setTimeout(beat, Math.min(firstAfterMs, everyMs)).unref();

  function beat(): void {
    timer = setTimeout(beat, everyMs).unref();
    say(current, Math.round((clock.monotonicMs() - startedMs) / 1_000));
  }

  return {
    at(step) {
      current = step;
    },
    stop() {
      clearTimeout(timer);
    },
  };
}
