import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { startChildService } from '@tollgate/testkit/child-service';
import { eventually } from '@tollgate/testkit/eventually';
import { openPython } from '../clients/python-environment.ts';
import type { Undo } from '../it-with.ts';
import type { Front } from './front.ts';
import { blockWith, name } from './page.ts';

const run = promisify(execFile);
const nginx = process.env['NGINX'] ?? 'nginx';

/** Pastes the page's lines for certbot, and runs its configuration of nginx. Ports and folders are those of the test. */
export async function startNginx(front: Front, undo: Undo): Promise<{ renew(): Promise<unknown> }> {
  const { folder, httpPort, tlsPort, tollgate, authority, ask } = front;
  const path = (file: string): string => join(folder, file);
  const sites = path('conf.d');
  for (const made of [sites, path('bin'), path('html')]) mkdirSync(made);
  chmodSync(folder, 0o755); // nginx drops root's rights, and reads the answers to challenges
  const python = await openPython(undo, ['certbot==5.8.0']);
  const certbot = [join(python, '../certbot'), '--config-dir', path('letsencrypt'), '--work-dir', path('work')];
  const more = ['--logs-dir', path('logs'), '--server', authority.directory];
  const program = (file: string, line: string) =>
    writeFileSync(path(`bin/${file}`), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  program('apt-get', 'exit 0');
  program('certbot', `exec ${[...certbot, ...more].join(' ')} "$@"`);
  program('systemctl', `test "$*" = 'reload nginx' && exec ${nginx} -c ${path('nginx.conf')} -e stderr -s reload`);
  const PATH = [path('bin'), process.env['PATH']].join(delimiter);
  const shell = { env: { PATH, HOME: folder, REQUESTS_CA_BUNDLE: authority.serverCa } };
  writeFileSync(path('nginx.conf'), nginxOfDebian(folder, httpPort));
  const service = startChildService({ command: nginx, args: ['-c', path('nginx.conf'), '-e', 'stderr'] });
  undo(() => service.destroy());
  await eventually(() => fetch(`http://127.0.0.1:${httpPort}/`), { withinMs: 10_000 });
  await run('sh', ['-ec', blockWith('sh', 'certbot').replaceAll('/var/www/html', path('html'))], shell);
  const block = blockWith('nginx', name)
    .replaceAll(/^.*listen \[::\].*\n/gm, '') // a machine may lack IPv6
    .replaceAll('listen 80;', `listen 127.0.0.1:${httpPort};`)
    .replaceAll('listen 443 ', `listen 127.0.0.1:${tlsPort} `)
    .replaceAll('/etc/letsencrypt/', `${path('letsencrypt')}/`)
    .replaceAll('/var/www/html', path('html'))
    .replaceAll('127.0.0.1:8080', tollgate);
  writeFileSync(join(sites, 'tollgate.conf'), block);
  await run('systemctl', ['reload', 'nginx'], shell);
  await eventually(() => ask('/livez'), { withinMs: 10_000 });
  // Debian's timer runs this without `--force-renewal`, and so renews only what ends within 30 days.
  const timer = ['-q', 'renew', '--no-random-sleep-on-renew', '--force-renewal'];
  return { renew: () => run('certbot', timer, shell) };
}

/** The parts of Debian's own files: the default site, and that files of `conf.d` are read. */
function nginxOfDebian(folder: string, httpPort: number): string {
  const written = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((of) => `${of}_temp_path ${folder}/${of};`);
  return `daemon off;
pid ${folder}/nginx.pid;
worker_processes 2;
events {}
http {
  access_log off;
  ${written.join('\n  ')}
  include ${folder}/conf.d/*.conf;
  server {
    listen 127.0.0.1:${httpPort} default_server;
    server_name _;
    root ${folder}/html;
  }
}
`;
}
