import { AppError } from '@tollgate/kernel/app-error';

export interface HeldOptions {
  readonly eventsMax: number;
  readonly bytesMax: number;
  /** Called with the new totals at each change. */
  readonly onChange: (events: number, bytes: number) => void;
}

/** The events under way into the log, and their bounds. */
export interface Held {
  hasRoomFor(events: number, bytes: number): boolean;
  add(events: number, bytes: number): void;
  remove(events: number, bytes: number): void;
}

/** One error for all refusals: at thousands per second, taking a stack is a tenth of the answer's cost. */
export const noRoom = new AppError('unavailable', 'The gateway has too many events under way; try again in a moment.', {
  retryAfterSeconds: 1,
});

export function createHeld({ eventsMax, bytesMax, onChange }: HeldOptions): Held {
  let heldEvents = 0;
  let heldBytes = 0;

  function add(events: number, bytes: number): void {
    heldEvents += events;
    heldBytes += bytes;
    onChange(heldEvents, heldBytes);
  }

  return {
    hasRoomFor: (events, bytes) => heldEvents + events <= eventsMax && heldBytes + bytes <= bytesMax,
    add,
    remove: (events, bytes) => add(-events, -bytes),
  };
}
