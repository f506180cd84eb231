import { rmSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface BenchFolder {
  readonly path: string;
  remove(): Promise<void>;
}

const folders = new Set<string>();

/** A folder of one product or checkout, gone afterwards, also when the bench is interrupted. */
export async function makeBenchFolder(): Promise<BenchFolder> {
  removeAtExit();
  const path = await mkdtemp(join(tmpdir(), 'tollgate-bench-'));
  folders.add(path);
  await chmod(path, 0o755); // PostgreSQL runs as another user where the bench runs as root
  return {
    path,
    async remove() {
      await rm(path, { recursive: true, force: true });
      folders.delete(path);
    },
  };
}

let isWatching = false;

/** A signal ends the bench as usual, so that `exit` comes; the keepers of the testkit then end what it has started. */
function removeAtExit(): void {
  if (isWatching) return;
  isWatching = true;
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
  process.once('exit', () => {
    for (const path of folders) rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  });
}
