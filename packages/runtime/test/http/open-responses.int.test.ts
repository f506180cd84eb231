import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { expect, it } from '@jest/globals';

const file = fileURLToPath(new URL('../../src/http/serving/open-responses.ts', import.meta.url));

/** 40,000 answers, of which 64 are open at a time: 80 MB. Prints the MB that have outlived the young generation. */
const script = `
  import { EventEmitter } from 'node:events';
  import { getHeapSpaceStatistics } from 'node:v8';
  import { createOpenResponses } from ${JSON.stringify(file)};
  const old = () => getHeapSpaceStatistics().find((each) => each.space_name === 'old_space').space_used_size;
  const open = createOpenResponses();
  const request = { complete: true, socket: {} };
  const answers = [];
  let before = 0;
  for (let count = 0; count < 40_000; count += 1) {
    const response = Object.assign(new EventEmitter(), { req: request, state: Array.from({ length: 250 }, () => count) });
    open.add(request, response);
    answers.push(response);
    if (answers.length > 64) answers.shift().emit('close');
    if (count === 1_000) {
      gc(); // the objects that live now become old
      before = old();
    }
  }
  console.log((old() - before) / 1e6);`;

it('lets an ended answer go with the next collection of the young', () => {
  // No other collection of everything comes in between, which would hide what has got old.
  const heap = ['--expose-gc', '--initial-old-space-size=1000', '--max-semi-space-size=4'];
  const flags = [...heap, '--input-type=module-typescript'];
  const output = execFileSync(process.execPath, [...flags, '--eval', script], { encoding: 'utf8' });
  expect(Number(output)).toBeLessThan(10);
});
