import { onlyRow, type Database } from '@tollgate/database/database';

/** Rolls the transaction back. */
class Seen extends Error {}

/** The statement that takes all triggers and checks from billing’s tables. */
const unguardText = `select string_agg(format('alter table %s %s', guarded, change), ';') as text from (
  select tgrelid::regclass as guarded, format('disable trigger %I', tgname) as change from pg_trigger where not tgisinternal
  union all select conrelid::regclass, format('drop constraint %I', conname) from pg_constraint where contype = 'c'
) guard join pg_class on pg_class.oid = guarded where relnamespace = 'billing'::regnamespace`;

/** Shows `look` what no service can write: SQL by the owner, which nothing in the database refuses. Then rolls it back. */
export async function planted<Found>(owner: Database, sql: string, look: (database: Database) => Promise<Found>) {
  const found: Found[] = [];
  const looking = owner.transaction(async (tx) => {
    await tx.query(onlyRow(await tx.query<{ text: string }>(unguardText)).text);
    await tx.query(sql);
    found.push(await look({ ...owner, query: tx.query, transaction: (work) => work(tx) }));
    throw new Seen();
  });
  await looking.catch((error: unknown) => {
    if (!(error instanceof Seen)) throw error;
  });
  return onlyRow(found);
}
