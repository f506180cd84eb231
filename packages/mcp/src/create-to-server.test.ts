import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, it } from '@jest/globals';

import { createToServer } from './create-to-server.ts';

const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'weather' } } as const;

it.each([
  [401, true, /answered 401: no token If it wants a credential of this proxy, give it by --header\.$/],
  [403, true, /answered 403: no token .*--header/],
  [404, true, /answered 404: no token$/],
  [500, undefined, /could not be reached/],
])('gives a client the %i of a server as it is, with a hint where that helps', async (status, neverRan, message) => {
  const server = createServer((_request, response) => response.writeHead(status).end('no token'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
  const far = new StreamableHTTPClientTransport(url);
  await far.start();
  const ran = await createToServer(far, () => undefined)(call);
  expect(ran?.neverRan).toBe(neverRan);
  expect(ran?.response?.error?.message).toMatch(message);
  await far.close();
  server.close();
});
