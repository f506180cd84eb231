import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { findFreePorts } from '@tollgate/testkit/find-free-ports';
import { describeWhere } from '@tollgate/testkit/servers/describe-where';
import { buildImage } from '../../tools/release/build-image.ts';
import { openMarket } from '../clients/market.ts';
import { itWith, type Undo } from '../it-with.ts';

const run = promisify(execFile);
const image = 'tollgate/tollgate';
const buildWithinMs = 1_200_000;

async function docker(...words: string[]): Promise<string> {
  return (await run('docker', words)).stdout.trim();
}

/** The container of docs/deployment.md, on a volume and a port of its own. */
async function openContainer(undo: Undo) {
  buildImage('one', image);
  const [port = 0] = await findFreePorts(1);
  const name = `tollgate-one-${process.pid}`;
  const backups = `${name}-backups`;
  undo(() => docker('volume', 'rm', '--force', name, backups));
  undo(() => docker('rm', '--force', '--volumes', name));
  const volumes = ['--volume', `${name}:/var/lib/tollgate`, '--volume', `${backups}:/var/backups/tollgate`];
  const places = ['--publish', `127.0.0.1:${port}:8080`, ...volumes];
  const options = ['--detach', '--name', name, '--read-only', '--tmpfs', '/tmp', '--env', 'PROCESSOR=sandbox'];
  await docker('run', ...options, ...places, image);
  const health = () => docker('inspect', '--format', '{{.State.Health.Status}}', name);
  const untilHealthy = () => eventually(async () => (await health()) === 'healthy', { withinMs: 60_000, everyMs: 500 });
  return { url: `http://127.0.0.1:${port}`, name, untilHealthy };
}

const describeWithDocker = await describeWhere('Docker', () => docker('version'));

describeWithDocker('the image of all of Tollgate', () => {
  const it = itWith(openContainer, buildWithinMs);

  it('F392 keeps on its volume what it acknowledged, though it is killed', async (opened) => {
    const { url, name, untilHealthy } = opened;
    await untilHealthy();
    const { consumer, slug, untilCounted } = await openMarket(url);
    await consumer.events.record({ tool_id: slug });
    await docker('kill', '--signal', 'KILL', name);
    await docker('start', name);
    await untilHealthy();
    await consumer.events.record({ tool_id: slug });
    await untilCounted({ successes: 2, failures: 0 });
  }, 240_000);

  it('has the operator’s commands, and no user that is root', async ({ name }) => {
    const operator = (...words: string[]) => docker('exec', name, 'tollgate', 'operator', ...words);
    await operator('backup', '--to', '/var/backups/tollgate', '--keep', '7', '--verify');
    expect(await operator('status')).toMatch(/newest verified backup +\d+ seconds? ago[^]*Nothing needs you\./);
    expect(await docker('exec', name, 'id', '--user')).not.toBe('0');
  }, 60_000);

  it('ends well when it is stopped', async ({ name }) => {
    await docker('stop', '--time', '30', name);
    expect(await docker('inspect', '--format', '{{.State.ExitCode}}', name)).toBe('0');
    expect(await docker('logs', '--tail', '5', name)).toContain('Tollgate has stopped.');
  }, 60_000);
});
