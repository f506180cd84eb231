import { z } from 'zod';
import { closedObject } from '../forms/closed-object.ts';
import { textSchema } from '../forms/text-schema.ts';
import { accessTokenSchema } from './accounts.ts';
import type { Route } from '../routes/route.ts';

export const createDeviceLoginSchema = closedObject({
  client: z
    .string()
    .regex(/^[ -~]{1,80}$/, { error: 'must be 1 to 80 printable ASCII characters' })
    .meta({ description: 'The name of the program on the page: 1 to 80 printable ASCII characters.' }),
}).meta({ id: 'NewDeviceLogin', examples: [{ client: 'tollgate on ada-laptop' }] });

export const deviceLoginSchema = z
  .object({
    device_code: z.string().meta({ description: 'The program keeps it to itself, and asks for its token with it.' }),
    user_code: z.string().meta({ description: 'A person types it into the page.', examples: ['WDJB-MJHT'] }),
    verification_url: z.url().meta({
      description: 'The address of the page.',
      examples: ['https://tollgate.example/device'],
    }),
    expires_in: z.int().meta({ description: 'Seconds until both codes expire.', examples: [600] }),
    interval: z.int().meta({ description: 'Seconds to wait between two requests for the token.', examples: [5] }),
  })
  .meta({ id: 'DeviceLogin' });

const deviceCode = 'device_SGlzIGNvZGUgaXMgc2hvd24gaGVyZSBmb3IgaXRzIGZvcm0';

export const redeemDeviceLoginSchema = closedObject({
  device_code: textSchema({ min: 1, max: 128 }).meta({ description: 'From `createDeviceLogin`. It gives one token.' }),
}).meta({ id: 'DeviceLoginRedemption', examples: [{ device_code: deviceCode }] });

const answerShape = {
  user_code: textSchema({ max: 64 }).meta({ description: 'Case, blanks and hyphens do not matter.' }),
  answer: z.enum(['look', 'approve', 'refuse']),
  email: textSchema({ max: 254 }).default(''),
  password: textSchema({ max: 128 }).default(''),
  code: textSchema({ max: 64 })
    .default('')
    .meta({ description: 'A code of the authenticator app, or a recovery code.' }),
};

/** The form of the page. Empty fields are wrong and not malformed: a browser sends them. */
export const devicePageAnswerSchema = z.object(answerShape).meta({ id: 'DevicePageAnswer' });

export type DevicePageAnswer = z.output<typeof devicePageAnswerSchema>;
export type ApiDeviceLogin = z.infer<typeof deviceLoginSchema>;

const forEverybody = { service: 'auth', tag: 'Accounts', access: 'public' } as const;
const page = { schema: z.string(), mediaTypes: ['text/html'] };

/** Signing in a program that can show no page, as RFC 8628 has it. */
export const deviceLoginRoutes: readonly Route[] = [
  {
    ...forEverybody,
    operationId: 'createDeviceLogin',
    method: 'POST',
    idempotencyKey: { refused: 'an unused code expires' },
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
