import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { costs } from './costs.ts';
import { readInputs } from './inputs.ts';
import { putTables } from './put-tables.ts';
import { renderTables } from './render-tables.ts';
import { stepOf } from './scale-steps.ts';

const page = readFileSync(new URL('../../docs/scale.md', import.meta.url), 'utf8');

it('docs/scale.md has the tables that the costs and inputs give (else: pnpm scale --write)', () => {
  expect(page).toBe(putTables(page, renderTables(readInputs())));
});

it('refuses a page with a place too many, or with one too few', () => {
  const tables = new Map([['steps', '| a |']]);
  expect(putTables('x\n<!-- scale:steps -->old<!-- /scale -->\ny', tables)).toBe(
    'x\n<!-- scale:steps -->\n\n| a |\n\n<!-- /scale -->\ny',
  );
  expect(() => putTables('no place', tables)).toThrow('the page has no place for steps');
  expect(() => putTables('<!-- scale:other --><!-- /scale -->', tables)).toThrow('no table is named other');
});

it('needs ten times as much for ten times the rate, but for whole machines', () => {
  for (const mode of ['single', 'batch'] as const) {
    const small = stepOf(100_000, mode, readInputs());
    const large = stepOf(1_000_000, mode, readInputs());
    expect(large.busyCores).toBeCloseTo(10 * small.busyCores, 6);
    expect(large.usdPerMillion).toEqual({
      cores: expect.closeTo(small.usdPerMillion.cores, 9),
      disk: expect.closeTo(small.usdPerMillion.disk, 9),
      network: expect.closeTo(small.usdPerMillion.network, 9),
    });
    expect(large.gateways).toBeGreaterThan(10 * (small.gateways - 1));
    expect(large.gateways).toBeLessThanOrEqual(10 * small.gateways);
  }
});

it('computes a step by hand: a million single events per second', () => {
  const { plan, prices } = readInputs();
  const usable = ((costs.machine.echoPerSecond * costs.machine.echoCpuMicros) / 1e6) * plan.useOfCapacity;
  const step = stepOf(1_000_000, 'single', readInputs());
  const { gateway = 0, aggregator = 0, postgres = 0, redis = 0, kafka = 0 } = costs.rows['distributed single'].cpu;
  const busy = gateway + aggregator + postgres + redis + 3 * kafka; // as many seconds of CPU per second as µs per event
  expect(step.gateways).toBe(Math.ceil(gateway / usable));
  expect(step.primaries.forCpu).toBe(Math.ceil(postgres / usable / 16));
  expect(step.busyCores).toBeCloseTo(busy, 6);
  expect(step.usdPerMillion.cores).toBeCloseTo((busy / usable / 3_600) * prices.coreHourUsd, 9);
  expect(step.walMegabytesPerSecond).toBe(1_400);
});
