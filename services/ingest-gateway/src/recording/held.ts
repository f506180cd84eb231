import { AppError } from '@tollgate/kernel/app-error';

export interface HeldOptions {
  readonly eventsMax: number;
  readonly bytesMax: number;
  /** Told what is held whenever it changes. */
  readonly onChange: (events: number, bytes: number) => void;
}

/** What is on its way into the log, and how much of it there may be. */
export interface Held {
  hasRoomFor(events: number, bytes: number): boolean;
  add(events: number, bytes: number): void;
  remove(events: number, bytes: number): void;
}

/** One for all: its stack tells nothing, and at thousands a second taking it is a tenth of the answer's cost. */
export const noRoom = new AppError(
  'unavailable',
  'The gateway holds as many events as it may; try again in a moment.',
  { retryAfterSeconds: 1 },
);

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
