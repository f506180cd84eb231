import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

declare global {
  var tollgateTestCluster: ChildProcess | undefined;
}

const memoryDisk = '/dev/shm';
const roomBytes = 4 * 2 ** 30; // a run takes less than one

/**
 * Starts the keeper of this run's servers. The keeper is a process that ends when the pipe to it closes, so nothing stays
 * behind when jest is interrupted or killed. A server starts when the first test asks for it.
 *
 * Their data lies in memory where there is room: each test file copies a database of a thousand files, at a quarter of
 * the time. TEST_MEMORY names another folder in memory.
 */
export default function setUp(): void {
  const folder = mkdtempSync(join(findFolder(), 'tollgate-test-'));
  chmodSync(folder, 0o711); // root's PostgreSQL runs as another user, who must be able to enter
  process.env['TOLLGATE_TEST_CLUSTER'] = join(folder, 'keeper.sock');
  const keeper = fileURLToPath(new URL('cluster-keeper.ts', import.meta.url));
  globalThis.tollgateTestCluster = spawn(
    process.execPath,
    ['--conditions=@tollgate/source', '--disable-warning=ExperimentalWarning', keeper, folder],
    {
      stdio: ['pipe', 'ignore', 'inherit'],
      detached: true, // Ctrl-C is for jest; the keeper sees the pipe close
    },
  );
}

function findFolder(): string {
  const folder = process.env['TEST_MEMORY'] ?? memoryDisk;
  try {
    const { bavail, bsize } = statfsSync(folder);
    const freeBytes = Math.min(bavail * bsize, process.availableMemory() / 2);
    return freeBytes > roomBytes ? folder : tmpdir();
  } catch {
    return tmpdir(); // a machine without such a disk
  }
}
