import { z } from 'zod';
import { idSchema } from '../forms/id.ts';
import { formatSchema, pageEndShape, pageQueryShape } from '../forms/lists.ts';
import { isoTimeSchema, timestampSchema } from '../forms/timestamp.ts';
import type { Route } from '../routes/route.ts';

/** The acts that leave a row in the audit trail. */
export const auditActions = [
  'account.registered',
  'account.signed_in',
  'device_login.approved',
  'session.ended',
  'api_key.created',
  'api_key.revoked',
  'embed.created',
  'embed_origins.changed',
  'pass.created',
  'pass.changed',
  'pass.rotated',
  'pass.revoked',
  'call.approved',
  'call.refused',
  'password.changed',
  'email.confirmed',
  'second_factor.added',
  'second_factor.removed',
  'second_factor.proved',
  'recovery_codes.replaced',
  'account.suspended',
  'account.resumed',
  'account.named',
  'account.closed',
  'account.erased',
  'tool.created',
  'tool.changed',
  'tool.archived',
  'price.added',
  'payout_account.linked',
  'payout_account.changed',
  'payout_account.disconnected',
  'billing_details.changed',
  'payment_method.linked',
  'payment_method.changed',
  'payment_method.removed',
  'invoice.refunded',
  'stray_money.returned',
  'invoice.voided',
  'invoice.confirmed',
  'credit.granted',
  'top_up.ordered',
  'balance.refunded',
  'credit_limit.changed',
  'auto_top_up.changed',
  'auto_top_up.removed',
  'balance_alerts.changed',
  'webhook_endpoint.created',
  'webhook_endpoint.changed',
  'webhook_endpoint.removed',
  'webhook_endpoint.secret_rotated',
  'notification_preferences.changed',
  'clock.moved',
  'data.exported',
  'signing_key.rotated',
  'operator_totp.enabled',
  'operator_totp.disabled',
  'operator_code.created',
  'operator_token.created',
  'operator_token.revoked',
  'operator_token.rotated',
  'operator_token.used',
  'operator_account.granted',
  'operator_account.revoked',
] as const;

const actionSchema = z.enum(auditActions).meta({ description: 'What was done.' });

const timeShape = {
  from: timestampSchema.optional().meta({ description: 'Only acts at or after this time.' }),
  to: timestampSchema.optional().meta({ description: 'Only acts before this time.' }),
};

/** The content of a cursor of these lists. */
export const actIdSchema = z.string().regex(/^\d{1,18}$/);

const filterShape = {
  ...pageQueryShape,
  action: actionSchema.optional().meta({ description: 'Only acts of this kind.' }),
  ...timeShape,
};

export const activityQuerySchema = z.object(filterShape);

export const auditQuerySchema = z.object({
  ...filterShape,
  account_id: idSchema.optional().meta({ description: 'Only acts that concern this account.' }),
  format: formatSchema,
});

const actShape = {
  id: z.string().meta({ description: 'The number of the act. A later act has a greater number.' }),
  occurred_at: isoTimeSchema.meta({
    description: 'When it was done, by the clock of the database. It never follows the sandbox clock.',
  }),
  action: actionSchema,
  result: z.enum(['done', 'refused']).meta({ description: '`refused`: it was tried and refused, such as a sign-in.' }),
  actor: z.enum(['session', 'api_key', 'pass', 'operator', 'command', 'processor', 'service', 'nobody']).meta({
    description:
      'Who did it: `command` is the operator’s command line, `service` Tollgate on its own, `nobody` a caller without a credential.',
  }),
  credential_id: idSchema.nullable().meta({ description: 'The session, the API key or the pass that did it.' }),
  address: z.string().nullable().meta({ description: 'The address of the caller.' }),
  request_id: z.string().nullable().meta({ description: '`X-Request-Id` of the request.' }),
  object_kind: z.string().meta({ description: 'The kind of the object, such as `api_key`.' }),
  object_id: z.string().nullable().meta({ description: 'The id of the object.' }),
};

export const ownActSchema = z.object(actShape).meta({ id: 'OwnAct' });

export const actSchema = z
  .object({
    ...actShape,
    account_id: idSchema.nullable().meta({ description: 'The account that the act concerns.' }),
    actor_account_id: idSchema.nullable().meta({
      description: 'The account of the session, the API key or the pass, or of the person who acted as the operator.',
    }),
    operator_name: z.string().nullable().meta({ description: 'The name of the operator token; null for a person.' }),
    detail: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).meta({
      description: 'Facts about the act, such as an amount. Never a secret.',
    }),
  })
  .meta({ id: 'Act' });

const ownActListSchema = actListSchema('OwnActList', ownActSchema);
const actListSchemaOfOperator = actListSchema('ActList', actSchema);

/** There is no total: the trail is kept for ever, and counting it would cost more than the page. */
function actListSchema<Item extends z.ZodType>(id: string, item: Item) {
  return z
    .object({
      acts: z.array(item),
      total: z.null().meta({ description: 'Always null: acts are not counted.' }),
      ...pageEndShape,
    })
    .meta({ id, description: 'A page, newest first. `total` is null.' });
}

export type AuditAction = (typeof auditActions)[number];
export type AuditActor = z.infer<typeof actShape.actor>;
export type ApiOwnAct = z.infer<typeof ownActSchema>;
export type ApiAct = z.infer<typeof actSchema>;

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
