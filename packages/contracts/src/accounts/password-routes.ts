import { changePasswordSchema } from './accounts.ts';
import type { Route } from '../routes/route.ts';

/** Listed after all that takes the password, so that examples which are tried in order still have the first one. */
export const passwordRoutes: readonly Route[] = [
  {
    service: 'auth',
    tag: 'Accounts',
    operationId: 'changePassword',
    method: 'POST',
    idempotencyKey: { refused: 'a repeat needs the new password' },
    path: '/v1/auth/password',
    access: 'session',
    summary: 'Change the password',
    body: changePasswordSchema,
    ignoresUnknownFields: true,
    responses: { 204: { description: 'The password is changed, and all other sessions have ended.' } },
    errors: ['invalid_credentials'],
  },
];
