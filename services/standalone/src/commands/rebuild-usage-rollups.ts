import { runRebuildRollups } from '@tollgate/aggregator/service';

import { CommandError } from './command-error.ts';
import { openDatabase, type DatabaseChoice } from './open-database.ts';

/** `tollgate rebuild-rollups`: fails when the sums are not what the events add up to, unless it may write them anew. */
export async function rebuildUsageRollups(isAllowedToWrite: boolean, choice: DatabaseChoice): Promise<string> {
  const database = await openDatabase(choice);
  try {
    const result = await runRebuildRollups(database.urlFor('aggregator_worker'), {
      log: choice.log,
      write: isAllowedToWrite,
    });
    return tell(result);
  } finally {
    await database.close();
  }
}

function tell({
  from,
  events,
  rows,
  differences,
  examples,
  written,
}: Awaited<ReturnType<typeof runRebuildRollups>>): string {
  const checked = `${events} events since ${from ?? 'the beginning'} make ${rows} rows`;
  if (differences === 0) return `${checked}, and the rollups are the same, byte for byte.`;
  const told = `${checked}; ${differences} are not as they were kept:\n  ${examples.join('\n  ')}`;
  if (written) return `${told}\nThey are written anew.`;
  throw new CommandError(`${told}\nNothing was changed; --write writes them anew.`);
}
