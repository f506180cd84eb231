import { toError } from './json-rpc.ts';
import type { ConnectionPorts } from './metered-connection.ts';
import type { Ran } from './incoming.ts';

interface Sender {
  // The SDKs type messages more narrowly, each in its own way.
  // oxlint-disable-next-line typescript/no-explicit-any
  send(message: any, options?: any): Promise<void>;
}

/** A request that did not reach the server gets an answer, so that the client does not wait for ever. */
export function createToServer(far: Sender, onError: (error: unknown) => void): ConnectionPorts['toServer'] {
  return async function toServer(message, lose): Promise<Ran | undefined> {
    try {
      await far.send(message, lose && { onRequestStreamEnd: lose });
      return undefined;
    } catch (error) {
      onError(error);
      const isRequest = message.method !== undefined && message.id !== undefined;
      return isRequest ? toUndelivered(error) : undefined;
    }
  };
}

/** The server did not run what it refused over HTTP, and the client sees the refusal as it is. */
function toUndelivered(error: unknown): Ran {
  const { data } = error as { readonly data?: { readonly status?: number; readonly text?: string | null } };
  const { status, text } = data ?? {};
  if (typeof status !== 'number' || status < 400 || status > 499) {
    return { response: toError({ code: -32_603, message: 'The server behind the proxy could not be reached.' }) };
  }
  const hint = status === 401 || status === 403 ? ' If it wants a credential of this proxy, give it by --header.' : '';
  const message = `The server behind the proxy answered ${status}: ${text ?? ''}`.trim();
  return {
    response: toError({ code: -32_603, message: message + hint, data: { status, body: text } }),
    neverRan: true,
  };
}
