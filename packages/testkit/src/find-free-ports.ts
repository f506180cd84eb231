import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below those that the system hands out by itself (from 32,768 on): in the seconds before its user takes such a port, a
 * test's connection or server could get it, and a server that is killed could find its own taken when it comes back.
 */
const lowest = 12_000;
const perWorker = 2_500;
const workers = 8;
const given = new Set<number>();

/** They differ, from those of jest's other workers too. */
export async function findFreePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) {
    const port = anyPort();
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    ports.push(port);
  }
  return ports;
}

function anyPort(): number {
  const worker = Number(process.env['JEST_WORKER_ID'] ?? 0) % workers;
  return lowest + worker * perWorker + Math.floor(Math.random() * perWorker);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
    return true;
  } catch {
    return false; // somebody has it
  } finally {
    server.close();
  }
}
