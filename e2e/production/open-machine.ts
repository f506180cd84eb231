import { execFile, spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startChildService } from '@tollgate/testkit/child-service';
import { eventually } from '@tollgate/testkit/eventually';
import { describeWhere } from '@tollgate/testkit/servers/describe-where';
import { openFolder, type Undo } from '../it-with.ts';

const run = promisify(execFile);
const installWithinMs = 600_000;
const hosts = '/etc/ssl/certs/ca-certificates.crt';
const authorities = '/opt/authorities.pem'; // there npm finds those that this host trusts

/** Such as systemd-nspawn needs them: it does not run on those of the first version. */
const ownCgroups = 'mount --make-rprivate /; umount -R -l /sys/fs/cgroup; mount -t cgroup2 none /sys/fs/cgroup';
const maxBuffer = 64 * 1024 * 1024;

export const describeWithMachine = await describeWhere('a Debian of its own', async () => {
  for (const program of ['debootstrap', 'systemd-nspawn', 'nsenter'])
    if (spawnSync(program, ['--version']).error) throw new Error(`${program} is not installed`);
  if (process.getuid?.() !== 0) throw new Error('only root can make and boot one');
  const mounting = ['--mount', '--cgroup', 'sh', '-ec', ownCgroups];
  if (spawnSync('unshare', mounting).status !== 0) throw new Error('no cgroups of its own can be mounted');
});

/** A minimal Debian in a folder. Nothing of this host is in it but its list of package sources and its authorities. */
export interface Machine {
  readonly root: string;
  /** Runs lines of a shell before the machine was started: as root, in its folder, with the host's network. */
  prepare(lines: string): Promise<string>;
  /** Starts it: systemd is its first process, and the loopback its whole network. */
  start(): Promise<void>;
  /**
   * Runs lines of a shell in the running machine, as root. Throws with all output if one fails. `online`: with the
   * host's network in the place of its own, for lines that fetch packages; systemd hears them all the same.
   */
  paste(lines: string, where?: 'online'): Promise<string>;
  /** A command before a program of this host: runs it in the machine's network. */
  networked(): readonly string[];
}

export async function openMachine(undo: Undo): Promise<Machine> {
  const root = join(openFolder('machine', undo), 'root');
  const include = '--include=systemd,systemd-sysv,dbus,ca-certificates';
  await run('debootstrap', ['--variant=minbase', include, await release(), root, await mirror()], { maxBuffer });
  const copied = { '/etc/apt/sources.list': '', '/etc/apt/sources.list.d': '', [hosts]: authorities };
  for (const [path, to] of Object.entries(copied))
    if (existsSync(path)) cpSync(path, join(root, to || path), { recursive: true });
  let leader = 0;
  const inside = () => ['--target', String(leader), '--mount', '--uts', '--ipc', '--pid', '--cgroup'];
  const nspawn = (...how: readonly string[]) => {
    const all = ['systemd-nspawn', '--quiet', '--register=no', '--keep-unit', '-D', root, ...how];
    return ['--mount', '--cgroup', 'sh', '-ec', `${ownCgroups}; exec "$0" "$@"`, ...all];
  };
  const machine: Machine = {
    root,
    prepare: (lines) => shell('unshare', nspawn('--pipe', '--resolv-conf=copy-host'), lines),
    async start() {
      const booted = startChildService({ command: 'unshare', args: nspawn('--boot', '--private-network') });
      undo(() => booted.destroy());
      leader = (await eventually(() => leaderBelow(booted.pid), { withinMs: 30_000 })) ?? 0;
      undo(() => process.kill(leader, 'SIGKILL')); // and with it all of the machine
      const isUp = async () => (await machine.paste('systemctl is-system-running || true')).trim() === 'running';
      await eventually(isUp, { withinMs: 60_000, everyMs: 500 });
    },
    paste: (lines, where) => shell('nsenter', where === 'online' ? inside() : ['--net', ...inside()], lines),
    networked: () => ['nsenter', '--target', String(leader), '--net'],
  };
  return machine;
}

async function shell(command: string, args: readonly string[], lines: string): Promise<string> {
  const clean = [
    'env',
    '-i',
    'HOME=/root',
    'LANG=C.UTF-8',
    'DEBIAN_FRONTEND=noninteractive',
    `NODE_EXTRA_CA_CERTS=${authorities}`,
  ];
  const path = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
  const npm = [`npm_config_cafile=${authorities}`, 'npm_config_prefer_offline=true', 'npm_config_audit=false'];
  const all = [...args, ...clean, path, ...npm, 'bash', '-ec', `cd /root\n${lines}`];
  const done = await run(command, all, { maxBuffer, timeout: installWithinMs }).catch((error: Error & Output) => {
    throw new Error(`${error.message}\n${error.stdout}\n${error.stderr}`);
  });
  return done.stdout;
}

interface Output {
  readonly stdout: string;
  readonly stderr: string;
}

async function release(): Promise<string> {
  const { stdout } = await run('sh', ['-c', '. /etc/os-release; echo "$VERSION_CODENAME"']);
  return stdout.trim();
}

/** Where this host's apt gets its packages. */
async function mirror(): Promise<string> {
  const { stdout } = await run('apt-get', ['indextargets', '--format', '$(REPO_URI)', 'Created-By: Packages']);
  return stdout.split('\n')[0] ?? '';
}

/** The first process of the machine, once it is there. */
function leaderBelow(pid: number): number | undefined {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  return children.map(Number).find((child) => /^NSpid:.*\t1$/m.test(readFileSync(`/proc/${child}/status`, 'utf8')));
}
