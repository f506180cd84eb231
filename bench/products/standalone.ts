import { join } from 'node:path';
import { usageEventsTopic } from '@tollgate/contracts/events/event-record';
import { findRunningPostgres } from '@tollgate/database/embedded/find-running-postgres';
import { dataFolderAt } from '@tollgate/database/embedded/open-data-folder';
import { readPostmasterFile } from '@tollgate/database/embedded/postmaster-file';
import { startChildService, type ChildService } from '@tollgate/testkit/child-service';
import { readyAt } from '@tollgate/testkit/standalone-process';
import pg from 'pg';
import type { MeasuredProcess, RowContext } from '../row.ts';
import { registerCast } from './cast.ts';
import { makeBenchFolder } from './data-folder.ts';
import type { Product, Progress } from './product.ts';

/** The product of a checkout as `pnpm start` runs it, with its cast. `env`: settings besides those of each row. */
export async function startStandaloneProduct(
  context: RowContext,
  env: Readonly<Record<string, string>> = {},
): Promise<Product> {
  const folder = await makeBenchFolder();
  const service = startBuilt(context, folder.path, env);
  try {
    const { baseUrl } = await readyAt(service);
    const urls = findRunningPostgres(folder.path);
    if (urls === undefined) throw new Error('the product serves without its PostgreSQL');
    const cast = await registerCast(baseUrl);
    const reader = new pg.Client({ connectionString: urls.ownerUrl });
    await reader.connect();
    return {
      ...cast,
      recordUrl: baseUrl,
      processes: processesOf(service, folder.path),
      progress: () => readProgress(reader),
      async close() {
        await reader.end();
        await service.destroy();
        await folder.remove();
      },
    };
  } catch (error) {
    await service.destroy();
    await folder.remove();
    throw error;
  }
}

function startBuilt({ root }: RowContext, dataDir: string, env: Readonly<Record<string, string>>): ChildService {
  const main = join(root, 'services/standalone/dist/bundle/main.js');
  return startChildService({
    command: process.execPath,
    args: ['--enable-source-maps', main, '--port', '0', '--data', dataDir],
    env: {
      LOG_LEVEL: 'warn',
      READS_PER_SECOND_MAX: '1000000',
      WRITES_PER_SECOND_MAX: '1000000',
      HTTP_CONNECTIONS_PER_ADDRESS_MAX: '10000',
      ...env,
    },
    dataDir,
  });
}

function processesOf(service: ChildService, dataDir: string): MeasuredProcess[] {
  const postgres = readPostmasterFile(dataFolderAt(dataDir).clusterDir);
  if (postgres === undefined) throw new Error(`${dataDir} has no running PostgreSQL`);
  return [
    { name: 'standalone', pid: service.pid },
    { name: 'postgres', pid: postgres.pid, isTree: true },
  ];
}

const progressText = `
select (select coalesce(sum(next_offset), 0)::bigint from event_log.partition where topic = $1) as appended,
  (select coalesce(sum(next_offset), 0)::bigint from usage.cursor where topic = $1) as counted`;

export async function readProgress(reader: pg.Client): Promise<Progress> {
  const { rows } = await reader.query<{ appended: string; counted: string }>(progressText, [usageEventsTopic]);
  return { appended: BigInt(rows[0]?.appended ?? 0), counted: BigInt(rows[0]?.counted ?? 0) };
}
