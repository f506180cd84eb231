import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import type { ClusterPlan } from './init-cluster.ts';
import { launcherSetting, readPostmasterFile } from './postmaster-file.ts';
import { spawnOptions } from './server-account.ts';
import { serverSettings } from './server-settings.ts';

export interface ServerStart {
  /** Undefined or 0: any free port. */
  readonly port?: number;
  /** Called when the server's process has been started, which is then busy for a while. */
  readonly onSpawned?: () => void;
}

export interface RunningServer {
  readonly port: number;
  readonly pid: number;
  /** Resolves when the server has ended, also unexpectedly. */
  readonly exited: Promise<void>;
  /** Fast shutdown: the server ends sessions, writes everything, then ends. */
  stop(): Promise<void>;
}

const startPatienceMs = 300_000; // after a crash it replays up to max_wal_size of log first
const logBytesMax = 10_000_000;

/** Starts the server and waits until it accepts connections. Tries again while remains of another server are in the way. */
export async function startServer(
  plan: ClusterPlan,
  { port: askedPort, onSpawned }: ServerStart,
): Promise<RunningServer> {
  for (let attempt = 1; ; attempt += 1) {
    const port = askedPort || (await freePort());
    const logStart = rotateLog(plan.folder.logFile);
    const child = spawnServer(plan, port);
    onSpawned?.();
    if (await becomesReady(child, plan.folder.clusterDir)) return running(child, port);
    const reason = lastComplaint(plan.folder.logFile, logStart);
    if (attempt >= 50 || !isPassing(reason, askedPort)) {
      throw new EmbeddedPostgresError(`PostgreSQL did not start: ${reason} (see ${plan.folder.logFile})`);
    }
    await sleep(100);
  }
}

/** The server gets a session of its own, so that no Ctrl-C and no signal to our process group ends it before our stop does. */
function spawnServer(plan: ClusterPlan, port: number): ChildProcess {
  const all = { ...serverSettings(port, plan.isDurable), [launcherSetting]: String(process.pid) };
  const settings = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = openSync(plan.folder.logFile, 'a', 0o600);
  try {
    return spawn(join(plan.programs.bin, 'postgres'), ['-D', plan.folder.clusterDir, ...settings], {
      ...spawnOptions(plan.account),
      detached: true,
      stdio: ['ignore', log, log],
    });
  } finally {
    closeSync(log);
  }
}

async function becomesReady(child: ChildProcess, clusterDir: string): Promise<boolean> {
  let isGone = false;
  child.once('exit', () => (isGone = true));
  child.once('error', () => (isGone = true));
  const patience = AbortSignal.timeout(startPatienceMs);
  while (!isGone && !patience.aborted) {
    const file = readPostmasterFile(clusterDir);
    if (file?.pid === child.pid && file?.isReady) return true;
    await sleep(10);
  }
  if (!isGone) await endNow(child);
  return false;
}

async function endNow(child: ChildProcess): Promise<void> {
  child.kill('SIGQUIT');
  await once(child, 'exit');
}

function running(child: ChildProcess, port: number): RunningServer {
  const exited = once(child, 'exit').then(() => undefined);
  return { port, pid: child.pid ?? 0, exited, stop: () => stopServer(child, exited) };
}

async function stopServer(child: ChildProcess, exited: Promise<void>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGINT');
  const tooSlow = setTimeout(() => child.kill('SIGQUIT'), 20_000);
  await exited;
  clearTimeout(tooSlow);
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new EmbeddedPostgresError('no free port on 127.0.0.1');
  return address.port;
}

/** These pass: somebody took the port between the probe and the start, or a killed server's children have not ended yet. */
function isPassing(reason: string, askedPort: number | undefined): boolean {
  if (reason.includes('pre-existing shared memory block') || reason.includes('lock file "postmaster.pid"')) return true;
  return !askedPort && reason.includes('could not create any TCP/IP sockets');
}

function rotateLog(logFile: string): number {
  const size = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
  if (size < logBytesMax) return size;
  renameSync(logFile, `${logFile}.1`);
  return 0;
}

function lastComplaint(logFile: string, from: number): string {
  const lines = readFileSync(logFile).subarray(from).toString('utf8').split('\n');
  const complaint = lines.findLast((line) => /FATAL|PANIC|error/i.test(line)) ?? lines.findLast((line) => line !== '');
  return complaint?.replace(/^.*?(FATAL|PANIC):\s*/, '') ?? 'it said nothing';
}
