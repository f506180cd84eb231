import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { systemClock } from '@tollgate/kernel/clock';
import { startChildService, type ChildService } from '@tollgate/testkit/child-service';
import { readyAt } from '@tollgate/testkit/standalone-process';
import { buildPackage, npm, packPackage, strangersEnvironment } from '../../tools/release/pack-package.ts';
import { openFolder, type Undo } from '../it-with.ts';
import { servePackages } from './serve-packages.ts';

type Environment = Readonly<Record<string, string>>;
type Done = { code: number; stdout: string; stderr: string };

/** Somebody who has installed the command line in an empty folder, as a builder, and knows a consumer. */
export interface Stranger {
  readonly folder: string;
  /** How long ago the install began. */
  sinceInstallMs(): number;
  /** Starts the service and returns how long that took. `offline`: where every access to a network fails. */
  start(where?: 'online' | 'offline'): Promise<number>;
  stop(): Promise<void>;
  /** Runs `tollgate …` with this text at standard input. */
  tollgate(args: readonly string[], input?: string): Promise<Done>;
  /** The same, by the consumer, who has an account and settings of their own. */
  consumerTollgate(args: readonly string[], input?: string): Promise<Done>;
  /** Starts `tollgate …`, which says on standard error when it waits. */
  follow(args: readonly string[]): { readonly waits: Promise<unknown>; readonly output: Promise<string> };
  /** Runs lines of a shell, where `npx tollgate` is the installed one. */
  paste(lines: string, input: string): Promise<string>;
  /** Runs a program in the folder, with an API key of the builder. */
  run(program: string, more?: Environment): Promise<string>;
  /** Pastes a README's first lines into an empty folder: installs what they say, and keeps the program. */
  pasteReadme(page: string): Promise<PastedProgram>;
}

export interface PastedProgram {
  readonly folder: string;
  /** The name that the README gives it. */
  readonly name: string;
  readonly text: string;
  /** For running it: where Tollgate is, and an API key of the builder. */
  readonly env: Environment;
}

export const readPage = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
export const programsOf = (page: string): string[] =>
  [...page.matchAll(/```js\n(.*?)```/gs)].map(([, text = '']) => text);

/** Matches the lines that install it, the name of the program, and the program. */
const firstLines = /```sh\n([^`]*)```\n\nSave [^`]*`(\S+)`[^\n]*\n\n```js\n(.*?)```/s;

