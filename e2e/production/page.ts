import { readFileSync } from 'node:fs';

/** The name of the server in `docs/production.md`. */
export const name = 'tollgate.example.com';

export const page = readFileSync(new URL('../../docs/production.md', import.meta.url), 'utf8');

/** The page's block of this language that has these words. */
export function blockWith(language: string, words: string): string {
  const blocks = [...page.matchAll(/```(\w+)\n(.*?)```/gs)].map(([, of, block = '']) => ({ of, block }));
  const found = blocks.find(({ of, block }) => of === language && block.includes(words));
  if (found === undefined) throw new Error(`docs/production.md has no block of ${language} with ${words}`);
  return found.block;
}
