import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { errorCodes } from '@tollgate/kernel/error-codes';
import { operatorTasks } from '../../services/billing/src/processor/stripe/stripe-advice.ts';

const page = readFileSync(new URL('../../docs/stripe.md', import.meta.url), 'utf8');

it('F168 explains every error of the processor, and every task that it gives the operator', () => {
  const codes = Object.keys(errorCodes).filter((code) => code.startsWith('processor_'));
  expect(codes.length).toBeGreaterThan(1);
  const missing = [...codes, ...Object.keys(operatorTasks)].filter((name) => !page.includes(`\`${name}\``));
  expect(missing).toEqual([]);
});
