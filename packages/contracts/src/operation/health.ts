import { z } from 'zod';
import { isoTimeSchema } from '../forms/timestamp.ts';
import type { Route } from '../routes/route.ts';

const livenessSchema = z
  .object({
    status: z.literal('ok'),
    now: isoTimeSchema.meta({
      description: 'The time by which the service judges. In a sandbox, the operator may move it.',
    }),
  })
  .meta({ id: 'Liveness' });

const readinessSchema = z
  .object({
    status: z.literal('ok'),
    checks: z.record(z.string(), z.string()).optional().meta({
      description:
        'On the port of the metrics alone, the state of each part: `ok`, or `degraded: …` if the service works without it.',
    }),
  })
  .meta({ id: 'Readiness' });

export type Liveness = z.infer<typeof livenessSchema>;
export type Readiness = z.infer<typeof readinessSchema>;

const assetTypes = ['text/css', 'text/javascript', 'image/png'];
const unchanged = { description: 'Not changed: `If-None-Match` names the current `ETag`.' };
const consoleTypes = ['text/css', 'text/javascript', 'image/svg+xml'];
const consolePage = {
  200: { description: 'The page, which loads nothing from elsewhere.', schema: z.string(), mediaTypes: ['text/html'] },
};
const operation = { method: 'GET', service: 'billing', access: 'public', tag: 'Operation' } as const;

/** The files of the page at `/docs`; it loads nothing from elsewhere. */
export const documentationAssets = ['swagger-ui.css', 'swagger-ui-bundle.js', 'start.js', 'favicon.png'] as const;

export const operationRoutes: readonly Route[] = [
  {
    ...operation,
    operationId: 'getLiveness',
    path: '/livez',
    summary: 'Check that the process runs',
    responses: { 200: { description: 'The process runs.', schema: livenessSchema } },
    errors: [],
  },
  {
    ...operation,
    operationId: 'getReadiness',
    path: '/readyz',
    summary: 'Check that the service can do its work',
    responses: { 200: { description: 'All parts work.', schema: readinessSchema } },
    errors: ['unavailable'],
  },
  {
    ...operation,
    operationId: 'getOpenApi',
    path: '/openapi.json',
    summary: 'Get this description as OpenAPI',
    responses: { 200: { description: 'OpenAPI 3.1.', schema: z.looseObject({ openapi: z.string() }) }, 304: unchanged },
    errors: [],
  },
  {
    ...operation,
    operationId: 'getRoot',
    isInternal: true,
    path: '/',
    summary: 'Show the console or the documentation',
    responses: {
      302: { description: 'Redirects browsers to `/app`, and programs to `/docs`.', headers: ['Location'] },
    },
    errors: [],
  },
  {
    ...operation,
    operationId: 'getDocumentation',
    isInternal: true,
    path: '/docs',
    summary: 'Browse this description',
    responses: {
      200: { description: 'A page that needs no network.', schema: z.string(), mediaTypes: ['text/html'] },
      304: unchanged,
    },
    errors: [],
  },
  {
    ...operation,
    operationId: 'getDocumentationAsset',
    isInternal: true,
    path: '/docs/{asset}',
    summary: 'Get a file of the documentation page',
    params: z.object({ asset: z.enum(documentationAssets) }),
    responses: { 200: { description: 'The file.', schema: z.string(), mediaTypes: assetTypes }, 304: unchanged },
    errors: ['not_found'],
  },
  {
    ...operation,
    operationId: 'getConsole',
    isInternal: true,
    path: '/app',
    summary: 'Show the console',
    responses: consolePage,
    errors: ['unavailable'],
  },
  // Before the pages: the first template that fits counts.
  {
    ...operation,
    operationId: 'getConsoleAsset',
    isInternal: true,
    path: '/app/assets/{asset}',
    summary: 'Get a file of the console',
    params: z.object({ asset: z.string() }),
    responses: { 200: { description: 'The file.', schema: z.string(), mediaTypes: consoleTypes } },
    errors: ['not_found', 'unavailable'],
  },
  {
    ...operation,
    operationId: 'getEmbedPage',
    isInternal: true,
    path: '/app/embed/{embed_id}',
    summary: 'Show a page of the console to be framed',
    description: 'Pages of the origins that its account admits may frame it.',
    params: z.object({ embed_id: z.string() }),
    responses: consolePage,
    errors: ['unavailable'],
  },
  {
    ...operation,
    operationId: 'getConsolePage',
    isInternal: true,
    path: '/app/{page}',
    summary: 'Show a page of the console',
    params: z.object({ page: z.string() }),
    responses: consolePage,
    errors: ['unavailable'],
  },
  {
    ...operation,
    operationId: 'getConsoleObject',
    isInternal: true,
    path: '/app/{page}/{object}',
    summary: 'Show an object in the console',
    params: z.object({ page: z.string(), object: z.string() }),
    responses: consolePage,
    errors: ['unavailable'],
  },
  {
    ...operation,
    operationId: 'getConsolePart',
    isInternal: true,
    path: '/app/{page}/{object}/{part}',
    summary: 'Show a part of the console',
    params: z.object({ page: z.string(), object: z.string(), part: z.string() }),
    responses: consolePage,
    errors: ['unavailable'],
  },
];
