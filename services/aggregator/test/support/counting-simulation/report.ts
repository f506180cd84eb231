import {
  bodyHashOf,
  partitionKeyOf,
  type UsageEventProblem,
  type UsageEventRecord,
} from '@tollgate/contracts/events/event-record';
import { hourMs } from '@tollgate/kernel/durations';
import { toIso } from '@tollgate/kernel/clock';
import { keyedEventId } from '@tollgate/kernel/event-id';
import { formatMillionths } from '@tollgate/testkit/load/load-event';
import type { SeededRandom } from '@tollgate/testkit/seeded-random';

/** A record on its way into the log, and how far it has come. */
export interface Report {
  /** The key that chooses its partition. */
  readonly key: string;
  readonly value: Uint8Array;
  readonly event: UsageEventRecord | undefined;
  /** Where there is no event: why nobody can read it. */
  readonly problem: UsageEventProblem | undefined;
  readonly receivedAtMs: number;
  isLogged: boolean;
  /** A cursor is past it, at one of its places in the log. */
  isPassed: boolean;
}

/** The tool whose price sums a measure, and that measure. */
export const measuredTool = 'llm';
export const measure = 'units';

type Body = Pick<UsageEventRecord, 'tool_id' | 'success' | 'duration_ms' | 'metadata'>;

interface Keyed {
  readonly consumer: string;
  readonly key: string;
  readonly eventId: string;
  readonly body: Body;
  /** The client's own, sent with each attempt; undefined: the server's. */
  readonly occurredAt: string | undefined;
}

const consumers = [1, 2, 3].map((n) => `c000000${n}-0000-4000-8000-000000000000`) as [string, ...string[]];
const passes = [1, 2].map((n) => `a000000${n}-0000-4000-8000-000000000000`) as [string, ...string[]];
const tools = ['weather', 'search', measuredTool] as [string, ...string[]];
const foreign: [Foreign, ...Foreign[]] = [
  ['', 'record_not_json'],
  ['not JSON', 'record_not_json'],
  ['{"v":2}', 'record_version_unknown'],
  ['{"v":1}', 'record_invalid'],
];
type Foreign = readonly [text: string, problem: UsageEventProblem];
const remembered = 40;

/**
 * Makes the reports of clients: new events, the same again with its key, another body under a known key; and foreign
 * producers.
 */
export class Reports {
  private readonly random: SeededRandom;
  private readonly keyed: Keyed[] = [];
  private made = 0;

  constructor(random: SeededRandom) {
    this.random = random;
  }

  next(receivedAtMs: number): Report {
    const draw = this.random.next();
    if (draw < 0.04) return this.foreign(receivedAtMs);
    if (draw < 0.4) return this.withoutKey(receivedAtMs);
    const known = draw < 0.7 ? this.keyed[this.random.integer(0, this.keyed.length - 1)] : undefined;
    if (!known) return this.withKey(this.newKey(receivedAtMs), receivedAtMs);
    return this.withKey(this.random.chance(0.15) ? { ...known, body: this.newBody() } : known, receivedAtMs);
  }

  private foreign(receivedAtMs: number): Report {
    const [text, problem] = this.random.pick(foreign);
    return toReport({ key: text, value: Buffer.from(text), event: undefined, problem, receivedAtMs });
  }

  private withoutKey(receivedAtMs: number): Report {
    const event = {
      v: 1,
      event_id: this.newId(),
      consumer_id: this.random.pick(consumers),
      occurred_at: this.newTime(receivedAtMs) ?? toIso(receivedAtMs),
      received_at: toIso(receivedAtMs),
      ...this.newBody(),
      ...this.anyPass(),
    } as const;
    return eventReport(event, receivedAtMs);
  }

  private withKey({ consumer, key, eventId, body, occurredAt }: Keyed, receivedAtMs: number): Report {
    const receivedAt = toIso(receivedAtMs);
    const event = {
      v: 1,
      event_id: eventId,
      consumer_id: consumer,
      occurred_at: isTaken(occurredAt, receivedAtMs) ? occurredAt : receivedAt,
      received_at: receivedAt,
      ...body,
      idempotency_key: key,
      body_hash: bodyHashOf(body),
      ...this.anyPass(), // a repeat may come by another pass: the first counts
    } as const;
    return eventReport(event, receivedAtMs);
  }

  private newKey(receivedAtMs: number): Keyed {
    this.made += 1;
    const [consumer, key] = [this.random.pick(consumers), `k${this.made}`];
    const keyed = {
      consumer,
      key,
      eventId: keyedEventId('', { accountId: consumer, key }),
      body: this.newBody(),
      occurredAt: this.newTime(receivedAtMs),
    };
    this.keyed.push(keyed);
    if (this.keyed.length > remembered) this.keyed.shift();
    return keyed;
  }

  private newBody(): Body {
    const units = formatMillionths(BigInt(this.random.integer(0, 3_000_000)));
    return {
      tool_id: this.random.pick(tools),
      success: this.random.chance(0.8),
      ...(this.random.chance(0.7) ? { duration_ms: this.random.integer(0, 5_000) } : {}),
      ...(this.random.chance(0.5) ? { metadata: { [measure]: this.random.chance(0.5) ? units : Number(units) } } : {}),
    };
  }

  private anyPass(): Pick<UsageEventRecord, 'pass_id'> {
    return this.random.chance(0.4) ? { pass_id: this.random.pick(passes) } : {};
  }

  /** At most a day before its receipt, often in another hour; undefined: the client says none. */
  private newTime(receivedAtMs: number): string | undefined {
    if (this.random.chance(0.6)) return undefined;
    return toIso(receivedAtMs - this.random.integer(0, this.random.pick([hourMs, 23 * hourMs])));
  }

  /** A UUIDv7 that comes again with the seed. */
  private newId(): string {
    this.made += 1;
    const low = this.random.integer(0, 0xffffff).toString(16).padStart(6, '0');
    return `019ab000-0000-7000-8000-${this.made.toString(16).padStart(6, '0')}${low}`;
  }
}

/** As the gateway decides: older than a day, it would be refused. */
function isTaken(occurredAt: string | undefined, receivedAtMs: number): occurredAt is string {
  if (occurredAt === undefined) return false;
  const ageMs = receivedAtMs - Date.parse(occurredAt);
  return ageMs >= 0 && ageMs <= 24 * hourMs;
}

function eventReport(event: UsageEventRecord, receivedAtMs: number): Report {
  const value = Buffer.from(JSON.stringify(event));
  return toReport({ key: partitionKeyOf(event), value, event, problem: undefined, receivedAtMs });
}

function toReport(parts: Omit<Report, 'isLogged' | 'isPassed'>): Report {
  return { ...parts, isLogged: false, isPassed: false };
}
