import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterAll, beforeAll, expect, it } from '@jest/globals';

import { layersOf } from './layers.ts';
import { unbundle } from './unbundle.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-unbundle-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('tells the modules of a bundle apart', () => {
  const file = join(folder, 'dist/bundle/main.js');
  mkdirSync(join(folder, 'dist/bundle'), { recursive: true });
  const ours = '// services/ingest-gateway/dist/recording/record-event.js';
  writeFileSync(
    file,
    ['top();', '// node_modules/.pnpm/pg@8/node_modules/pg/lib/client.js', 'a();', ours, 'b();'].join('\n'),
  );
  const { href } = pathToFileURL(file);
  const node = (id: number, lineNumber: number) => ({
    id,
    callFrame: { functionName: `f${id}`, url: href, lineNumber },
  });
  const profile = {
    nodes: [node(1, 2), node(2, 4), node(3, 0)],
    startTime: 0,
    endTime: 300,
    samples: [1, 2, 3],
    timeDeltas: [100, 100, 100],
  };
  const { nodes } = unbundle(profile);
  expect(nodes[1]?.callFrame).toEqual({
    functionName: 'f2',
    url: 'file:///services/ingest-gateway/dist/recording/record-event.js',
    lineNumber: 0,
  });
  expect(nodes[2]?.callFrame.url).toBe(href);
  expect(layersOf(unbundle(profile)).map(({ name }) => name)).toEqual(
    expect.arrayContaining(['driver: pg', 'services/ingest-gateway/recording']),
  );
});
