import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

import { createDatabase } from '@tollgate/database/database';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { testDatabase } from '@tollgate/testkit/postgres';
import { standaloneCli } from '@tollgate/testkit/standalone-process';

export interface Context {
  readonly input?: string | undefined;
  readonly env?: Record<string, string>;
}

/** Runs one command line, such as `ledger check`, in this folder. */
export async function runTollgate(line: string, { input = '', env = {}, folder }: Context & { folder?: string }) {
  const child = spawn(process.execPath, [standaloneCli, ...line.split(' ')], {
    env: { PATH: process.env['PATH'], ...env },
    cwd: folder,
  });
  child.stdin.end(input);
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
  return { code, out, err };
}

/** Runs the work on a database of its own that these statements have changed. */
export async function onChangedDatabase<Result>(
  statements: readonly string[],
  work: (context: { readonly env: Record<string, string> }) => Promise<Result>,
): Promise<Result> {
  const { ownerUrl, drop } = await testDatabase();
  const log = createLogger({ name: 'test', level: 'silent' });
  const owner = createDatabase({ url: ownerUrl, name: 'test-owner', log });
  for (const statement of statements) await owner.query(statement);
  await owner.stop();
  const result = await work({ env: { DATABASE_URL: ownerUrl } });
  await drop();
  return result;
}
