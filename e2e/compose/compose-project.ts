import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { composeImage } from '@tollgate/testkit/containers/compose-image';
import { repository } from '@tollgate/testkit/faults/repository';

export interface Container {
  readonly id: string;
  readonly name: string;
}

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
 * Kills every process of a container, as when memory runs out. It does so from outside the container: after `docker kill`
 * Docker would not start it again, and no process inside may kill the first one.
 */
export async function crash({ id }: Container): Promise<void> {
  const pid = (await inspect(id, '{{.State.Pid}}')).trim();
  const outside = ['--pid', 'host', '--network', 'none', '--user', '0', '--entrypoint', 'sh'];
  await docker('run', '--rm', ...outside, composeImage('redis'), '-c', `kill -9 ${pid}`);
}

/** How often Docker has restarted the container. */
export async function restartsOf({ id }: Container): Promise<number> {
  return Number(await inspect(id, '{{.RestartCount}}'));
}

export async function isHealthy({ id }: Container): Promise<boolean> {
  const status = await inspect(id, '{{.State.Status}} {{if .State.Health}}{{.State.Health.Status}}{{end}}');
  return ['running healthy', 'running'].includes(status.trim());
}

/** The bytes of each image that is built here, layers of others included. */
export async function sizesOfImages(): Promise<ReadonlyMap<string, number>> {
  const images = lines(await docker('compose', 'config', '--images')).filter((image) => image.startsWith('tollgate/'));
  const ours = [...new Set(images)].toSorted();
  const sizes = lines(await docker('image', 'inspect', '--format', '{{.Size}}', ...ours));
  return new Map(ours.map((image, index) => [image, Number(sizes[index])]));
}

/** The `ref` that the load put into the metadata, for each counted event of these consumers. */
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
