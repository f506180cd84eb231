import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../packages/testkit/src/eventually.ts';
import { findFreePorts } from '../packages/testkit/src/find-free-ports.ts';
import { describeWhere } from '../packages/testkit/src/servers/describe-where.ts';
import { createEdgeConfig, type EdgeProtocol } from './edge-config.ts';

const nginx = process.env['NGINX'] ?? 'nginx';

export const describeWithNginx = await describeWhere('nginx', async () => {
  if (spawnSync(nginx, ['-v']).error) throw new Error('nginx is not installed; NGINX names its path');
});

export type Changes = readonly (readonly [from: string, to: string])[];

export interface EdgeOptions {
  /** The address to which a service's name leads. nginx knows the name as `$service`. */
  readonly upstream: string;
  /** 0: any free port. */
  readonly port?: number;
  readonly changes?: Changes;
  readonly protocol?: EdgeProtocol;
  /** The file that an operator puts into the folder of the network's settings. */
  readonly networkConfig?: string;
}

const dockersNetwork = readFileSync(new URL('../deploy/edge/conf.d/resolver.conf', import.meta.url), 'utf8');

/** Starts nginx with the edge's own configuration; only ports, folders and sizes are those of the test. Returns its port. */
export async function startEdge(options: EdgeOptions, undo: (step: () => Promise<unknown>) => void): Promise<number> {
  const { upstream, changes = [], protocol = 'http', networkConfig = dockersNetwork } = options;
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-edge-'));
  undo(() => rm(folder, { recursive: true }));
  const [free = 0, healthPort = 0] = await findFreePorts(2);
  const port = options.port ?? free;
  const network = join(folder, 'edge.d');
  await mkdir(network);
  await writeFile(join(network, 'network.conf'), networkConfig);
  const own: Changes = [
    ['listen 8080;', `listen 127.0.0.1:${port};`],
    ['127.0.0.1:8090', `127.0.0.1:${healthPort}`],
    ['http://$service:8080', upstream],
    ['/tmp/', `${folder}/`],
    ['worker_processes auto', 'worker_processes 1'],
    ...changes,
    ['/etc/nginx/edge.d/', `${network}/`], // it comes last: the folder's name has /tmp/ in it
  ];
  const file = join(folder, 'nginx.conf');
  await writeFile(file, own.reduce(replaceAll, createEdgeConfig(protocol)));
  const child = spawn(nginx, ['-c', file, '-e', 'stderr', '-g', 'daemon off;'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  undo(async () => {
    if (child.exitCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => void (said += chunk.toString()));
  const isUp = () =>
    fetch(`http://127.0.0.1:${healthPort}/`).then(
      ({ status }) => status === 204,
      () => false,
    );
  await eventually(async () => (await isUp()) || Promise.reject(new Error(said)), { withinMs: 5_000 });
  return port;
}

function replaceAll(text: string, [from, to]: Changes[number]): string {
  if (!text.includes(from)) throw new Error(`the edge's configuration has no ${from}`);
  return text.replaceAll(from, to);
}
