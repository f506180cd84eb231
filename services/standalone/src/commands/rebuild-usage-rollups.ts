import { runRebuildRollups } from '@tollgate/aggregator/service';

import { CommandError } from './command-error.ts';
import { withDatabase, type DatabaseChoice } from './open-database.ts';

/** `tollgate operator rebuild-rollups`: throws if the stored sums differ from the events' sums and `write` is false. */
export async function rebuildUsageRollups(write: boolean, choice: DatabaseChoice): Promise<string> {
  const rebuild = withDatabase(choice, ({ urlFor }) =>
    runRebuildRollups(urlFor('aggregator_worker'), { log: choice.log, write }),
  );
  const { from, events, rows, differences, examples, written } = await rebuild;
  const checked = `${events} events since ${from ?? 'the beginning'} make ${rows} rows`;
  if (differences === 0) return `${checked}, and the rollups are the same, byte for byte.`;
  const differing = `${checked}; ${differences} stored rows differ:\n  ${examples.join('\n  ')}`;
  if (written) return `${differing}\nThey were written again.`;
  throw new CommandError(`${differing}\nNothing was changed; --write writes them again.`);
}
