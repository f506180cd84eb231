import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * These ports are below the system's own range, which starts at 32,768. A port of that range could be taken by another
 * connection before its user binds it, or while a killed server restarts.
 */
const lowest = 12_000;
const perWorker = 2_500;
const workers = 8;
const given = new Set<number>();

/** Returns different ports for each call and for each worker of jest. */
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
    return false; // the port is in use
  } finally {
    server.close();
  }
}
