import { z } from 'zod';
import { accessTokenSchema } from './accounts.ts';
import {
  createDeviceLoginSchema,
  deviceLoginSchema,
  devicePageAnswerSchema,
  redeemDeviceLoginSchema,
} from './device-login.ts';
import type { Route } from '../routes/route.ts';

const forEverybody = { service: 'auth', tag: 'Accounts', access: 'public' } as const;
const page = { schema: z.string(), mediaTypes: ['text/html'] };

/** Signing in a program that can show no page, as RFC 8628 has it. */
export const deviceLoginRoutes: readonly Route[] = [
  {
    ...forEverybody,
    operationId: 'createDeviceLogin',
    method: 'POST',
    idempotencyKey: { refused: 'a code that nobody uses expires by itself' },
    path: '/v1/auth/device',
    summary: 'Create a device login',
    description:
      'For programs without a browser (RFC 8628). Show `verification_url` and `user_code` to the person, and ask for the token every `interval` seconds.',
    body: createDeviceLoginSchema,
    responses: { 200: { description: 'Both codes. No later answer contains them.', schema: deviceLoginSchema } },
    errors: ['unavailable'],
  },
  {
    ...forEverybody,
    operationId: 'redeemDeviceLogin',
    method: 'POST',
    idempotencyKey: { refused: 'the device code is the key' },
    path: '/v1/auth/device/token',
    summary: 'Get the access token of an approved device login',
    description:
      '`authorization_pending`: ask again after the interval. `slow_down`: wait 5 seconds longer from now on. `access_denied` and `expired_token` are final.',
    body: redeemDeviceLoginSchema,
    responses: { 200: { description: 'A token of the session that was approved.', schema: accessTokenSchema } },
    errors: [
      'authorization_pending',
      'slow_down',
      'expired_token',
      'access_denied',
      'account_suspended',
      'unavailable',
    ],
  },
  {
    ...forEverybody,
    isInternal: true,
    operationId: 'getDevicePage',
    method: 'GET',
    path: '/device',
    summary: 'Show the page behind `verification_url`',
    responses: { 200: { description: 'The page, which asks for the code.', ...page } },
    errors: [],
  },
  {
    ...forEverybody,
    isInternal: true,
    operationId: 'answerDevicePage',
    method: 'POST',
    idempotencyKey: 'ignored',
    path: '/device',
    summary: 'Submit the page behind `verification_url`',
    body: devicePageAnswerSchema,
    bodyType: 'application/x-www-form-urlencoded',
    responses: {
      200: { description: 'A page that asks for the sign-in, or says that it is approved or refused.', ...page },
      403: { description: 'The page again, with the reason why the sign-in failed.', ...page },
      404: { description: 'A page that says that the code is unknown, used or expired.', ...page },
    },
    errors: ['unavailable'],
  },
];
