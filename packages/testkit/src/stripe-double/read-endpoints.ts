import { listNewestFirst } from './list-newest-first.ts';
import { expandField, listFields } from './read-fields.ts';
import type { StripeEndpoint } from './stripe-endpoint.ts';
import { noSuch } from './stripe-refusal.ts';
import type { StripeState } from './stripe-state.ts';

type Lists = 'accounts' | 'customers' | 'disputes';
type Singles = 'refunds' | 'transfers' | 'disputes' | 'payouts';

/** `GET /v1/<name>`: a page of all objects, newest first. */
export function listEndpoint(name: Lists): StripeEndpoint {
  const path = new RegExp(`^/v1/${name}$`);
  return {
    method: 'GET',
    path,
    fields: listFields,
    answer: ({ state }, fields) => listNewestFirst(state[name].values(), fields),
  };
}

/** `GET /v1/<name>/<id>`: one object. */
export function oneEndpoint(name: Singles, { param }: { readonly param: string }): StripeEndpoint {
  const kept = (state: StripeState): ReadonlyMap<string, object> => state[name];
  return {
    method: 'GET',
    path: new RegExp(`^/v1/${name}/([^/]+)$`),
    fields: [expandField],
    answer({ state }, _fields, id) {
      const object = kept(state).get(id);
      if (!object) throw noSuch(name.slice(0, -1), id, param);
      return object;
    },
  };
}
