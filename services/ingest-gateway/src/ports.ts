import type { UncountedReading } from '@tollgate/event-log/event-log';
import type { FirstEvent } from './replies/judge-repeat.ts';
import type { Tool } from './tools/tool.ts';

export interface ToolDirectory {
  /** From memory, at most a second behind while PostgreSQL can be reached. */
  known(toolId: string): Tool | undefined;
  /** Asks PostgreSQL, by a read that begins after the call; undefined: there is none. Rejects with `unavailable`. */
  lookUp(toolId: string): Promise<Tool | undefined>;
}

export interface CountedKeys {
  /** Of these event ids, those that were counted with a key. May reject: then nothing is known. Safe to repeat. */
  find(eventIds: readonly string[]): Promise<ReadonlyMap<string, FirstEvent>>;
}

/** The first answers of all gateways. */
export interface ReplyCache {
  find(question: CachedReplyQuestion): void;
  /** The first one stays. Tells when all gateways can find it, or, in a moment, that they cannot for now. Never fails. */
  save(eventId: string, first: FirstEvent, onDone: () => void): void;
  /** Resolves once nothing is on its way. */
  idle(): Promise<void>;
}

export interface CachedReplyQuestion {
  readonly eventId: string;
  /** Undefined: no gateway has told of one lately. */
  onAnswer(first: FirstEvent | undefined): void;
  /** It cannot be known now. */
  onAway(): void;
}

export interface UncountedTail {
  /** Hands out every record of the log that the aggregator has not counted yet. May reject half-way. */
  read(reading: UncountedReading): Promise<void>;
}

/** A counted event as it is stored. */
export interface CountedEvent {
  readonly consumerId: string;
  readonly eventId: string;
  readonly toolId: string;
  readonly occurredAtMs: number;
  readonly receivedAtMs: number;
  readonly success: boolean;
  readonly durationMs: number | undefined;
  readonly metadata: Readonly<Record<string, string | number | boolean>>;
  readonly idempotencyKey: string | undefined;
}

/** A record that was acknowledged and then refused at counting. */
export interface RefusedEvent {
  readonly eventId: string;
  readonly toolId: string;
  readonly receivedAtMs: number;
  readonly code: string;
  readonly detail: string;
  /** Tells apart what came at one time. */
  readonly place: LogPlace;
}

export interface LogPlace {
  readonly partition: number;
  readonly offset: string;
}

export interface EventFilter {
  readonly role: 'consumer' | 'builder';
  readonly toolId: string | undefined;
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
  /** The id that an idempotency key makes. */
  readonly eventId: string | undefined;
  /** Only what sorts after it: older, or as old with a smaller id. */
  readonly after: { readonly occurredAtMs: number; readonly eventId: string } | undefined;
  readonly rowsMax: number;
}

export interface RefusedFilter {
  readonly after: { readonly receivedAtMs: number; readonly place: LogPlace } | undefined;
  readonly rowsMax: number;
}

/** Counted events, as one account may see them. All reject with `unavailable` while PostgreSQL is away. */
export interface CountedEvents {
  find(accountId: string, eventId: string): Promise<CountedEvent | undefined>;
  /** Newest first by (time, id). */
  list(accountId: string, filter: EventFilter): Promise<readonly CountedEvent[]>;
  /** Newest first by receipt. */
  listRefused(accountId: string, filter: RefusedFilter): Promise<readonly RefusedEvent[]>;
  /** Events received before it are counted. */
  countedThroughMs(): Promise<number>;
}
