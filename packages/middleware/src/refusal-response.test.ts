import { expect, it } from '@jest/globals';
import { errorCodes } from '@tollgate/kernel/error-codes';

import { toProblem } from './refusal-response.ts';

const refusals = Object.entries(errorCodes).filter(([, { status }]) => status === 402);

it.each(refusals)('answers %s with the status that Tollgate has for it', (code, { status }) => {
  expect(toProblem({ code, detail: '' }).status).toBe(status);
});
