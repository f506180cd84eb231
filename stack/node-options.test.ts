import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { nodeOptionsOf } from './node-options.ts';

const compose = readFileSync(new URL('../docker-compose.yml', import.meta.url), 'utf8');

it.each(['auth', 'ingest-gateway', 'aggregator', 'billing', 'notifier'] as const)(
  '%s has the options of compose',
  (service) => {
    const [, rest = ''] = compose.split(`\n  ${service}:\n`);
    const [block = ''] = rest.split(/\n {2}\S/); // up to the next service
    const [, options] = /^ {6}NODE_OPTIONS: (.*)$/m.exec(block) ?? [];
    expect(options).toBe(nodeOptionsOf(service));
  },
);

it("options of one's own come last, so they win and leave the others as they are", () => {
  expect(nodeOptionsOf('auth', '--inspect --max-semi-space-size=2')).toBe(
    `${nodeOptionsOf('auth')} --inspect --max-semi-space-size=2`,
  );
});
