import type { EndRepeats } from './begin-unless-repeated.ts';
import type { JsonRpcMessage, RequestId } from './json-rpc.ts';
import type { AdmittedCall } from './metering.ts';

interface RunningCall {
  /** Undefined for a free call. */
  readonly admitted: AdmittedCall | undefined;
  readonly endRepeats: EndRepeats;
}

/** The calls that the server of one connection has, by their request. */
export function createRunningCalls() {
  const calls = new Map<RequestId, RunningCall>();

  function take(id: RequestId): RunningCall | undefined {
    const call = calls.get(id);
    calls.delete(id);
    return call;
  }

  /** Its client gave it up. */
  function abandon(id: RequestId): void {
    const call = take(id);
    call?.endRepeats(undefined);
    void call?.admitted?.abandon();
  }

  return {
    begin: (id: RequestId, call: RunningCall) => void calls.set(id, call),
    /** Resolves once the call is recorded: an answered call is never lost. */
    async end(id: RequestId, response: JsonRpcMessage): Promise<void> {
      const call = take(id);
      await call?.admitted?.end(response);
      call?.endRepeats(response);
    },
    abandon,
    abandonAll: () => Array.from(calls.keys()).forEach(abandon),
  };
}
