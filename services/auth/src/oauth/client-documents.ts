import { OutgoingError } from '@tollgate/runtime/outgoing/outgoing-error';
import type { OutgoingFetch } from '@tollgate/runtime/outgoing/create-outgoing-fetch';
import { clientAddressOf } from '@tollgate/runtime/http/requests/request-context';
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';
import type { SignInThrottle } from '../accounts/memory-sign-in-throttle.ts';

/** Clients whose id is the https address of a document about them. Strangers name it, and we fetch it. */
export interface ClientDocuments {
  readonly isOn: boolean;
  /** Judges addresses itself. The library's own guard is lost with its own way to fetch. */
  readonly outgoingFetch: OutgoingFetch;
  readonly throttle: Pick<SignInThrottle, 'admitClient'>;
}

const addressLengthMax = 2_048;
const documentBytesMax = 65_536;

export function featureOfDocuments({ isOn, throttle }: ClientDocuments) {
  return {
    enabled: isOn,
    ack: 'draft-02' as const,
    allowFetch: async (ctx: KoaContextWithOIDC, clientId: string) => {
      if (clientId.length > addressLengthMax) return false;
      return throttle.admitClient(clientAddressOf(ctx.req)).then(
        () => true,
        () => false,
      );
    },
    allowClient: async () => true,
    cacheDuration: { min: 30, max: 86_400 },
  };
}

/** All that the library fetches. */
export function fetchOfDocuments({ outgoingFetch }: ClientDocuments): Partial<Configuration> {
  return {
    fetchResponseBodyLimits: { 'client_id metadata document': documentBytesMax },
    fetch: async (url, init) => {
      const headers = Object.fromEntries(new Headers(init?.headers));
      const { href } = new URL(url instanceof Request ? url.url : url);
      return outgoingFetch(href, { method: init?.method, headers, signal: init?.signal ?? undefined }).catch(
        toLibraryError,
      );
    },
  };
}

/** The library tells nobody why, and the log of the request does not need the address twice. */
function toLibraryError(error: unknown): never {
  throw error instanceof OutgoingError ? new Error(`${error.reason}: ${error.message}`) : error;
}
