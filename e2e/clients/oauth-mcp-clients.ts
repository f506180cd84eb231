import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthWorld } from './oauth-world.ts';

/** Keeps what a program keeps for its client: in memory here, in its settings else. */
export function createStore({ redirectUrl }: Pick<OAuthWorld, 'redirectUrl'>) {
  const kept: Record<string, unknown> = {};
  let asked: URL | undefined;
  return {
    redirectUrl,
    clientMetadata: { client_name: 'Weather agent', redirect_uris: [redirectUrl] },
    clientInformation: () => kept['client'] as never,
    saveClientInformation: (client: unknown) => void (kept['client'] = client),
    tokens: () => kept['tokens'] as { access_token: string; refresh_token: string } | undefined,
    saveTokens: (tokens: unknown) => void (kept['tokens'] = tokens),
    redirectToAuthorization: (url: URL) => void (asked = url),
    saveCodeVerifier: (verifier: string) => void (kept['verifier'] = verifier),
    codeVerifier: () => kept['verifier'] as string,
    discoveryState: () => kept['discovery'] as never,
    saveDiscoveryState: (state: unknown) => void (kept['discovery'] = state),
    /** The address that the program opened in a browser. */
    opened: () => asked?.href ?? '',
  };
}

export type Store = ReturnType<typeof createStore>;

export interface Attempt {
  finish(callback: URLSearchParams): Promise<void>;
  connect(): Promise<void>;
  call(): Promise<unknown>;
}

const name = { name: 'test', version: '1' };
export type Begin = (url: URL, store: Store) => Attempt;

export const beginSecond: Begin = (url, store) => {
  const open = () => new TransportV2(url, { authProvider: store as never });
  let client = new ClientV2(name);
  const first = open();
  return {
    connect: () => (client = new ClientV2(name)).connect(open()),
    finish: (callback) => first.finishAuth(callback),
    call: () => client.callTool({ name: 'forecast', arguments: {} }),
  };
};

export const generations: Readonly<Record<string, Begin>> = {
  'first generation': (url, store) => {
    const open = () => new TransportV1(url, { authProvider: store as never });
    let client = new ClientV1(name);
    const first = open();
    return {
      connect: () => (client = new ClientV1(name)).connect(open() as never),
      finish: (callback) => first.finishAuth(callback.get('code') ?? ''),
      call: () => client.callTool({ name: 'forecast', arguments: {} }),
    };
  },
  'second generation': beginSecond,
};
