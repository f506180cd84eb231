import { z } from 'zod';
import { idSchema } from '../forms/id.ts';
import { pageQuerySchema } from '../forms/lists.ts';
import {
  checkedPassSchema,
  checkPassSchema,
  createdPassSchema,
  createPassSchema,
  ownPassSchema,
  passListSchema,
  passSchema,
  rotatePassSchema,
  updatePassSchema,
} from './passes.ts';
import type { Route } from '../routes/route.ts';

const passes = { service: 'ingest-gateway', tag: 'Passes', access: 'account' } as const;
const params = z.object({ id: idSchema });

export const passRoutes: readonly Route[] = [
  {
    ...passes,
    operationId: 'createPass',
    method: 'POST',
    idempotencyKey: 'replayed',
    path: '/v1/passes',
    summary: 'Create a pass',
    description:
      'A pass is a key to hand out: to an agent, or to a tool that calls other tools. It records events of the tools that it names, on your account, and opens nothing else.',
    body: createPassSchema,
    responses: { 201: { description: 'The pass. Its `key` is shown this once.', schema: createdPassSchema } },
    errors: ['too_many_passes'],
  },
  {
    ...passes,
    operationId: 'listPasses',
    method: 'GET',
    path: '/v1/passes',
    summary: 'List passes',
    query: pageQuerySchema,
    responses: { 200: { description: 'A page of live passes, newest first.', schema: passListSchema } },
    errors: [],
  },
  {
    ...passes,
    access: 'pass',
    operationId: 'getOwnPass',
    method: 'GET',
    path: '/v1/passes/self',
    summary: 'Get the pass of the credential',
    description:
      'With the pass itself as the bearer token: what its holder may do with it. A paused pass may ask, too. Only its owner sees figures, by `GET /v1/passes/{id}`.',
    responses: { 200: { description: 'The pass.', schema: ownPassSchema } },
    errors: [],
  },
  {
    ...passes,
    operationId: 'checkPass',
    method: 'POST',
    idempotencyKey: { refused: 'a check changes nothing: send it again' },
    keyScope: 'events',
    path: '/v1/passes/check',
    summary: 'Check the bearer token of a caller',
    description:
      'For the server of a builder: says whether what a caller sent is a live pass, or an OAuth token of one for this server. What it may spend is decided when a call is authorized.',
    body: checkPassSchema,
    responses: { 200: { description: 'The pass.', schema: checkedPassSchema } },
    errors: ['pass_refused'],
  },
  {
    ...passes,
    operationId: 'getPass',
    method: 'GET',
    path: '/v1/passes/{id}',
    summary: 'Get a pass',
    params,
    responses: { 200: { description: 'The pass.', schema: passSchema } },
    errors: ['not_found'],
  },
  {
    ...passes,
    operationId: 'updatePass',
    method: 'PATCH',
    path: '/v1/passes/{id}',
    summary: 'Change or pause a pass',
    description: 'Every gateway knows the change within a second.',
    params,
    body: updatePassSchema,
    responses: { 200: { description: 'The pass as it is now.', schema: passSchema } },
    errors: ['not_found'],
  },
  {
    ...passes,
    operationId: 'deletePass',
    method: 'DELETE',
    path: '/v1/passes/{id}',
    summary: 'Revoke a pass',
    description: 'Every gateway refuses it within a second.',
    params,
    responses: { 204: { description: 'The pass is revoked.' } },
    errors: ['not_found'],
  },
  {
    ...passes,
    operationId: 'rotatePass',
    method: 'POST',
    idempotencyKey: 'replayed',
    path: '/v1/passes/{id}/rotate',
    summary: 'Replace the key of a pass',
    description: 'The earlier key works for `grace_seconds` more, so that its holder can change over.',
    params,
    body: rotatePassSchema,
    responses: { 200: { description: 'The pass with its new `key`, shown this once.', schema: createdPassSchema } },
    errors: ['not_found'],
  },
];
