import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startChildService } from '@tollgate/testkit/child-service';
import { eventually } from '@tollgate/testkit/eventually';
import { describeWhere } from '@tollgate/testkit/servers/describe-where';
import type { Undo } from '../it-with.ts';
import type { Front } from './front.ts';
import { blockWith } from './page.ts';

const caddy = process.env['CADDY'] ?? 'caddy';

export const describeWithCaddy = await describeWhere('caddy', async () => {
  if (spawnSync(caddy, ['version']).error) throw new Error('caddy is not installed; CADDY names its path');
});

/** Runs the page's Caddyfile. Ports, folders and the authority are those of the test. */
export async function startCaddy(front: Front, undo: Undo): Promise<void> {
  const { folder, httpPort, tlsPort, otherPort, authority, tollgate, ask } = front;
  const own = [
    'default_bind 127.0.0.1',
    `http_port ${httpPort}`,
    `https_port ${tlsPort}`,
    `admin 127.0.0.1:${otherPort}`,
    `acme_ca ${authority.directory}`,
    `acme_ca_root ${authority.serverCa}`,
    'renew_interval 1s', // it looks each ten minutes at certificates that are good for months
  ];
  const block = blockWith('text', 'reverse_proxy').replace('127.0.0.1:8080', tollgate);
  const file = join(folder, 'Caddyfile');
  writeFileSync(file, `{\n\t${own.join('\n\t')}\n}\n${block}`);
  const args = ['run', '--config', file, '--adapter', 'caddyfile'];
  const service = startChildService({ command: caddy, args, env: { HOME: folder }, logFile: join(folder, 'log') });
  undo(() => service.destroy());
  await eventually(() => ask('/livez'), { withinMs: 60_000 });
}
