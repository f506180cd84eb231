import { z } from 'zod';
import { pageQuerySchema } from '../forms/lists.ts';
import type { Route } from '../routes/route.ts';
import { slugSchema } from '../forms/slug.ts';
import {
  createPriceVersionSchema,
  createToolSchema,
  priceVersionListSchema,
  priceVersionSchema,
  toolListSchema,
  toolQuerySchema,
  toolSchema,
  updateToolSchema,
} from './tools.ts';

const tools = { service: 'billing', tag: 'Tools', access: 'account' } as const;
const params = z.object({ slug: slugSchema });
const toolLinks = ['getTool', 'updateTool', 'archiveTool', 'createPriceVersion', 'listPriceVersions'].map(
  (operationId) => ({ operationId, parameter: 'slug' }),
);

export const toolRoutes: readonly Route[] = [
  {
    ...tools,
    operationId: 'createTool',
    method: 'POST',
    path: '/v1/tools',
    summary: 'Register a tool',
    description:
      'Any account may send events for the tool at once. Its first price applies to any time before the next price version.',
    body: createToolSchema,
    idempotencyKey: 'replayed',
    responses: { 201: { description: 'The tool.', schema: toolSchema, headers: ['Location'], links: toolLinks } },
    errors: ['slug_taken', 'too_many_tools', 'price_too_high'],
  },
  {
    ...tools,
    operationId: 'listTools',
    method: 'GET',
    path: '/v1/tools',
    summary: 'List tools',
    query: toolQuerySchema,
    responses: { 200: { description: 'A page of tools.', schema: toolListSchema } },
    errors: [],
  },
  {
    ...tools,
    operationId: 'getTool',
    method: 'GET',
    path: '/v1/tools/{slug}',
    summary: 'Get a tool',
    params,
    responses: { 200: { description: 'The tool.', schema: toolSchema } },
    errors: ['tool_not_found'],
  },
  {
    ...tools,
    operationId: 'updateTool',
    method: 'PATCH',
    path: '/v1/tools/{slug}',
    summary: 'Update a tool',
    description:
      'Only for the owner; for other accounts it is 404. A `resource` belongs to one account as long as a tool of it names the resource; 422 `resource_not_proved` says what its server lacks.',
    params,
    body: updateToolSchema,
    responses: { 200: { description: 'The updated tool.', schema: toolSchema } },
    errors: ['tool_not_found', 'resource_taken', 'resource_not_proved', 'tool_archived'],
  },
  {
    ...tools,
    operationId: 'archiveTool',
    method: 'POST',
    path: '/v1/tools/{slug}/archive',
    summary: 'Archive a tool',
    description: 'Only for the owner, and final. Events for the tool are then 404, and its slug is never reused.',
    params,
    idempotencyKey: 'replayed',
    responses: { 200: { description: 'The archived tool.', schema: toolSchema } },
    errors: ['tool_not_found', 'unsupported_media_type', 'payload_too_large'],
  },
  {
    ...tools,
    operationId: 'createPriceVersion',
    method: 'POST',
    path: '/v1/tools/{slug}/prices',
    summary: 'Create a price version',
    description:
      'Only for the owner. An event is rated by the price that is in force at its own time. A market may ask for notice of a rise: it is then 422 `price_rise_too_soon` with the earliest hour.',
    params,
    body: createPriceVersionSchema,
    idempotencyKey: 'replayed',
    responses: { 201: { description: 'The price version.', schema: priceVersionSchema } },
    errors: [
      'tool_not_found',
      'effective_from_taken',
      'tool_archived',
      'too_many_price_versions',
      'price_too_high',
      'price_rise_too_soon',
    ],
  },
  {
    ...tools,
    operationId: 'listPriceVersions',
    method: 'GET',
    path: '/v1/tools/{slug}/prices',
    summary: 'List the price versions of a tool',
    params,
    query: pageQuerySchema,
    responses: { 200: { description: 'A page of price versions.', schema: priceVersionListSchema } },
    errors: ['tool_not_found'],
  },
];
