import { readFileSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';

import { ageBounds, createWarnOfAges } from './warn-of-ages.ts';

type AgeName = keyof typeof ageBounds;

const quiet = { sweep_age: 172_800, watermark_age: 600, unknown_order_age: 3_600 };
const unknown = { sweep_age: null, watermark_age: null, unknown_order_age: 0 };

function hearing() {
  const heard: unknown[] = [];
  return { heard, warn: createWarnOfAges({ warn: (...said: unknown[]) => void heard.push(said) }) };
}

describe('createWarnOfAges', () => {
  it.each<[AgeName, string]>([
    ['sweep_age', 'has not completed'],
    ['watermark_age', 'not been counted'],
    ['unknown_order_age', 'outcome of an order'],
  ])('warns once per crossing, and not per round: %s', (name, words) => {
    const { heard, warn } = hearing();
    const old = { ...quiet, [name]: quiet[name] + 15 };
    const said = [{ age_seconds: quiet[name] + 15 }, expect.stringContaining(words)];
    warn(quiet);
    expect(heard).toEqual([]);
    for (let round = 0; round < 4; round++) warn(old);
    expect(heard).toEqual([said]);
    warn(quiet);
    for (let round = 0; round < 4; round++) warn(old);
    expect(heard).toEqual([said, said]);
  });

  it('is silent about one round, as of a start after a pause', () => {
    const { heard, warn } = hearing();
    for (const watermark_age of [601, 2, 601, 2]) warn({ ...quiet, watermark_age });
    expect(heard).toEqual([]);
  });

  it('is silent about what is not known, and forgets no warning for it', () => {
    const { heard, warn } = hearing();
    warn(unknown);
    expect(heard).toEqual([]);
    for (let round = 0; round < 2; round++) warn({ ...quiet, watermark_age: 601 });
    expect(heard).toHaveLength(1);
    warn(unknown);
    warn({ ...quiet, watermark_age: 616 });
    expect(heard).toHaveLength(1);
  });

  it.each(Object.entries(ageBounds))('has the bound of the alert: %s', (name, { above }) => {
    const rules = readFileSync(new URL('../../../../deploy/observability/rules.yml', import.meta.url), 'utf8');
    expect(rules).toContain(`max(tollgate_billing_${name}_seconds) > ${above}\n`);
  });
});
