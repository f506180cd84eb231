import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { composeImage } from '@tollgate/testkit/containers/compose-image';

export interface Container {
  readonly id: string;
  readonly name: string;
}

const repository = fileURLToPath(new URL('../../', import.meta.url));
const outputBytesMax = 512 * 1024 * 1024;

/** The running containers of a service. */
export async function containersOf(service: string): Promise<readonly [Container, ...Container[]]> {
  const said = await docker('compose', 'ps', '--format', '{{.ID}} {{.Name}}', service);
  const [first, ...others] = lines(said).map((line) => {
    const [id = '', name = ''] = line.split(' ');
    return { id, name };
  });
  if (first === undefined) throw new Error(`no container of ${service} runs: docker compose up --build --wait`);
  return [first, ...others];
}

/**
 * SIGKILL to all that runs in it, as when memory runs out. From outside: `docker kill` would be an order to stay down,
 * and within the container its first process cannot be killed.
 */
export async function crash({ id }: Container): Promise<void> {
  const pid = (await inspect(id, '{{.State.Pid}}')).trim();
  const outside = ['--pid', 'host', '--network', 'none', '--user', '0', '--entrypoint', 'sh'];
  await docker('run', '--rm', ...outside, composeImage('redis'), '-c', `kill -9 ${pid}`);
}

/** How often Docker has started it again. */
export async function restartsOf({ id }: Container): Promise<number> {
  return Number(await inspect(id, '{{.RestartCount}}'));
}

export async function isHealthy({ id }: Container): Promise<boolean> {
  const status = await inspect(id, '{{.State.Status}} {{if .State.Health}}{{.State.Health.Status}}{{end}}');
  return ['running healthy', 'running'].includes(status.trim());
}

/** What the load put into the metadata of each of these consumers' events that is counted. */
export async function readCountedRefs(consumerIds: readonly string[]): Promise<string[]> {
  const query = `select metadata ->> 'ref' from usage.event where consumer_id in ('${consumerIds.join("','")}')`;
  const psql = ['psql', '--username', 'tollgate_owner', '--dbname', 'tollgate', '--no-align', '--tuples-only'];
  return lines(await docker('compose', 'exec', '--no-TTY', 'postgres', ...psql, '--command', query));
}

function inspect(id: string, format: string): Promise<string> {
  return docker('inspect', '--format', format, id);
}

async function docker(...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('docker', args, { cwd: repository, maxBuffer: outputBytesMax });
  return stdout;
}

function lines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}
