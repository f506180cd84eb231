import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect } from '@jest/globals';
import { systemClock } from '@tollgate/kernel/clock';
import { eventually } from '@tollgate/testkit/eventually';
import { buildStandalone } from '@tollgate/testkit/standalone-process';
import { packPackage } from '../../tools/release/pack-package.ts';
import { laterMigrations } from '../distributed/later-migrations.ts';
import { buildGo, describeWithGo } from '../go-programs.ts';
import { itWith, openFolder, type Undo } from '../it-with.ts';
import { describeWithMachine, openMachine, type Machine } from './open-machine.ts';
import { openAuthority, type Authority } from './open-authority.ts';
import { blockWith, name, page } from './page.ts';

const openWithinMs = 1_800_000; // it fetches some 400 packages of Debian and 300 of npm, and builds the authority
const asService = 'setpriv --reuid tollgate --regid tollgate --clear-groups tollgate operator';
const ask = `curl -sS --fail-with-body https://${name}`;

/** An empty Debian on which the page's lines were pasted up to a trusted https. Names of a registry are tarballs here. */
async function openServer(undo: Undo) {
  const folder = openFolder('one-server', undo);
  const programs = join(folder, 'programs');
  mkdirSync(programs);
  await buildGo('e2e/production/acme', 'tool', programs);
  await buildStandalone();
  const machine = await openMachine(undo);
  const versions = packVersions(folder, machine.root);
  const paste = (lines: string, where?: 'online') => machine.paste(fromTarballs(lines, versions), where);
  const timed = createTimes();
  const install = fromTarballs(`${blockWith('sh', 'service install')}\napt-get install -y caddy`, versions);
  await timed('install', machine.prepare(install));
  appendFileSync(join(machine.root, 'etc/hosts'), `127.0.0.1 localhost ${name}\n`);
  await timed('boot', machine.start());
  const settings = blockWith('text', 'OPERATOR_TOKEN').replace('…', '$(openssl rand -base64 36)');
  await machine.paste(`cat >> /etc/tollgate/tollgate.env <<END\n${settings}END`);
  await timed('start', paste(blockWith('sh', 'systemd-sysusers')));
  const places = { programs, folder: join(folder, 'authority'), httpPort: 80, tlsPort: 443, validitySeconds: 86_400 };
  const authority = await openAuthority({ ...places, networked: machine.networked() }, undo);
  await timed('TLS', serveByCaddy(machine, authority));
  process.stderr.write(`the page took ${timed.said()}\n`);
  return { machine, paste, timed };
}

