import { createRequire } from 'node:module';
import { systemClock } from '@tollgate/kernel/clock';

interface RequestQueue {
  readonly pending: readonly unknown[];
  readonly inflight: ReadonlyMap<number, SentRequest>;
  readonly throttledUntil: number;
  readonly enforceRequestTimeout: boolean;
  scheduleCheckPendingRequests(): void;
  scheduleRequestTimeoutCheck(): void;
  sendSocketRequest(request: unknown): void;
}

interface SentRequest {
  readonly sentAt: number;
  readonly requestTimeout: number;
  timeoutRequest(): void;
}

interface Batch {
  isEmpty(): boolean;
  isEmptyIncludingFiltered(): boolean;
}

interface ConsumerGroup {
  /** The consumer's connections; it stays the same when the consumer starts again. */
  readonly cluster: object;
  memberId: string | null;
  /** Epoch ms: the last heartbeat. */
  lastRequest: number;
  /** Ms that a fetch waits for records at the broker, or here if it asks for no partition. */
  maxWaitTime: number;
  heartbeat(options: { readonly interval: number }): Promise<void>;
  paused(): readonly unknown[];
  fetch(nodeId: string): Promise<unknown>;
  joinAndSync(): Promise<void>;
  leave(): Promise<void>;
}

interface SocketRequest {
  /** Epoch ms; kafkajs compares the time since then with the time that an answer may take. */
  sentAt: number | null;
  send(): void;
}

interface ProtocolRequest {
  readonly request: { readonly apiName: string };
}

interface Connection {
  readonly socket: { destroy(error: Error): void } | null;
  send(request: ProtocolRequest): Promise<unknown>;
}

/** The two connections to one broker: fetches have one of their own. */
interface ConnectionPool {
  readonly pool: readonly Connection[];
  getConnectionByRequest(request: ProtocolRequest): Promise<Connection>;
  send(request: ProtocolRequest): Promise<unknown>;
}

interface Broker {
  listOffsets(request: { readonly isolationLevel?: number }): Promise<unknown>;
}

const readUncommitted = 0;
const lookEveryMs = 500; // so an answer counts as late up to so much later
const waitWhilePausedMs = 25;
const load = createRequire(import.meta.url);
let isMended = false;

/** Repairs defects of kafkajs 2.2.4 that no setting changes. package.json pins the version that was read for this. */
export function mendKafkajs(): void {
  if (isMended) return;
  isMended = true;
  const queue = prototypeOf<RequestQueue>('network/requestQueue', 'scheduleCheckPendingRequests');
  stopIdleTimer(queue);
  lookAtWaitingRequests(queue);
  handOutMarkers(prototypeOf<Batch>('consumer/batch', 'isEmptyIncludingFiltered'));
  keepBeating(prototypeOf<ConsumerGroup>('consumer/consumerGroup', 'heartbeat'));
  timeBySteadyClock(prototypeOf<SocketRequest>('network/requestQueue/socketRequest', 'send'));
  keepPlaceInGroup(prototypeOf<ConsumerGroup>('consumer/consumerGroup', 'joinAndSync'));
  waitLessWhilePaused(prototypeOf<ConsumerGroup>('consumer/consumerGroup', 'fetch'));
  leaveDeadConnections(prototypeOf<ConnectionPool>('network/connectionPool', 'getConnectionByRequest'));
  findWholeLog(prototypeOf<Broker>('broker', 'listOffsets'));
}

/** Paths inside kafkajs resolve, since it declares no exports. */
function prototypeOf<Instance>(path: string, method: keyof Instance & string): Instance {
  const { prototype } = load(`kafkajs/src/${path}`) as { prototype: Instance };
  if (typeof prototype[method] !== 'function') throw new Error(`kafkajs/src/${path} is not that of kafkajs 2.2.4`);
  return prototype;
}

/**
 * Each idle connection sets a timer with a negative time, which fires after a millisecond and sets the next. Two
 * connections cost two thousand timers per second, 3 % of a core and a warning. Without pending requests, no check is needed.
 */
function stopIdleTimer(prototype: RequestQueue): void {
  const schedule = prototype.scheduleCheckPendingRequests;
  prototype.scheduleCheckPendingRequests = function scheduleCheckPendingRequests(this: RequestQueue) {
    if (this.pending.length > 0 || this.throttledUntil > systemClock.now()) schedule.call(this);
  };
}

/**
 * Each connection looks ten times per second whether an answer is late, also while it waits for none: with its connections,
 * that woke an idle gateway twenty times per second. It also stops looking when it closes the connection, and a request that
 * was sent at this very moment waited for ever. So the look begins with a request and ends with the last answer.
 */
function lookAtWaitingRequests(prototype: RequestQueue): void {
  const looks = new WeakMap<RequestQueue, NodeJS.Timeout>();
  const send = prototype.sendSocketRequest;
  prototype.scheduleRequestTimeoutCheck = () => undefined;
  prototype.sendSocketRequest = function sendAndLook(this: RequestQueue, request) {
    send.call(this, request);
    if (!this.enforceRequestTimeout || looks.has(this)) return;
    const look = setInterval(() => {
      for (const sent of this.inflight.values())
        if (systemClock.now() - sent.sentAt > sent.requestTimeout) sent.timeoutRequest();
      if (this.inflight.size > 0) return;
      clearInterval(look);
      looks.delete(this);
    }, lookEveryMs);
    looks.set(this, look);
  };
}

