import { readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { describe, expect, it } from '@jest/globals';
import { ownerUrlOf, withOracleDatabase } from '@tollgate/testkit/oracles/oracle-database';

import { runTollgate } from './support/run-tollgate.ts';
import { useStandalone, withStandalone } from './support/use-standalone.ts';

const running = useStandalone();
const tollgate = (args: readonly string[]) => runTollgate(args.join(' '), { folder: running.folder });

/** A call more than there are events of. */
async function plantInRollups(dataDir: string): Promise<void> {
  await withOracleDatabase(ownerUrlOf(dataDir), (database) =>
    database.query(
      `insert into usage.rollup values (gen_random_uuid(), 'planted', date_trunc('hour', now()), true, 1, 1)`,
    ),
  );
}

describe('tollgate backup --verify and backup verify', () => {
  const backUp = (to: string, dataDir: string, ...words: string[]) =>
    tollgate(['backup', '--to', to, '--data', dataDir, ...words]);
  const folderOf = ({ out }: { out: string }) => /^(\S+) has all/.exec(out)?.[1] ?? '';

  it('F355 call a backup good only if its books agree, remove nothing else, and leave no copy', async () => {
    const { folder } = running;
    const [to, dataDir] = [join(folder, 'planted'), join(folder, 'planted-data')];
    const newest = folderOf(await backUp(join(folder, 'taken'), running.dataDir));
    expect(await tollgate(['restore', newest, '--data', dataDir])).toMatchObject({ code: 0 });
    await withStandalone(dataDir, () => plantInRollups(dataDir));
    const good = await backUp(to, dataDir);
    const bad = await backUp(to, dataDir, '--keep', '1', '--verify');
    expect(bad).toMatchObject({ code: 1, err: expect.stringContaining('stored rows differ') });
    expect(readdirSync(to)).toHaveLength(2);
    expect(readdirSync(to)).toContain(basename(folderOf(good)));
  }, 120_000);

  it('F355 name a backup that is damaged, and one of another data folder', async () => {
    const { folder } = running;
    const backup = folderOf(await backUp(join(folder, 'damaged'), running.dataDir));
    const elsewhere = await tollgate(['backup', 'verify', backup, '--data', join(folder, 'nowhere')]);
    expect(elsewhere).toMatchObject({ code: 0, out: expect.stringContaining('of another data folder') });
    const label = join(backup, 'postgres', 'PG_VERSION');
    writeFileSync(label, '17\n');
    const damaged = await tollgate(['backup', 'verify', backup, '--data', running.dataDir]);
    expect(damaged).toMatchObject({
      code: 1,
      err: expect.stringContaining('PG_VERSION is missing, or is not as it was'),
    });
  }, 120_000);
});
