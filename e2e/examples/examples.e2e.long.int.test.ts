import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { buildPackage, npm, packPackage } from '../../tools/release/pack-package.ts';
import { openMarket } from '../clients/market.ts';
import { itWith, openFolder } from '../it-with.ts';
import { openProduct } from '../open-product.ts';

const examples = fileURLToPath(new URL('../../examples', import.meta.url));
const counts = {
  'mcp-server': { successes: 1, failures: 0 },
  'mcp-proxy': { successes: 1, failures: 0 }, // and one that is refused
  'ai-sdk': { successes: 1, failures: 1 },
  'openai-agents': { successes: 1, failures: 1 },
  langchain: { successes: 1, failures: 1 },
} as const;
const names = Object.keys(counts) as (keyof typeof counts)[]; // its own keys

describe('an example, installed from packed packages', () => {
  const it = itWith(async (undo) => {
    const product = await openProduct({ name: 'examples' }, undo);
    const folder = openFolder('examples-installed', undo);
    const packed = join(folder, 'packed');
    mkdirSync(packed);
    for (const path of ['packages/cli', 'packages/mcp']) buildPackage(path);
    const tarballs = ['packages/cli', 'packages/mcp', 'packages/sdk'].map((path) => packPackage(path, packed));
    const isCopied = (path: string): boolean => !/node_modules|\.tollgate/.test(path);
    for (const name of names) cpSync(join(examples, name), join(folder, name), { recursive: true, filter: isCopied });
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'all', private: true, workspaces: names }));
    npm(folder, ['install', '--no-audit', '--no-fund', '--prefer-offline', ...tarballs]);

    return async (name: string) => {
      const { builder } = await openMarket(product.baseUrl());
      const { key = '' } = await builder.apiKeys.create({ name: 'example' });
      const text = readFileSync(join(folder, name, 'README.md'), 'utf8');
      const [lines = '', expected = ''] = ['sh', 'text'].map((kind) => block(text, kind));
      const env = { PATH: process.env['PATH'], HOME: folder, TOLLGATE_URL: product.baseUrl(), TOLLGATE_API_KEY: key };
      const pasted = lines.replace('npm install\n', ''); // done for all of them
      const { stdout } = await promisify(execFile)('sh', ['-ec', pasted], { cwd: join(folder, name), env });
      const untilCounted = async (totals: object) => {
        const isCounted = async () => expect((await builder.usage.get()).totals).toMatchObject(totals);
        await eventually(
          () =>
            isCounted().then(
              () => true,
              () => false,
            ),
          { withinMs: 10_000 },
        );
        await isCounted();
      };
      return { stdout, expected, untilCounted };
    };
  }, 400_000);

  for (const name of names)
    it(`${name} does what its README says when the lines are pasted, and its calls are counted`, async (paste) => {
      const { stdout, expected, untilCounted } = await paste(name);
      expect(stdout.endsWith(expected) ? expected : stdout).toBe(expected);
      await untilCounted(counts[name]);
    });
});

function block(page: string, kind: string): string {
  const [, text] = new RegExp(`\`\`\`${kind}\n(.*?)\`\`\``, 's').exec(page) ?? [];
  if (text === undefined) throw new Error(`there is no block of ${kind}`);
  return text;
}
