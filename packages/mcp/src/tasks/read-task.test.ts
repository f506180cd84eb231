import { describe, expect, it } from '@jest/globals';

import { toResult } from '../json-rpc.ts';
import { readHandle, readTask, readTold } from './read-task.ts';

const createdAt = '2026-11-29T12:00:00.000Z';
const createdMs = Date.parse(createdAt);
const first = { taskId: 'a', status: 'working', createdAt, lastUpdatedAt: createdAt, ttl: 60_000 };
const extension = { taskId: 'a', status: 'working', createdAt, lastUpdatedAt: createdAt, ttlMs: 60_000 };
const working = { taskId: 'a', status: 'working', createdMs, updatedMs: createdMs, ttlMs: 60_000, response: undefined };

describe('the handle of a task', () => {
  it.each([
    ['MCP 2025-11-25', { task: first }],
    ['the extension', { resultType: 'task', ...extension }],
    ['the extension, with a task inside', { resultType: 'task', task: extension }],
    ['the extension by SDK 2, which adds content', { resultType: 'task', ...extension, content: [] }],
  ])('is read in the form of %s', (_, result) => {
    expect(readHandle(toResult(result))).toEqual(working);
  });

  it.each([
    ['a result', { content: [] }],
    ['a result with a field of this name', { content: [], task: first }],
    ['a task without an id', { task: { ...first, taskId: undefined } }],
    ['a task in an unknown state', { resultType: 'task', ...extension, status: 'resting' }],
    ['a question', { resultType: 'input_required', inputRequests: {} }],
  ])('is not %s', (_, result) => {
    expect(readHandle(toResult(result))).toBeUndefined();
  });
});

describe('a task', () => {
  it('has no end of life without a ttl that is a number of milliseconds', () => {
    for (const ttl of [null, undefined, -1, '60000', Number.POSITIVE_INFINITY])
      expect(readTask({ ...first, ttl })?.ttlMs).toBeUndefined();
    expect(readTask({ ...first, createdAt: 'yesterday' })?.createdMs).toBeUndefined();
  });

  it('carries the answer of its call, whichever it is', () => {
    const result = { content: [] };
    const error = { code: -32_603, message: 'no' };
    expect(readTask({ ...extension, status: 'completed', result })?.response).toEqual({ jsonrpc: '2.0', result });
    expect(readTask({ ...extension, status: 'failed', error })?.response).toEqual({ jsonrpc: '2.0', error });
    expect(readTask({ ...extension, status: 'failed', error: {} })?.response).toBeUndefined();
  });

  it('is told by the notifications of both forms, and by no other', () => {
    const told = (method: string) => readTold({ jsonrpc: '2.0', method, params: first })?.taskId;
    expect([told('notifications/tasks/status'), told('notifications/tasks')]).toEqual(['a', 'a']);
    expect(told('notifications/progress')).toBeUndefined();
  });
});
