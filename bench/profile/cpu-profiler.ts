import { once } from 'node:events';

/** What `Profiler.stop` answers, and what a .cpuprofile file holds. */
export interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  readonly startTime: number;
  readonly endTime: number;
  /** The id of the node on top of the stack, sample by sample. */
  readonly samples: readonly number[];
  /** Microseconds from the sample before. */
  readonly timeDeltas: readonly number[];
}

export interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  readonly children?: readonly number[];
}

export interface CpuProfiler {
  start(): Promise<void>;
  stop(): Promise<CpuProfile>;
}

interface Reply {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

const sampleEveryMicros = 500;

/** Profiles a process that runs, by its inspector: the start of the process and the making of its data stay outside. */
export async function connectProfiler(inspectorUrl: string): Promise<CpuProfiler> {
  const socket = new WebSocket(inspectorUrl);
  await once(socket, 'open');
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let sent = 0;

  socket.addEventListener('message', ({ data }) => {
    const { id, result, error } = JSON.parse(String(data)) as Reply;
    const asker = waiting.get(id ?? 0);
    waiting.delete(id ?? 0);
    if (error) asker?.reject(new Error(error.message));
    else asker?.resolve(result);
  });
  socket.addEventListener('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('the process has ended under the profiler'));
  });

  function ask(method: string, params: object = {}): Promise<unknown> {
    sent += 1;
    const asker = Promise.withResolvers<unknown>();
    waiting.set(sent, asker);
    socket.send(JSON.stringify({ id: sent, method, params }));
    return asker.promise;
  }

  return {
    async start() {
      await ask('Profiler.enable');
      await ask('Profiler.setSamplingInterval', { interval: sampleEveryMicros });
      await ask('Profiler.start');
    },
    async stop() {
      const { profile } = (await ask('Profiler.stop')) as { profile: CpuProfile }; // as the protocol says
      socket.close();
      return profile;
    },
  };
}
