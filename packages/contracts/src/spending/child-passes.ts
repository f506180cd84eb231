import type { z } from 'zod';
import { closedObject } from '../forms/closed-object.ts';
import { listSchema, pageQuerySchema } from '../forms/lists.ts';
import { optional } from '../forms/optional.ts';
import type { Route } from '../routes/route.ts';
import {
  capSchema,
  createdPassSchema,
  expiresAtSchema,
  nameSchema,
  ownPassSchema,
  perCallMaxSchema,
  toolsSchema,
} from './passes.ts';

/** A pass as a tree has it: the root is the first level. */
export const passLevelsMax = 4;
/** Live ones, of one pass. */
export const passChildrenMax = 100;

export const createChildPassSchema = closedObject({
  name: optional(nameSchema).meta({ description: 'For its owner, to tell passes apart. Default: that of your pass.' }),
  tools: toolsSchema.meta({ description: 'Tools that your pass allows; `*` for all that it allows now.' }),
  cap: capSchema,
  per_call_max_usd: optional(perCallMaxSchema).meta({
    description: 'A call that can come to more is refused with 402. At most that of your pass, which holds anyway.',
  }),
  expires_at: expiresAtSchema.meta({
    description: 'From this time on the child is refused. No later than your pass.',
  }),
}).meta({
  id: 'NewChildPass',
  examples: [
    {
      name: 'a helper',
      tools: '*',
      cap: { amount_usd: 1, window: 'total' },
      expires_at: '2032-01-01T00:00:00.000Z',
    },
  ],
});

/** Without the figures of its owner, as all that the holder of a pass sees. */
const createdChildPassSchema = ownPassSchema
  .extend({ key: createdPassSchema.shape.key })
  .meta({ id: 'CreatedChildPass' });

const childListSchema = listSchema({ id: 'ChildPassList', name: 'passes', item: ownPassSchema });

const passes = { service: 'ingest-gateway', tag: 'Passes', access: 'pass', path: '/v1/passes/self/children' } as const;

export const childPassRoutes: readonly Route[] = [
  {
    ...passes,
    operationId: 'createChildPass',
    method: 'POST',
    idempotencyKey: 'replayed',
    summary: 'Create a child of the pass of the credential',
    description: `With the pass itself as the bearer token: an agent gives a part of its budget to a helper. A call of the child is in the caps of all passes above it, too, so a tree never spends more than its root may. What bounds or ends a pass does it to all below: tools, limits, pause, expiry, revocation; a rotation ends them with the earlier key. A tree has at most ${passLevelsMax} levels, and a pass ${passChildrenMax} live children.`,
    body: createChildPassSchema,
    responses: {
      201: { description: 'The child. Its `key` is shown this once.', schema: createdChildPassSchema },
    },
    errors: ['pass_refused', 'pass_too_deep', 'too_many_passes'],
  },
  {
    ...passes,
    operationId: 'listChildPasses',
    method: 'GET',
    summary: 'List the children of the pass of the credential',
    description:
      'With the pass itself as the bearer token: the children that it made. Only its owner sees their figures, by `GET /v1/passes`.',
    query: pageQuerySchema,
    responses: { 200: { description: 'A page of live children, newest first.', schema: childListSchema } },
    errors: [],
  },
];

export type CreateChildPass = z.output<typeof createChildPassSchema>;
