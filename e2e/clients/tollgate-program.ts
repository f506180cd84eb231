import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const program = fileURLToPath(new URL('../../packages/cli/dist/main.js', import.meta.url));

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built command line to its end, with this text at standard input. The environment is `env` and PATH alone. */
export async function runTollgate(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input = '',
): Promise<Ended> {
  const options = { env: { PATH: process.env['PATH'], ...env } };
  const ended = promisify(execFile)(process.execPath, [program, ...args], options);
  ended.child.stdin?.end(input);
  return ended.then(
    (output) => ({ code: 0, ...output }),
    ({ code, stdout, stderr }: Ended) => ({ code, stdout, stderr }), // a failed run has all three
  );
}
