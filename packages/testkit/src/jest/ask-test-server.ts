import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { eventually } from '../eventually.ts';
import type { KeeperAnswer } from './keeper-answer.ts';

/** Asks the keeper of this run's servers by one of its sockets. The first request waits for the server's start. */
export async function askTestServer<Server extends object>(
  socketName: string,
  request: object = {},
): Promise<KeeperAnswer<Server>> {
  const path = process.env['TOLLGATE_TEST_CLUSTER'];
  if (path === undefined)
    throw new Error('no test servers: run the tests with jest.config.js, whose globalSetup keeps them');
  const socket = await eventually(() => connectTo(join(dirname(path), socketName)), { withinMs: 20_000 }); // it may still be starting
  socket.end(JSON.stringify(request));
  return JSON.parse(await text(socket)) as KeeperAnswer<Server>; // written by our own keeper
}

async function connectTo(path: string): Promise<Socket> {
  const socket = connect(path);
  await once(socket, 'connect');
  return socket;
}
