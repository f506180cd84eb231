import { expect } from '@jest/globals';
import { mountSmallDisk } from '@tollgate/testkit/disks';
import { itWith, openFolder } from '../it-with.ts';
import { openProduct } from '../open-product.ts';
import { describeWithPython, openPython, pytest, pythonClient, runPython } from './python-environment.ts';

const tools = [...pytest, 'mypy==2.4.1', 'vermin==1.9.2', 'mcp==2.3.0'];

/** Servers of MCP in three generations take most of the time. A landing leaves them to the long lane. */
const left = process.env['TEST_LANE'] === 'short' ? ['--ignore=tests/test_mcp.py'] : [];

const patienceMs = 600_000; // beside the other suites

describeWithPython('the Python client', () => {
  const it = itWith(async (undo) => {
    const product = await openProduct({ name: 'python-client' }, undo);
    const disk = await mountSmallDisk(openFolder('python-disk', undo), { bytes: 2 * 1024 * 1024 }).catch(
      () => undefined,
    );
    if (disk !== undefined) undo(() => disk.destroy());
    const python = await openPython(undo, [pythonClient, ...tools]);
    return { python: runPython(python, { TOLLGATE_URL: product.baseUrl(), SPOOL_DISK: disk?.path }) };
  }, patienceMs);

  it(
    'F180 passes its tests as it is installed, against a real service, with MCP of the second generation',
    async ({ python }) => {
      const output = await python('-m', 'pytest', '-q', '--maxfail=1', '-p', 'no:cacheprovider', ...left); // a test that hangs later must not hide a failure
      expect(output).toMatch(/^\d+ passed/m);
    },
    patienceMs,
  );
  it('has types that mypy --strict accepts', async ({ python }) => {
    expect(await python('-m', 'mypy', '--cache-dir=/dev/null')).toContain('Success: no issues found');
  });
  it('needs no newer Python than it says', async ({ python }) => {
    const typesAlone = ['NotRequired', 'Self', 'Unpack'].flatMap((name) => ['--exclude', `typing.${name}`]);
    const main = ['-c', 'import vermin; vermin.main()', '--quiet', '--violations', '-t=3.9-'];
    expect(await python(...main, ...typesAlone, 'src')).toBe('');
  });
  it('has the same methods for asyncio (else: python clients/python/write_async.py)', async ({ python }) => {
    expect(await python('write_async.py', '--check')).toBe('');
  });
});
