import { createRequire } from 'node:module';
import { systemClock } from '@tollgate/kernel/clock';

interface RequestQueue {
  readonly pending: readonly unknown[];
  readonly throttledUntil: number;
  scheduleCheckPendingRequests(): void;
}

interface Batch {
  isEmpty(): boolean;
  isEmptyIncludingFiltered(): boolean;
}

interface ConsumerGroup {
  /** The consumer's connections, the same however often it starts again. */
  readonly cluster: object;
  memberId: string | null;
  /** Epoch ms: the latest sign of life that the group was given. */
  lastRequest: number;
  heartbeat(options: { readonly interval: number }): Promise<void>;
  joinAndSync(): Promise<void>;
  leave(): Promise<void>;
}

interface SocketRequest {
  /** Epoch ms; what has passed since is compared with the time that an answer may take. */
  sentAt: number | null;
  send(): void;
}

interface Connection {
  readonly socket: { destroy(error: Error): void } | null;
  send(request: unknown): Promise<unknown>;
}

interface Broker {
  listOffsets(request: { readonly isolationLevel?: number }): Promise<unknown>;
}

const readUncommitted = 0;
const load = createRequire(import.meta.url);
let isMended = false;

/** What kafkajs 2.2.4 does wrong and has no setting for. The version is pinned to the one that this was read in. */
export function mendKafkajs(): void {
  if (isMended) return;
  isMended = true;
  stopIdleTimer(prototypeOf<RequestQueue>('network/requestQueue', 'scheduleCheckPendingRequests'));
  handOutMarkers(prototypeOf<Batch>('consumer/batch', 'isEmptyIncludingFiltered'));
  keepBeating(prototypeOf<ConsumerGroup>('consumer/consumerGroup', 'heartbeat'));
  timeBySteadyClock(prototypeOf<SocketRequest>('network/requestQueue/socketRequest', 'send'));
  keepPlaceInGroup(prototypeOf<ConsumerGroup>('consumer/consumerGroup', 'joinAndSync'));
  leaveDeadConnections(prototypeOf<Connection>('network/connection', 'send'));
  findWholeLog(prototypeOf<Broker>('broker', 'listOffsets'));
}

/** Full paths of kafkajs resolve, since it declares no exports. */
function prototypeOf<Instance>(path: string, method: keyof Instance & string): Instance {
  const { prototype } = load(`kafkajs/src/${path}`) as { prototype: Instance };
  if (typeof prototype[method] !== 'function') throw new Error(`kafkajs/src/${path} is not that of kafkajs 2.2.4`);
  return prototype;
}

/**
 * Each idle connection sets a timer of a negative time, which fires after a millisecond and sets the next: two thousand a
 * second, 3 % of a core, and a warning. With nothing pending there is nothing to check.
 */
function stopIdleTimer(prototype: RequestQueue): void {
  const schedule = prototype.scheduleCheckPendingRequests;
  prototype.scheduleCheckPendingRequests = function scheduleCheckPendingRequests(this: RequestQueue) {
    if (this.pending.length > 0 || this.throttledUntil > systemClock.now()) schedule.call(this);
  };
}

/**
 * A marker that is fetched alone, as the one that ends a foreign transaction, is passed over and nobody is told. Our
 * cursor would stand before it, and the partition would not be caught up until the next record.
 */
function handOutMarkers(prototype: Batch): void {
  prototype.isEmpty = prototype.isEmptyIncludingFiltered;
}

/**
 * After the clock was set back by an hour (F49) the next sign of life is due in an hour, and after ten seconds the group
 * takes the member for dead. It reads on and knows nothing of it, and whatever it counts is refused.
 */
function keepBeating(prototype: ConsumerGroup): void {
  const { heartbeat } = prototype;
  prototype.heartbeat = function heartbeatInTime(this: ConsumerGroup, options) {
    this.lastRequest = Math.min(this.lastRequest, systemClock.now());
    return heartbeat.call(this, options);
  };
}

/** And a request that is never answered would be waited for as long: what has passed is told by time that nobody sets. */
function timeBySteadyClock(prototype: SocketRequest): void {
  const { send } = prototype;
  prototype.send = function sendTimed(this: SocketRequest) {
    send.call(this);
    const sentMs = systemClock.monotonicMs();
    Object.defineProperty(this, 'sentAt', { get: () => systemClock.now() - (systemClock.monotonicMs() - sentMs) });
  };
}

/**
 * A consumer that lost its connections starts again as a new member, and for its old self the group waits until that is
 * taken for dead: ten seconds and more in which nobody reads. It takes its old place again; where that is gone already,
 * the broker says so and kafkajs asks for a new one.
 */
function keepPlaceInGroup(prototype: ConsumerGroup): void {
  const places = new WeakMap<object, string>();
  const { joinAndSync, leave } = prototype;
  prototype.joinAndSync = async function joinAndSyncAgain(this: ConsumerGroup) {
    this.memberId ??= places.get(this.cluster) ?? null;
    try {
      await joinAndSync.call(this);
    } finally {
      if (this.memberId !== null) places.set(this.cluster, this.memberId);
    }
  };
  prototype.leave = async function leaveForGood(this: ConsumerGroup) {
    await leave.call(this);
    places.delete(this.cluster);
  };
}

/**
 * A request that is not answered in time fails, and the next one goes the same way, also where nothing will ever come back:
 * a half open connection. It took a group some twenty seconds to find that out. The connection goes with the request.
 */
function leaveDeadConnections(prototype: Connection): void {
  const { send } = prototype;
  prototype.send = async function sendOrLeave(this: Connection, request) {
    try {
      return await send.call(this, request);
    } catch (error) {
      if (error instanceof Error && error.name === 'KafkaJSRequestTimeoutError') this.socket?.destroy(error);
      throw error;
    }
  };
}

/**
 * Asked for a log's end, kafkajs tells where the first open transaction begins. We read on behind that, and would take a
 * log that ends before our cursor for one that has lost records.
 */
function findWholeLog(prototype: Broker): void {
  const { listOffsets } = prototype;
  prototype.listOffsets = function listOffsetsUncommitted(this: Broker, request) {
    return listOffsets.call(this, { ...request, isolationLevel: request.isolationLevel ?? readUncommitted });
  };
}
