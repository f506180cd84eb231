import { execFile, execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe } from '@jest/globals';
import { openFolder, type Undo } from '../it-with.ts';

const run = promisify(execFile);

/** The folder of the client. */
export const pythonClient = fileURLToPath(new URL('../../clients/python', import.meta.url));

/** Python itself, and its module for environments, which Debian packs apart. */
function lacksPython(): string | undefined {
  try {
    execFileSync('python3', ['-c', 'import sys, ensurepip, venv; assert sys.version_info >= (3, 10)'], {
      stdio: 'pipe',
    });
    return undefined;
  } catch {
    return 'needs Python 3.10 or newer, with venv (Debian: python3-venv)';
  }
}

const lack = lacksPython();
if (lack !== undefined) process.stderr.write(`The Python client is not tested: ${lack}\n`);

export const describeWithPython = lack === undefined ? describe : describe.skip;

/** An environment with these packages. Returns its Python. */
export async function openPython(undo: Undo, packages: readonly string[]): Promise<string> {
  const folder = openFolder('python-environment', undo);
  await run('python3', ['-m', 'venv', folder]);
  const python = join(folder, 'bin/python');
  if (packages.length > 0)
    await run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages]);
  return python;
}

/** The packages that run the client's tests. */
export const pytest = ['pytest==9.2.0', 'pytest-timeout==2.4.0'];

/** Runs a Python in the client's folder with these variables. Gives all that it printed, also where it failed. */
export function runPython(python: string, variables: Readonly<Record<string, string | undefined>>) {
  return async (...args: string[]): Promise<string> => {
    const env = { ...process.env, ...variables, PYTHONDONTWRITEBYTECODE: '1' };
    type Output = { stdout: string; stderr: string }; // a failed run has both, too
    const { stdout, stderr } = await run(python, args, { cwd: pythonClient, env }).catch((error: Output) => error);
    return stdout + stderr;
  };
}
