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
  readonly passId: string | undefined;
}

/** A record that the gateway acknowledged and the aggregator refused. */
export interface RefusedEvent {
  readonly eventId: string;
  readonly toolId: string;
  readonly receivedAtMs: number;
  readonly code: string;
  readonly detail: string;
  /** Orders events of the same millisecond. */
  readonly place: LogPlace;
}

export interface LogPlace {
  readonly partition: number;
  readonly offset: string;
}

export interface EventFilter {
  readonly role: 'consumer' | 'builder';
  readonly toolId: string | undefined;
  readonly passId: string | undefined;
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
  /** The event of an idempotency key. */
  readonly eventId: string | undefined;
  /** Lists only events after this event in the order of the list: older, or as old with a smaller id. */
  readonly after: { readonly occurredAtMs: number; readonly eventId: string } | undefined;
  readonly rowsMax: number;
}

export interface RefusedFilter {
  readonly after: { readonly receivedAtMs: number; readonly place: LogPlace } | undefined;
  readonly rowsMax: number;
}