/**
 * kafkajs drops a batch that has only markers, such as the end of a foreign transaction, without a call of `eachBatch`. Our
 * cursor would stay before it, and the partition would not be caught up until the next record.
 */
function handOutMarkers(prototype: Batch): void {
  prototype.isEmpty = prototype.isEmptyIncludingFiltered;
}

/**
 * After the clock was set back by an hour (F49), kafkajs would send the next heartbeat in an hour. After ten seconds the
 * group would remove the member, which would read on without knowing, and its flushes would be refused.
 */
function keepBeating(prototype: ConsumerGroup): void {
  const { heartbeat } = prototype;
  prototype.heartbeat = function heartbeatInTime(this: ConsumerGroup, options) {
    this.lastRequest = Math.min(this.lastRequest, systemClock.now());
    return heartbeat.call(this, options);
  };
}

/** A set-back clock would also prolong the wait for an answer. So the time since the request is measured by the monotonic clock. */
function timeBySteadyClock(prototype: SocketRequest): void {
  const { send } = prototype;
  prototype.send = function sendTimed(this: SocketRequest) {
    send.call(this);
    const sentMs = systemClock.monotonicMs();
    Object.defineProperty(this, 'sentAt', { get: () => systemClock.now() - (systemClock.monotonicMs() - sentMs) });
  };
}

const leavingMembers = new Set<string>();

/** Lets a member leave its group when its consumer stops. Else it keeps its place there: see keepPlaceInGroup. */
export function letLeave(memberId: string): void {
  leavingMembers.add(memberId);
}

/**
 * A consumer that crashed starts again as a new member. If it could not tell the group that it left, the group waits for
 * the old member until its session times out: for ten seconds and more nobody reads. If it could, its partitions move to
 * others and back. So a crash leaves nothing, and we join with the old member's id. If the group has removed it already,
 * the broker says so and kafkajs asks for a new id.
 */
function keepPlaceInGroup(prototype: ConsumerGroup): void {
  const places = new WeakMap<object, string>();
  const { joinAndSync, leave } = prototype;
  prototype.joinAndSync = async function joinAndSyncAgain(this: ConsumerGroup) {
    this.memberId ??= places.get(this.cluster) ?? null;
    try {
      await joinAndSync.call(this);
    } catch (error) {
      throw startsAgain(error);
    } finally {
      if (this.memberId !== null) places.set(this.cluster, this.memberId);
    }
  };
  prototype.leave = async function leaveForGood(this: ConsumerGroup) {
    if (this.memberId === null || !leavingMembers.delete(this.memberId)) return;
    places.delete(this.cluster);
    await leave.call(this);
  };
}

/**
 * A fetch that asks for no partition sleeps as long as others wait for records, also when one is resumed meanwhile. Ours
 * are paused for a moment after each assignment, and then nobody counted for a second.
 */
function waitLessWhilePaused(prototype: ConsumerGroup): void {
  const usual = new WeakMap<ConsumerGroup, number>();
  const { fetch } = prototype;
  prototype.fetch = function fetchSoon(this: ConsumerGroup, nodeId) {
    const usualMs = usual.get(this) ?? this.maxWaitTime;
    usual.set(this, usualMs);
    this.maxWaitTime = this.paused().length > 0 ? Math.min(usualMs, waitWhilePausedMs) : usualMs;
    return fetch.call(this, nodeId);
  };
}

/**
 * Two errors of a join must start the consumer again, and do not in kafkajs. If no broker says who coordinates the group,
 * it ends the consumer for good. After any error that passes, it goes on to fetch, outside the group and without knowing.
 */
function startsAgain(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const passes = error.name === 'KafkaJSGroupCoordinatorNotFound' || ('retriable' in error && error.retriable === true);
  if (!passes) return error;
  const cause = Object.assign(error, { retriable: true }); // kafkajs starts again when the first cause may be retried
  return Object.assign(new Error(error.message, { cause }), { retriable: false });
}

/**
 * A request without an answer in time fails, and kafkajs sends the next request over the same connection, or over the other
 * one to this broker. On half-open connections each costs another wait; after three the group has removed the member. So
 * we close both with the first. A connection that was opened meanwhile stays.
 *
 * A commit of offsets closes nothing. It may wait behind a request to join, which the broker holds until all members have
 * joined; with its connection the join would fail, and the consumer crash, while a partition waits for it.
 */
function leaveDeadConnections(prototype: ConnectionPool): void {
  prototype.send = async function sendOrLeave(this: ConnectionPool, request) {
    const connection = await this.getConnectionByRequest(request);
    const sockets = this.pool.map(({ socket }) => socket);
    try {
      return await connection.send(request);
    } catch (error) {
      const isHint = request.request.apiName === 'OffsetCommit';
      if (!isHint && error instanceof Error && error.name === 'KafkaJSRequestTimeoutError')
        for (const [at, { socket }] of this.pool.entries()) if (socket === sockets[at]) socket?.destroy(error);
      throw error;
    }
  };
}

/**
 * As a log's end, kafkajs answers the beginning of the first open transaction. We read beyond that, and would think that a
 * log that ends before our cursor has lost records.
 */
function findWholeLog(prototype: Broker): void {
  const { listOffsets } = prototype;
  prototype.listOffsets = function listOffsetsUncommitted(this: Broker, request) {
    return listOffsets.call(this, { ...request, isolationLevel: request.isolationLevel ?? readUncommitted });
  };
}
