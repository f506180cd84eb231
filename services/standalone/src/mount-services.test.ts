import type { IncomingMessage, ServerResponse } from 'node:http';

import { describe, expect, it } from '@jest/globals';
import type { Service } from '@tollgate/kernel/service';

import { mountServices } from './mount-services.ts';

const answered: string[] = [];
const service = (name: string): Service => ({
  name,
  start: async () => undefined,
  stop: async () => undefined,
  handle: () => void answered.push(name),
});
const mounted = {
  auth: service('auth'),
  billing: service('billing'),
  'ingest-gateway': service('ingest-gateway'),
  notifier: service('notifier'),
};

describe('mountServices', () => {
  it.each([
    ['POST', '/v1/auth/login', 'auth'],
    ['GET', '/v1/events?tool_id=a', 'ingest-gateway'],
    ['GET', '/v1/webhook-endpoints', 'notifier'],
    ['GET', '/nowhere', 'billing'],
    ['GET', 'http://tollgate.test/v1/events', 'ingest-gateway'],
  ])('%s %s goes to %s', (method, url, name) => {
    answered.length = 0;
    mountServices(mounted)({ method, url } as IncomingMessage, {} as ServerResponse); // the mount reads nothing else
    expect(answered).toEqual([name]);
  });

  it('refuses a service that answers no requests, when it is mounted and not at the first request', () => {
    const { handle: _, ...silent } = service('auth');
    expect(() => mountServices({ ...mounted, auth: silent })).toThrow('auth answers no requests');
  });
});
