import { nilUuid } from '@tollgate/kernel/uuid';

export interface Page {
  readonly afterId: string;
  readonly limit: number;
}

/** Reads at most `limit` ids beyond `afterId`, in their order. */
export type ListIds = (page: Page) => Promise<readonly string[]>;

/** Every id that `list` finds, batch by batch. The next batch is read when the caller is done with the last. */
export async function* idsInBatches(batchMax: number, list: ListIds): AsyncGenerator<string> {
  let afterId: string | undefined = nilUuid;
  while (afterId !== undefined) {
    const ids: readonly string[] = await list({ afterId, limit: batchMax });
    yield* ids;
    afterId = ids.length < batchMax ? undefined : ids.at(-1);
  }
}
