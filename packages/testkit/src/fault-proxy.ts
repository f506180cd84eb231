import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { systemClock } from '@tollgate/kernel/clock';
import { splitter, type Framing } from './fault-proxy-framing.ts';
import { listenLocally } from './listen-locally.ts';

export interface FaultProxyOptions {
  /** The host of the server behind the proxy; 127.0.0.1 if not given. */
  readonly host?: string;
  readonly port: number;
  /** How the proxy separates requests and answers: Kafka frames, paired by id; otherwise chunks as they arrive. */
  readonly framing?: Framing;
}

/** A fault lasts until `heal` and strikes open and later connections, unless its comment says otherwise. */
export interface FaultProxy {
  readonly port: number;
  /** Returns the address with the proxy's host and port. */
  through(url: string): string;
  /** Closes open connections, and new ones at once. */
  cut(): void;
  /** Connections stay open and can be opened, but nothing passes, not even the close of one side. */
  stall(): void;
  /** Delays every byte by `ms`, in order. */
  delay(ms: number): void;
  /** Limits each connection and direction. */
  throttle(bytesPerSecond: number): void;
  /** For connections open now: the server sees them closed, the client does not. `heal` does not end it. */
  halfOpen(): void;
  /** Sends at most so many bytes in one packet. */
  slice(bytes: number): void;
  heal(): void;
  /**
   * Holds the next such request and its connection until `heal`. Resolves when the request is held. `before` is the request
   * that came before it on the connection.
   */
  hold(isRequest: (bytes: Buffer, before: Buffer | undefined) => boolean): Promise<void>;
  /** Lets the next such request pass, and cuts its connection in place of the answer. Resolves after the cut. */
  dropAnswer(isRequest: (bytes: Buffer) => boolean): Promise<void>;
  /** Lets the next such request pass, and changes its answer. Resolves after the change. */
  changeAnswer(isRequest: (bytes: Buffer) => boolean, change: (answer: Buffer) => Buffer): Promise<void>;
  close(): Promise<void>;
}

interface Faults {
  mode: 'open' | 'cut' | 'stalled';
  delayMs: number;
  bytesPerSecond: number;
  sliceBytes: number;
}

interface AnswerRule {
  readonly isRequest: (bytes: Buffer) => boolean;
  /** Returns the new answer; undefined cuts the connection. */
  readonly change: (answer: Buffer) => Buffer | undefined;
  readonly onDone: () => void;
}

interface HoldRule {
  readonly isRequest: (bytes: Buffer, before: Buffer | undefined) => boolean;
  readonly onHeld: () => void;
}

interface Link {
  readonly near: Socket;
  readonly far: Socket;
  isHalfOpen: boolean;
  isHeld: boolean;
  readonly expected: { readonly rule: AnswerRule; readonly isAnswer: (bytes: Buffer) => boolean }[];
}

interface Direction {
  readonly from: Socket;
  readonly to: Socket;
  readonly split: (chunk: Buffer) => Buffer[];
  readonly isHeldBy: (piece: Buffer) => boolean;
  /** Returns what is sent in place of the piece; undefined sends nothing. */
  readonly judge: (piece: Buffer) => Buffer | undefined;
}

const noFaults: Faults = {
  mode: 'open',
  delayMs: 0,
  bytesPerSecond: Number.POSITIVE_INFINITY,
  sliceBytes: Number.POSITIVE_INFINITY,
};
/** The proxy holds at most this per direction. Then the sender must wait, as on a full line. */
const heldBytesMax = 1024 * 1024;
const stallPollMs = 5;

