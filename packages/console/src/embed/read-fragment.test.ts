import { describe, expect, it } from '@jest/globals';
import { readFragment } from './read-fragment.ts';

describe('the fragment of an embed', () => {
  it('has the token, the page and the look', () => {
    expect(readFragment('#token=tg_embed_x&page=usage&theme=dark')).toEqual({
      token: 'tg_embed_x',
      page: 'usage',
      theme: 'dark',
    });
  });

  it.each(['#token=t&page=usage', '#token=t&page=usage&theme=purple'])('follows the reader’s system for %s', (hash) => {
    expect(readFragment(hash)?.theme).toBe('auto');
  });

  it.each(['', '#', '#page=usage', '#token=t', '#token=t&page=keys', '#token=t&page=constructor'])(
    'opens nothing for %s',
    (hash) => {
      expect(readFragment(hash)).toBeUndefined();
    },
  );
});
