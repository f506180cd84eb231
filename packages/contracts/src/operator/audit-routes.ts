import { activityQuerySchema, actListSchemaOfOperator, auditQuerySchema, ownActListSchema } from './audit.ts';
import type { Route } from '../routes/route.ts';

/** Auth has these routes: it keeps the credentials that most acts are about. */
export const auditRoutes: readonly Route[] = [
  {
    service: 'auth',
    tag: 'Accounts',
    access: 'account',
    operationId: 'listActivity',
    method: 'GET',
    path: '/v1/auth/activity',
    summary: 'List the audit trail of your account',
    description:
      'Lists sign-ins, also refused ones, and changes of credentials, tools, payment method and payout account. Addresses of the operator are not shown.',
    query: activityQuerySchema,
    responses: { 200: { description: 'A page of acts.', schema: ownActListSchema } },
    errors: [],
  },
  {
    service: 'auth',
    tag: 'Operator',
    access: 'operator',
    operationId: 'listAudit',
    method: 'GET',
    path: '/v1/operator/audit',
    summary: 'List the audit trail of all accounts',
    description: 'Lists who did what, from where and when. The trail is kept for ever, and nobody can change it.',
    query: auditQuerySchema,
    responses: {
      200: {
        description: 'A page of acts.',
        schema: actListSchemaOfOperator,
        isAlsoCsv: true,
        headers: ['X-Next-Cursor'],
      },
    },
    errors: [],
  },
];