describeWithGo('docs/production.md, on an empty Debian', () => {
  describeWithMachine('with systemd as its first process', () => {
    const it = itWith(openServer, openWithinMs);

    it('F390 leads to a paid invoice', async ({ machine, timed }) => {
      const said = await timed('the trial', machine.paste(tourThere()));
      expect(said).toMatch(/"invoices":\[\{[^\n]*"status":"paid"/);
      expect(said).toMatch(/"payouts":\[\{[^\n]*"status":"paid"/);
      expect(await machine.paste(blockWith('sh', 'operator status'))).toContain('Nothing needs you.');
      process.stderr.write(`the page took ${timed.said()}\n`);
    }, 180_000);

    it('F390 upgrades after a verified backup, and goes back without losing what came since', async ({
      machine,
      paste,
      timed,
    }) => {
      await timed('the upgrade', paste(blockWith('sh', 'tollgate@0.2.0'), 'online'));
      expect(await versionOf(machine)).toContain('Tollgate 0.2.0');
      expect(await machine.paste(`${asService} status --data /var/lib/tollgate`)).toMatch(
        /newest verified backup +\d+ (second|minute)/,
      );
      await machine.paste(`${ask}/v1/auth/register ${credentials}`);
      await timed('the way back', paste(blockWith('sh', 'NEWER_DATABASE'), 'online'));
      expect(await versionOf(machine)).toContain('Tollgate 0.1.0');
      expect(await machine.paste(`${ask}/v1/auth/login ${credentials}`)).toContain('access_token');
      await machine.paste('systemctl start tollgate-backup'); // also a backup of the newer database is verified
      process.stderr.write(`the page took ${timed.said()}\n`);
    }, 600_000);

    it('F390 restores a backup, and begins anew', async ({ machine }) => {
      const folder = '"$(ls -d /mnt/backups/tollgate/* | head -1)"'; // it was made before the account
      const command = /`(tollgate operator restore [^`]*)`/.exec(page)?.[1]?.replace('<folder>', folder) ?? 'false';
      const owned = /`(chown -R [^`]*)`/.exec(page)?.[1] ?? 'false';
      const lines = [
        'systemctl stop tollgate',
        'mv /var/lib/tollgate /var/lib/old',
        command,
        owned,
        'systemctl start tollgate',
      ];
      await machine.paste(lines.join('\n'));
      await expect(machine.paste(`${ask}/v1/auth/login ${credentials}`)).rejects.toThrow('"status":401');
      await machine.paste(blockWith('sh', 'find /var/lib/tollgate'));
      expect(await machine.paste(`${ask}/livez`)).toContain('ok');
    }, 300_000);
  });
});

const credentials = `-H 'Content-Type: application/json' -d '{"email":"since@example.com","password":"correct horse battery"}'`;

/** Serves by the page's Caddyfile, with the authority in the place of that of everybody, and has the machine trust it. */
async function serveByCaddy(machine: Machine, authority: Authority): Promise<string> {
  const into = (path: string, text: string) => writeFileSync(join(machine.root, path), text);
  into('etc/caddy/authority.pem', readFileSync(authority.serverCa, 'utf8'));
  into('usr/local/share/ca-certificates/authority.crt', authority.root);
  const own = `{\n\tacme_ca ${authority.directory}\n\tacme_ca_root /etc/caddy/authority.pem\n}\n`;
  into('etc/caddy/Caddyfile', own + blockWith('text', 'reverse_proxy'));
  await machine.paste('update-ca-certificates; systemctl reload caddy');
  return eventually(() => machine.paste(`${ask}/livez`), { withinMs: 60_000, everyMs: 500 });
}

async function versionOf(machine: Machine): Promise<string> {
  return machine.paste(`${asService} status --data /var/lib/tollgate | head -1`);
}

/** The blocks of the tour, with the two lines that the page gives for this server. */
function tourThere(): string {
  const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  const [, tour = ''] = /## A tour in five minutes\n(.*?)\n## /s.exec(read('README.md')) ?? [];
  const blocks = [...(tour + read('docs/tour.md')).matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block);
  const [url = '', operator = ''] = blockWith('sh', 'URL=').split('\n');
  const there = blocks
    .join('\n')
    .replace(/^URL=.*$/m, () => url)
    .replace(/^OPERATOR=.*$/m, () => operator);
  return `set +e\n${there}`; // the tour shows refusals, too
}

interface Versions {
  readonly '0.1.0': readonly string[];
  readonly '0.2.0': readonly string[];
}

/** This version, and one that is the next by its number and by migrations to the busiest tables. */
function packVersions(folder: string, root: string): Versions {
  const packed = join(folder, 'packed');
  mkdirSync(packed);
  const clients = ['packages/mcp', 'packages/sdk'].map((path) => packPackage(path, packed));
  const old = packPackage('packages/cli', packed);
  execFileSync('tar', ['-xzf', old, '-C', packed]);
  for (const part of ['package', 'package/node_modules/@tollgate/standalone']) {
    const manifest = join(packed, part, 'package.json');
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('"version": "0.1.0"', '"version": "0.2.0"'));
  }
  for (const [migration, sql] of Object.entries(laterMigrations))
    writeFileSync(join(packed, `package/node_modules/@tollgate/database/migrations/${migration}.sql`), sql);
  const next = join(packed, 'tollgate-0.2.0.tgz');
  execFileSync('tar', ['-czf', next, '-C', packed, 'package']);
  const place = (file: string): string => {
    mkdirSync(join(root, 'opt/packed'), { recursive: true });
    cpSync(file, join(root, 'opt/packed', basename(file)));
    return `/opt/packed/${basename(file)}`;
  };
  const others = clients.map(place);
  return { '0.1.0': [place(old), ...others], '0.2.0': [place(next), ...others] };
}

/** The names are not published yet. */
function fromTarballs(lines: string, versions: Versions): string {
  return lines.replaceAll(
    /^npm install --global tollgate(?:@(.*))?$/gm,
    (_, version: keyof Versions = '0.1.0') => `npm install --global ${versions[version].join(' ')}`,
  );
}

/** How long the parts of the page took. */
function createTimes() {
  const times: string[] = [];
  const timed = async <T>(part: string, work: Promise<T>): Promise<T> => {
    const beganMs = systemClock.monotonicMs();
    const done = await work;
    times.push(`${part} ${Math.round((systemClock.monotonicMs() - beganMs) / 1_000)} s`);
    return done;
  };
  return Object.assign(timed, { said: () => times.join(', ') });
}
