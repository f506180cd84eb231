import { expect, it } from '@jest/globals';
import { routes } from '../routes/routes.ts';
import { needsFreshFactor, withoutFreshFactor } from './fresh-factor.ts';

const changes = routes.filter(({ access, method }) => access === 'operator' && method !== 'GET');

it('F339 each change of the operator says whether it needs a fresh code', () => {
  const unclear = changes.filter((route) => needsFreshFactor(route) === withoutFreshFactor.has(route.operationId));
  expect(unclear.map(({ operationId }) => operationId)).toEqual([]);
  const known = new Set(changes.map(({ operationId }) => operationId));
  expect([...withoutFreshFactor].filter((operationId) => !known.has(operationId))).toEqual([]);
  expect(changes.filter(needsFreshFactor).length).toBeGreaterThan(10);
});