/** Packs the packages, and installs the command line. Nothing of the repository is on its way from then on. */
export async function openStranger(undo: Undo): Promise<Stranger> {
  const lives: ChildService[] = [];
  const folder = openFolder('stranger', undo, () => lives.map((life) => life.output()).join('\n'));
  undo(() => Promise.all(lives.map((life) => life.destroy())));
  const [cli, mcp, sdk, middleware] = packAll(join(folder, 'packed'));
  const registry = await servePackages([mcp, sdk, middleware], undo);
  writeFileSync(join(folder, 'package.json'), '{ "name": "stranger", "private": true, "type": "module" }');
  const beganMs = systemClock.monotonicMs();
  npm(folder, ['install', '--no-audit', '--no-fund', '--prefer-offline', cli, mcp, sdk]);

  const main = join(folder, 'node_modules/tollgate/dist/main.js');
  const dataDir = join(folder, 'data');
  let env: Environment = { XDG_CONFIG_HOME: join(folder, 'settings'), HOME: folder };
  const asConsumer = { XDG_CONFIG_HOME: join(folder, 'settings-of-the-consumer') };

  async function execute(args: readonly string[], input: string, more: Environment = {}): Promise<Done> {
    const running = promisify(execFile)(process.execPath, args, { cwd: folder, env: { ...env, ...more } });
    running.child.stdin?.end(input);
    return running.then(
      (done) => ({ code: 0, ...done }),
      (error: Done) => error,
    );
  }

  async function newKey(): Promise<string> {
    const { code, stdout, stderr } = await execute([main, 'keys', 'create', 'program', '--key-only'], '');
    if (code !== 0) throw new Error(stderr);
    return stdout.trim();
  }

  return {
    folder,
    sinceInstallMs: () => systemClock.monotonicMs() - beganMs,
    async start(where = 'online') {
      const command = [process.execPath, main, 'start', '--port', '0', '--data', dataDir];
      const [program = '', ...args] = where === 'online' ? command : [...withoutNetwork(), ...command];
      const startedMs = systemClock.monotonicMs();
      const options = { cwd: folder, dataDir, ...(where === 'offline' && { env: deadNetwork }) };
      const life = startChildService({ command: program, args, ...options });
      lives.push(life);
      env = { ...env, TOLLGATE_URL: (await readyAt(life)).baseUrl };
      return systemClock.monotonicMs() - startedMs;
    },
    async stop() {
      lives.at(-1)?.signal('SIGTERM');
      await lives.at(-1)?.exited;
    },
    tollgate: (args, input = '') => execute([main, ...args], input),
    consumerTollgate: (args, input = '') => execute([main, ...args], input, asConsumer),
    follow(args) {
      const running = promisify(execFile)(process.execPath, [main, ...args], { cwd: folder, env });
      const { stderr } = running.child;
      const waits = stderr === null ? Promise.reject(new Error('no standard error')) : once(stderr, 'data');
      return { waits, output: running.then(({ stdout }) => stdout) };
    },
    async paste(lines, input) {
      const shell = { cwd: folder, env: { ...env, PATH: process.env['PATH'] } };
      const running = promisify(execFile)('sh', ['-ec', lines], shell);
      running.child.stdin?.end(input);
      return (await running).stdout;
    },
    async run(program, more = {}) {
      writeFileSync(join(folder, 'program.js'), program);
      const asBuilder = { TOLLGATE_API_KEY: await newKey(), ...more };
      const { code, stdout, stderr } = await execute(['program.js'], '', asBuilder);
      if (code !== 0) throw new Error(stderr);
      return stdout;
    },
    async pasteReadme(page) {
      const empty = openFolder('pasted', undo);
      writeFileSync(join(empty, '.npmrc'), `@tollgate:registry=${registry}/\n`);
      const [, lines = '', name = '', text = ''] = firstLines.exec(readPage(page)) ?? [];
      if (text === '') throw new Error(`${page} has no program after the lines that install it`);
      const { PATH, ...shell } = strangersEnvironment();
      const ours = { XDG_CONFIG_HOME: env['XDG_CONFIG_HOME'], TOLLGATE_URL: env['TOLLGATE_URL'] };
      const path = [join(folder, 'node_modules/.bin'), PATH].join(delimiter);
      const pasted = lines.replaceAll('npx tollgate', 'tollgate'); // the one that is installed beside the empty folder
      await promisify(execFile)('sh', ['-ec', pasted], { cwd: empty, env: { ...shell, ...ours, PATH: path } });
      writeFileSync(join(empty, name), text);
      const own = { TOLLGATE_URL: env['TOLLGATE_URL'] ?? '', TOLLGATE_API_KEY: await newKey() };
      return { folder: empty, name, text, env: { PATH, HOME: empty, ...own } };
    },
  };
}

function packAll(into: string): [string, string, string, string] {
  mkdirSync(into);
  for (const path of ['packages/cli', 'packages/middleware']) buildPackage(path); // with what they need
  const pack = (path: string): string => packPackage(path, into);
  return [pack('packages/cli'), pack('packages/mcp'), pack('packages/sdk'), pack('packages/middleware')];
}

/** A program that asks a registry or a proxy all the same finds nobody. */
const deadNetwork: Environment = Object.fromEntries(
  ['npm_config_registry', 'HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'].map(
    (name) => [name, 'http://127.0.0.1:9'],
  ),
);

/** Before a command: runs it where the loopback is the whole network. Only root may; elsewhere the variables must do. */
function withoutNetwork(): string[] {
  const alone = ['unshare', '--net', 'sh', '-ec', 'ip link set lo up; exec "$0" "$@"'];
  const [command = '', ...args] = alone;
  if (spawnSync(command, [...args, 'true'], { stdio: 'ignore' }).status === 0) return alone;
  process.stderr.write('stranger: no network namespace can be made, so dead proxies stand in for a lost network\n');
  return [];
}
