import { createHash } from 'node:crypto';
import type { Queryable } from '@tollgate/database/database';
import type { SealedBox } from '@tollgate/kernel/sealed-box';
import { destroyObject, putSuccessor } from './sql-oauth-object.ts';

interface Deps {
  readonly worker: Queryable;
  readonly box: SealedBox;
}

/**
 * A refresh token has one successor, however many requests cross. Each of them had the library make one; the first that is kept
 * counts, and all get it, as one text. Undefined: the consent has ended meanwhile, so none of them counts.
 */
export type KeepOneSuccessor = (used: string, fresh: string) => Promise<string | undefined>;

export function createKeepOneSuccessor({ worker, box }: Deps): KeepOneSuccessor {
  return async function keepOneSuccessor(used, fresh) {
    const context = createHash('sha256').update(used).digest('hex');
    const name = { model: 'RefreshToken', id: used };
    const sealed = box.seal(fresh, context);
    // Without a row the first time, another request was keeping its own at that moment, and the second look sees it.
    const first = (await putSuccessor(worker, name, sealed)) ?? (await putSuccessor(worker, name, sealed));
    const successor = first && box.open(first, context);
    if (successor !== fresh) await destroyObject(worker, { model: 'RefreshToken', id: fresh });
    return successor;
  };
}
