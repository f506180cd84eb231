import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BeginCall, CallAsk, PaidCall } from '@tollgate/sdk/calls';
import type { HttpAnswer, HttpAsk } from './speak-http.ts';
import type { Weather } from './mcp-generations.ts';

/** Where a client hangs up on its call. */
export const cuts = ['while the tool runs', 'while the call is recorded', 'while the answer is written'] as const;
export type Cut = (typeof cuts)[number];

/** Servers in this process whose clients hang up. A request with the header `x-cut` stops where it says. */
export interface CutClients {
  /** A tool that gives each run its number. */
  readonly weather: Weather;
  runs(): number;
  stopAtRecording(beginCall: BeginCall): BeginCall;
  /** Asks, and hangs up at that step. Resolves when the server has seen it; the call then goes on. */
  hangUp(cut: Cut, post: (ask: HttpAsk) => Promise<HttpAnswer>): Promise<void>;
  close(): void;
}

interface Stop {
  readonly cut: Cut;
  readonly reached: PromiseWithResolvers<undefined>;
  readonly seen: PromiseWithResolvers<undefined>;
}

export function openCutClients(): CutClients {
  let runs = 0;
  let stop: Stop | undefined;
  const reach = async (cut: Cut) => {
    if (stop?.cut !== cut) return;
    stop.reached.resolve(undefined);
    await stop.seen.promise;
  };

  /** The bytes of the answer stay in the server, as if its network were slow. */
  const watch = (message: unknown) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    if (request.headers['x-cut'] === undefined || stop === undefined) return;
    const { cut, reached, seen } = stop;
    response.once('close', () => seen.resolve(undefined));
    if (cut !== 'while the answer is written') return;
    const hold = (chunk: unknown) => void (isOfAnswer(chunk) && reached.resolve(undefined));
    response.write = (chunk: unknown) => (hold(chunk), true);
    response.end = (chunk?: unknown) => (hold(chunk), response);
  };
  subscribe('http.server.request.start', watch);

  return {
    weather: {
      async report(city) {
        const run = (runs += 1);
        await reach('while the tool runs');
        return `${city} ${run}`;
      },
    },
    runs: () => runs,
    stopAtRecording(beginCall) {
      const begin = async (ask: CallAsk) => {
        const begun = await beginCall(ask);
        if ('refusal' in begun) return begun;
        const end: PaidCall['end'] = async (outcome) =>
          reach('while the call is recorded').then(() => begun.end(outcome));
        return { ...begun, end };
      };
      return Object.assign(begin, { resume: beginCall.resume });
    },
    async hangUp(cut, post) {
      const [reached, seen] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
      stop = { cut, reached, seen };
      const client = new AbortController();
      const answer = post({ signal: client.signal, headers: { 'x-cut': 'yes' } });
      const failed = answer.then(
        () => new Error('the call was answered'),
        () => undefined,
      );
      await reached.promise;
      client.abort();
      const wrong = await failed;
      if (wrong !== undefined) throw wrong;
      await seen.promise;
      stop = undefined;
    },
    close: () => void unsubscribe('http.server.request.start', watch),
  };
}

function isOfAnswer(chunk: unknown): boolean {
  const text = chunk instanceof Uint8Array ? Buffer.from(chunk).toString() : String(chunk);
  return text.includes('"content"');
}
