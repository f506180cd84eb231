import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, it } from '@jest/globals';
import { describeWhere } from '@tollgate/testkit/servers/describe-where';
import { buildStandalone, startStandalone } from '@tollgate/testkit/standalone-process';
import { installService } from '../src/systemd/install-service.ts';
import { runTollgate } from './support/run-tollgate.ts';
import { makeFolder } from './support/use-standalone.ts';

const describeWithSystemd = await describeWhere('systemd', async () => {
  if (spawnSync('systemd-analyze', ['--version']).error) throw new Error('systemd-analyze is not installed');
});
const root = makeFolder();
const program = { node: process.execPath, program: '/usr/lib/node_modules/tollgate/dist/main.js' };
const options = { port: '8080', memory: '2G', backupTo: '/mnt/off site/tollgate', keep: 14, root };
const at = (path: string) => join(root, path);
const units = ['tollgate.service', 'tollgate-backup.service', 'tollgate-backup.timer'];

afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('tollgate operator service install', () => {
  it('writes the files, says which, and leaves settings that are there as they are', () => {
    const said = installService(options, program);
    for (const unit of units) expect(said).toContain(`wrote /etc/systemd/system/${unit}`);
    const settings = at('/etc/tollgate/tollgate.env');
    expect(statSync(settings).mode & 0o777).toBe(0o600);
    writeFileSync(settings, 'PUBLIC_URL=https://tollgate.example.com\n');
    expect(installService({ ...options, memory: '4G' }, program)).toContain(
      '/etc/tollgate/tollgate.env stays as it is',
    );
    expect(readFileSync(settings, 'utf8')).toBe('PUBLIC_URL=https://tollgate.example.com\n');
    expect(readFileSync(at('/etc/systemd/system/tollgate.service'), 'utf8')).toContain('MemoryMax=4G');
  });

  it('prints the files and writes nothing with --dry-run', () => {
    const elsewhere = join(root, 'elsewhere');
    mkdirSync(elsewhere);
    expect(installService({ ...options, root: elsewhere, dryRun: true }, program)).toContain('ProtectSystem=strict');
    expect(statSync(elsewhere).nlink).toBe(2);
  });

  it.each([
    [{ port: '443' }, /--port must be from 1024/],
    [{ memory: 'lots' }, /--memory must be a size/],
    [{ backupTo: 'backups' }, /--backup-to must be an absolute path/],
  ])('refuses %j with what is meant', (wrong, words) => {
    expect(() => installService({ ...options, ...wrong }, program)).toThrow(words);
  });

  it('refuses a program that the service could not read, and says how to install it', async () => {
    await buildStandalone();
    const copy = join(root, 'home');
    const answer = await runTollgate(`service install --root ${copy}`, { folder: root });
    const isHidden =
      /^\/(home|root|tmp)\//.test(process.execPath) || /^\/(home|root|tmp)\//.test(import.meta.url.slice(7));
    expect(answer.code).toBe(isHidden ? 1 : 0);
    expect(answer.out + answer.err).toMatch(isHidden ? /npm install --global tollgate/ : /wrote .*tollgate.service/);
  });
});

describeWithSystemd('the units', () => {
  it('F353 are what systemd takes without a warning, and are confined', () => {
    installService({ ...options, root }, { node: '/bin/true', program: '/bin/true' });
    const files = units.map((unit) => at(`/etc/systemd/system/${unit}`));
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', ...files], { encoding: 'utf8' });
    expect({ status, stderr: stderr.split('\n').filter((line) => line.includes('tollgate')) }).toEqual({
      status: 0,
      stderr: [],
    });
    for (const file of files.slice(0, 2)) {
      const judged = spawnSync('systemd-analyze', ['security', '--offline=true', file], { encoding: 'utf8' });
      const exposure = Number(/exposure level for \S+: ([\d.]+)/.exec(judged.stdout)?.[1]);
      expect(exposure).toBeLessThanOrEqual(2.5);
    }
  });

  it('F354 are told when the service is ready, and when it stops', async () => {
    await buildStandalone();
    const socket = join(root, 'notify');
    const listener = spawn('python3', ['-c', receiver, socket], { stdio: ['ignore', 'pipe', 'inherit'] });
    const heard = createInterface({ input: listener.stdout })[Symbol.asyncIterator]();
    const next = async () => (await heard.next()).value as string;
    expect(await next()).toBe('listening');
    const env = { NOTIFY_SOCKET: socket, PATH: String(process.env['PATH']) };
    const service = startStandalone({ dataDir: join(root, 'data'), env });
    try {
      expect(await next()).toContain('READY=1');
      await service.ready();
      service.signal('SIGTERM');
      expect(await next()).toContain('STOPPING=1');
      expect(await service.exited).toMatchObject({ code: 0 });
    } finally {
      await service.destroy();
      listener.kill();
    }
  }, 120_000);
});

/** Prints each datagram in one line, as systemd gets them, but for those that only wait for an answer. */
const receiver = `
import os, socket, sys
receiving = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
receiving.bind(sys.argv[1])
print('listening', flush=True)
while True:
    data, ancillary, _, _ = receiving.recvmsg(4096, 1024)
    for _, _, descriptors in ancillary:
        for at in range(0, len(descriptors), 4):
            os.close(int.from_bytes(descriptors[at:at + 4], sys.byteorder))
    if b'BARRIER' not in data:
        print(data.decode().replace('\\n', ' '), flush=True)
`;
