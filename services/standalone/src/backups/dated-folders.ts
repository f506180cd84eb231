import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { removeOfTheDead, workingName } from './working-folder.ts';

const dated = /^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z$/;
const purpose = 'unfinished';

/** A folder for the backup that begins now. `finish` gives it its name, such as `2026-11-29T03-00-00Z`, once it is whole. */
export function beginDatedFolder(parent: string, now: string): { readonly path: string; finish(): string } {
  mkdirSync(parent, { recursive: true, mode: 0o711 }); // root's PostgreSQL runs as another user, who must get to a copy in it
  removeOfTheDead(parent, purpose);
  const name = `${now.slice(0, 19).replaceAll(':', '-')}Z`;
  const path = join(parent, workingName(name, purpose));
  return {
    path,
    finish() {
      renameSync(path, join(parent, name));
      return join(parent, name);
    },
  };
}

/** Removes all but the newest backups, and touches nothing else. Returns the names that are gone. */
export function keepNewest(parent: string, count: number): readonly string[] {
  const names = readdirSync(parent).filter((name) => dated.test(name));
  const old = names.toSorted().toReversed().slice(count);
  for (const name of old) rmSync(join(parent, name), { recursive: true });
  return old;
}
