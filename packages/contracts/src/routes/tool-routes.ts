import { z } from 'zod';
import { pageQuerySchema } from '../lists.ts';
import type { Route } from '../route.ts';
import { slugSchema } from '../slug.ts';
import {
  createPriceVersionSchema,
  createToolSchema,
  priceVersionListSchema,
  priceVersionSchema,
  toolListSchema,
  toolQuerySchema,
  toolSchema,
  updateToolSchema,
} from '../tools.ts';

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
    description: 'Any account may send events for it at once. Its first price has no lower bound in time.',
    body: createToolSchema,
    idempotencyKey: true,
    responses: { 201: { description: 'The tool.', schema: toolSchema, headers: ['Location'], links: toolLinks } },
    errors: ['slug_taken'],
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
    summary: 'A tool',
    params,
    responses: { 200: { description: 'The tool.', schema: toolSchema } },
    errors: ['tool_not_found'],
  },
  {
    ...tools,
    operationId: 'updateTool',
    method: 'PATCH',
    path: '/v1/tools/{slug}',
    summary: 'Change the name or the description',
    description: 'For its owner; for others the tool is not there to be changed (404).',
    params,
    body: updateToolSchema,
    responses: { 200: { description: 'The tool, changed.', schema: toolSchema } },
    errors: ['tool_not_found'],
  },
  {
    ...tools,
    operationId: 'archiveTool',
    method: 'POST',
    path: '/v1/tools/{slug}/archive',
    summary: 'Take the tool out of use, for good',
    description: 'For its owner. Events for it are then answered 404; its slug is never given out again.',
    params,
    idempotencyKey: true,
    responses: { 200: { description: 'The tool, archived.', schema: toolSchema } },
    errors: ['tool_not_found', 'unsupported_media_type', 'payload_too_large'],
  },
  {
    ...tools,
    operationId: 'createPriceVersion',
    method: 'POST',
    path: '/v1/tools/{slug}/prices',
    summary: 'Set a price for the future',
    description: 'For its owner. An event is rated by the price in force at its own time.',
    params,
    body: createPriceVersionSchema,
    idempotencyKey: true,
    responses: { 201: { description: 'The price version.', schema: priceVersionSchema } },
    errors: ['tool_not_found', 'effective_from_taken', 'tool_archived'],
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
