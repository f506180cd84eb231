import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Provider } from 'oidc-provider';
import type { SigningKey } from '../signing-keys/signing-key.ts';
import { createProvider, type ProviderOptions } from './create-provider.ts';

export interface ProviderHost {
  /** The provider that signs with the key of now. */
  provider(): Provider;
  serve(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

type Host = { readonly keyId: string; readonly provider: Provider; readonly serve: ProviderHost['serve'] };

/** The library takes its key when it is made, so a rotation makes it anew. All that it knows is in the database. */
export function createProviderHost(options: ProviderOptions, currentKey: () => SigningKey): ProviderHost {
  let host: Host | undefined;

  function current(): Host {
    const key = currentKey();
    if (host?.keyId === key.keyId) return host;
    const provider = createProvider(options, key);
    host = { keyId: key.keyId, provider, serve: provider.callback() };
    return host;
  }

  return { provider: () => current().provider, serve: (request, response) => current().serve(request, response) };
}
