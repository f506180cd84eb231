import { execFile, execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect } from '@jest/globals';
import { itWith, openFolder } from '../it-with.ts';
import { openProduct } from '../open-product.ts';

const run = promisify(execFile);
const client = fileURLToPath(new URL('../../clients/python', import.meta.url));
const tools = ['mypy==2.4.1', 'pytest==9.2.0'];

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

(lack === undefined ? describe : describe.skip)('the Python client', () => {
  const it = itWith(async (undo) => {
    const product = await openProduct({ name: 'python-client' }, undo);
    const folder = openFolder('python-environment', undo);
    await run('python3', ['-m', 'venv', folder]);
    const python = join(folder, 'bin/python');
    await run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', client, ...tools]);
    return async (...args: string[]) => {
      const env = { ...process.env, TOLLGATE_URL: product.baseUrl(), PYTHONDONTWRITEBYTECODE: '1' };
      type Output = { stdout: string; stderr: string }; // a failed run has both, too
      const { stdout, stderr } = await run(python, args, { cwd: client, env }).catch((error: Output) => error);
      return stdout + stderr;
    };
  });

  it('passes its tests as it is installed, against a real service', async (python) => {
    expect(await python('-m', 'pytest', '-q', '-p', 'no:cacheprovider')).toMatch(/^\d+ passed/m);
  });
  it('has types that mypy --strict accepts', async (python) => {
    expect(await python('-m', 'mypy', '--cache-dir=/dev/null')).toContain('Success: no issues found');
  });
  it('has the same methods for asyncio (else: python clients/python/write_async.py)', async (python) => {
    expect(await python('write_async.py', '--check')).toBe('');
  });
});
