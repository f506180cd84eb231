import { describe, expect, it } from '@jest/globals';

import { createAnswerCheck } from './openapi-answer-check.ts';

const thing = { type: 'object', required: ['id'], properties: { id: { type: 'string', format: 'uuid' } } };
const check = createAnswerCheck({
  openapi: '3.1.0',
  paths: {
    '/v1/things/{id}': {
      get: {
        responses: {
          200: {
            headers: { 'X-Request-Id': { required: true } },
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
          },
          404: { content: { 'application/problem+json': { schema: { type: 'object', required: ['code'] } } } },
        },
      },
      delete: { responses: { 204: {} } },
    },
    '/v1/things/special': { get: { responses: { 204: {} } } },
  },
  components: { schemas: { Thing: thing } },
});

const id = '0197a3c8-0000-7000-8000-000000000000';
const answer = {
  method: 'GET',
  path: `/v1/things/${id}?verbose=1`,
  status: 200,
  headers: new Headers({ 'content-type': 'application/json; charset=utf-8', 'x-request-id': 'r' }),
  text: '{…}',
  body: { id } as unknown,
};
const html = new Headers({ 'content-type': 'text/html', 'x-request-id': 'r' });
const unnamed = new Headers({ 'content-type': 'application/json' });
const problem = { ...answer, status: 404, headers: new Headers({ 'content-type': 'application/problem+json' }) };

describe('createAnswerCheck', () => {
  it.each([
    ['an undescribed status', { ...answer, status: 500 }, /status 500 is not described/],
    ['a body that does not fit', { ...answer, body: { id: 12 } }, /body\/id must be string/],
    ['a wrong format', { ...answer, body: { id: 'x' } }, /must match format "uuid"/],
    ['a problem without its code', { ...problem, body: {} }, /required property 'code'/],
    ['another content type', { ...answer, headers: html }, /content type is text\/html/],
    ['a missing header', { ...answer, headers: unnamed }, /header X-Request-Id is missing/],
    ['a body where none is described', { ...answer, method: 'DELETE', status: 204 }, /described is no body/],
  ])('throws on %s', (_, contradicting, message) => {
    expect(() => check(contradicting)).toThrow(message);
  });
});
