import { describe, expect, it } from '@jest/globals';
import type { CpuProfile } from './cpu-profiler.ts';
import { renderFlameGraph } from './flame-graph.ts';
import { layersOf } from './layers.ts';

const root = 'file:///somewhere/checkout';
const profile: CpuProfile = {
  startTime: 0,
  endTime: 1_100,
  nodes: [
    node(1, '(root)', '', [2, 3, 6, 7]),
    node(2, '(idle)', ''),
    node(3, 'recordEvent', `${root}/services/ingest-gateway/dist/recording/record-event.js`, [4, 5]),
    node(4, 'query', `${root}/node_modules/.pnpm/pg@8.23.1/node_modules/pg/lib/client.js`),
    node(5, 'writeGeneric', 'node:internal/stream_base_commons'),
    node(6, '(garbage collector)', ''),
    node(7, 'createDatabase', `${root}/packages/database/dist/database.js`),
  ],
  samples: [2, 3, 4, 4, 5, 6, 7],
  timeDeltas: [0, 500, 100, 100, 100, 100, 100],
};

describe('a profile', () => {
  it('parts the time of work by layer, and leaves out the time of waiting', () => {
    expect(Object.fromEntries(layersOf(profile).map(({ name, micros }) => [name, micros]))).toEqual({
      'driver: pg': 200,
      'garbage collector': 100,
      'node: stream_base_commons': 100,
      'packages/database': 100,
      'services/ingest-gateway/recording': 100,
    });
  });

  it('draws a box for each function, as wide as its time with all that it calls', () => {
    const svg = renderFlameGraph(profile, 'a <title>');
    expect(svg).toContain('a &lt;title>'.replace('>', '&gt;'));
    expect(svg).toContain('recordEvent services/ingest-gateway/dist/recording/record-event.js:1\n66.67 %');
    expect(svg).toContain('query pg/lib/client.js:1\n33.33 %');
    expect(svg).not.toContain('(idle)');
  });
});

function node(id: number, functionName: string, url: string, children: number[] = []) {
  return { id, callFrame: { functionName, url, lineNumber: 0 }, children };
}
