import { describe, expect, it } from '@jest/globals';

import { idsInBatches, type Page } from './ids-in-batches.ts';

const stored = ['a1', 'a2', 'a3', 'a4'];

async function readAll(batchMax: number): Promise<{ ids: string[]; pages: Page[] }> {
  const pages: Page[] = [];
  const ids: string[] = [];
  const batches = idsInBatches(batchMax, (page) => {
    pages.push(page);
    return Promise.resolve(stored.filter((id) => id > page.afterId).slice(0, page.limit));
  });
  for await (const id of batches) ids.push(id);
  return { ids, pages };
}

describe('idsInBatches', () => {
  it('reads every id once, and stops at a batch that is not full', async () => {
    const { ids, pages } = await readAll(3);
    expect(ids).toEqual(stored);
    expect(pages.map(({ afterId }) => afterId).slice(1)).toEqual(['a3']);
  });

  it('looks beyond a full last batch', async () => {
    const { ids, pages } = await readAll(4);
    expect(ids).toEqual(stored);
    expect(pages).toHaveLength(2);
  });
});
