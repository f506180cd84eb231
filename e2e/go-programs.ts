import { execFile } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from '@tollgate/testkit/faults/repository';
import { describeWhere } from '@tollgate/testkit/servers/describe-where';

const run = promisify(execFile);

/** A first build fetches and compiles hundreds of modules. */
export const goBuildWithinMs = 900_000;

export const describeWithGo = await describeWhere('go', async () => {
  await run('go', ['version']);
});

/** Builds the programs (`.`: the folder's own; `tool`: those its `go.mod` lists) of a Go module of ours into a folder. */
export async function buildGo(module: string, what: '.' | 'tool', into: string): Promise<void> {
  const source = join(into, 'module'); // a copy: Go may write into go.sum
  cpSync(join(repository, module), source, { recursive: true });
  await run('go', ['build', '-mod=readonly', '-o', `${into}/`, what], { cwd: source });
}
