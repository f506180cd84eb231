import { randomUUID } from 'node:crypto';
import { describe, expect } from '@jest/globals';
import { itWith } from '../it-with.ts';
import { openProduct } from '../open-product.ts';
import { readDocumentedExamples } from './documented-examples.ts';
import { givenFromOutside } from './given-from-outside.ts';
import { createReader } from './reader.ts';

const operations = readDocumentedExamples();

/** The client compares each answer with the document, so a test here asks for the status alone. */
describe('the examples of the OpenAPI document, sent in its order to a fresh service', () => {
  const it = itWith(async (undo) => {
    const operatorToken = randomUUID();
    const env = { OPERATOR_TOKEN: operatorToken, SANDBOX_CLOCK_START: '2026-10-20T12:00:00Z' };
    const { client } = await openProduct({ name: 'openapi-examples', env }, undo);
    return { client, operatorToken, reader: createReader(client, operatorToken) };
  });

  for (const operation of operations) {
    const { id, method, path, successes } = operation;
    const outside = givenFromOutside[id];

    if (outside)
      it(`${id} needs ${outside.reason}`, async ({ reader }) => {
        const answers = await reader.tryOut(operation);
        expect(answers).not.toEqual([]);
        for (const { status, text } of answers) expect([status, text]).toEqual([outside.status, text]);
      });

    const supply = outside?.supply;
    if (!outside || supply)
      it(`${id} works: ${method} ${path}`, async (opened) => {
        const supplied = await supply?.(opened);
        const answers = await opened.reader.tryOut(operation, supplied);
        expect(answers).not.toEqual([]);
        for (const { status, text } of answers) expect([successes.includes(status), text]).toEqual([true, text]);
      });
  }

  it('were sent with every kind of credential', async ({ reader }) => {
    expect([...reader.used].toSorted()).toEqual(['accessToken', 'apiKey', 'operatorToken', 'pass']);
  });

  it('need nothing from outside for an operation that the document lacks', async () => {
    const known = operations.map(({ id }) => id);
    expect(Object.keys(givenFromOutside).filter((id) => !known.includes(id))).toEqual([]);
    expect(operations.length).toBeGreaterThan(60);
  });
});