/** A proxy before a real server that can do what a faulty network does. */
export async function startFaultProxy({
  host = '127.0.0.1',
  port: targetPort,
  framing,
}: FaultProxyOptions): Promise<FaultProxy> {
  const faults = { ...noFaults };
  const links = new Set<Link>();
  let rules: AnswerRule[] = [];
  let holds: HoldRule[] = [];
  /** Also those whose near side is closed: what they hold is passed on. */
  const held = new Set<Link>();
  const server = createServer({ noDelay: true, allowHalfOpen: true }, (near) => {
    if (faults.mode === 'cut') near.destroy();
    else openLink(near);
  });
  const port = await listenLocally(server);

  return {
    port,
    through(url) {
      const changed = new URL(url);
      changed.hostname = '127.0.0.1';
      changed.port = String(port);
      return changed.href;
    },
    cut() {
      faults.mode = 'cut';
      links.forEach(destroy);
    },
    stall: () => void (faults.mode = 'stalled'),
    delay: (ms) => void (faults.delayMs = ms),
    throttle: (bytesPerSecond) => void (faults.bytesPerSecond = bytesPerSecond),
    halfOpen() {
      for (const link of links) {
        link.isHalfOpen = true;
        link.far.destroy();
      }
    },
    slice: (bytes) => void (faults.sliceBytes = bytes),
    heal() {
      Object.assign(faults, noFaults);
      for (const link of held) link.isHeld = false;
      held.clear();
    },
    hold: (isRequest) => new Promise((resolve) => holds.push({ isRequest, onHeld: resolve })),
    dropAnswer: (isRequest) => addRule(isRequest, () => undefined),
    changeAnswer: addRule,
    async close() {
      faults.mode = 'cut'; // releases stalled pieces
      new Set([...links, ...held]).forEach(destroy);
      await new Promise((resolve) => server.close(resolve));
    },
  };

  function addRule(isRequest: AnswerRule['isRequest'], change: AnswerRule['change']): Promise<void> {
    return new Promise((resolve) => rules.push({ isRequest, change, onDone: resolve }));
  }

  function openLink(near: Socket): void {
    const far = connect({ port: targetPort, host, noDelay: true, allowHalfOpen: true });
    const link: Link = { near, far, isHalfOpen: false, isHeld: false, expected: [] };
    links.add(link);
    const requests = splitter(framing);
    const answers = splitter(framing);
    let before: Buffer | undefined;
    pump(link, faults, { from: near, to: far, split: requests.split, isHeldBy, judge: noteRequest });
    pump(link, faults, { from: far, to: near, split: answers.split, isHeldBy: () => false, judge: judgeAnswer });
    near.once('close', () => links.delete(link));

    function isHeldBy(request: Buffer): boolean {
      const hold = holds.find(({ isRequest }) => isRequest(request, before));
      before = request;
      holds = holds.filter((other) => other !== hold);
      if (hold === undefined) return false;
      held.add(link);
      hold.onHeld();
      return true;
    }

    function noteRequest(request: Buffer): Buffer {
      const rule = rules.find(({ isRequest }) => isRequest(request));
      if (rule === undefined) return request;
      rules = rules.filter((other) => other !== rule);
      link.expected.push({ rule, isAnswer: requests.isAnswerTo(request) });
      return request;
    }

    function judgeAnswer(answer: Buffer): Buffer | undefined {
      const at = link.expected.findIndex(({ isAnswer }) => isAnswer(answer));
      const [met] = at < 0 ? [] : link.expected.splice(at, 1);
      if (met === undefined) return answer;
      const changed = met.rule.change(answer);
      if (changed === undefined) destroy(link);
      met.rule.onDone();
      return changed;
    }
  }
}

/** Passes each piece on in order, as late and as slowly as the faults at its time demand. */
function pump(link: Link, faults: Faults, { from, to, split, isHeldBy, judge }: Direction): void {
  let last = Promise.resolve();
  let heldBytes = 0;
  const queue = (work: () => Promise<void> | void): void => {
    last = last.then(work).catch(() => undefined); // either side closed meanwhile
  };

  from.on('data', (chunk: Buffer) => {
    const dueMs = systemClock.monotonicMs() + faults.delayMs;
    heldBytes += chunk.length;
    if (heldBytes > heldBytesMax) from.pause();
    for (const piece of split(chunk)) queue(() => pass(piece, dueMs));
    queue(() => {
      heldBytes -= chunk.length;
      if (heldBytes <= heldBytesMax) from.resume();
    });
  });
  from.on('error', () => undefined); // 'close' follows
  from.once('end', () =>
    queue(async () => {
      await isPassable();
      to.end();
    }),
  );
  from.once('close', () =>
    queue(async () => {
      await isPassable();
      if (!(link.isHalfOpen && to === link.near)) to.destroy();
    }),
  );

  async function pass(piece: Buffer, dueMs: number): Promise<void> {
    const lateMs = dueMs - systemClock.monotonicMs();
    if (lateMs > 0) await wait(lateMs);
    await isPassable();
    if (isHeldBy(piece)) link.isHeld = true;
    await isPassable();
    const judged = judge(piece);
    if (judged === undefined) return;
    for (const part of slices(judged, faults.sliceBytes)) {
      if (to.destroyed) return;
      if (faults.bytesPerSecond !== Number.POSITIVE_INFINITY) await wait((part.length / faults.bytesPerSecond) * 1_000);
      if (!to.write(part)) await once(to, 'drain');
      else if (faults.sliceBytes !== Number.POSITIVE_INFINITY) await nextTurn();
    }
  }

  async function isPassable(): Promise<void> {
    while (faults.mode === 'stalled' || link.isHeld) await wait(stallPollMs);
  }
}

function slices(bytes: Buffer, size: number): Buffer[] {
  if (bytes.length <= size) return [bytes];
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
}

function destroy(link: Link): void {
  link.isHeld = false; // releases held requests
  link.near.destroy();
  link.far.destroy();
}
