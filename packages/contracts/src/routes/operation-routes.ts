import { z } from 'zod';
import { livenessSchema, readinessSchema } from '../health.ts';
import type { Route } from '../route.ts';

const assetTypes = ['text/css', 'text/javascript', 'image/png'];
const unchanged = { description: 'As it was: the `ETag` in `If-None-Match` is still the one.' };
const operation = { method: 'GET', service: 'billing', access: 'public', tag: 'Operation' } as const;

/** The files of the page at `/docs`; it loads nothing from elsewhere. */
export const documentationAssets = ['swagger-ui.css', 'swagger-ui-bundle.js', 'start.js', 'favicon.png'] as const;

export const operationRoutes: readonly Route[] = [
  {
    ...operation,
    operationId: 'getLiveness',
    path: '/livez',
    summary: 'Whether the process runs',
    responses: { 200: { description: 'It runs.', schema: livenessSchema } },
    errors: [],
  },
  {
    ...operation,
    operationId: 'getReadiness',
    path: '/readyz',
    summary: 'Whether the service can do its work',
    responses: { 200: { description: 'All parts can.', schema: readinessSchema } },
    errors: ['unavailable'],
  },
  {
    ...operation,
    operationId: 'getOpenApi',
    path: '/openapi.json',
    summary: 'This description',
    responses: { 200: { description: 'OpenAPI 3.1.', schema: z.looseObject({ openapi: z.string() }) }, 304: unchanged },
    errors: [],
  },
  {
    ...operation,
    operationId: 'getDocumentation',
    path: '/docs',
    summary: 'This description, to browse',
    responses: {
      200: { description: 'A page that works offline.', schema: z.string(), mediaTypes: ['text/html'] },
      304: unchanged,
    },
    errors: [],
  },
  {
    ...operation,
    operationId: 'getDocumentationAsset',
    path: '/docs/{asset}',
    summary: 'A file of the page',
    params: z.object({ asset: z.enum(documentationAssets) }),
    responses: { 200: { description: 'The file.', schema: z.string(), mediaTypes: assetTypes }, 304: unchanged },
    errors: ['not_found'],
  },
];
