import { z } from 'zod';
import { closedObject } from '../forms/closed-object.ts';
import { optional } from '../forms/optional.ts';
import type { Route } from '../routes/route.ts';
import { mailedUnlessRefused, type OptionalMail } from './mail-types.ts';

const wanted: Readonly<Record<OptionalMail, string>> = {
  'payout.paid': 'A mail when a payout is transferred.',
  'payout.failed': 'A mail when the transfer of a payout fails.',
  'spending.threshold_reached': 'A mail when a part of a budget, or of the cap of a pass, is spent.',
  'spending.limit_reached': 'A mail when all of a budget, or of the cap of a pass, is spent.',
  'webhook_endpoint.disabled': 'A mail when an endpoint of yours is disabled because it fails.',
};

function shapeOf<Schema extends z.ZodType>(toSchema: (description: string) => Schema): Record<OptionalMail, Schema> {
  const entries = mailedUnlessRefused.map((type) => [type, toSchema(wanted[type])] as const);
  return Object.fromEntries(entries) as Record<OptionalMail, Schema>; // one entry for each
}

const email = { 'payout.paid': false };

export const putNotificationPreferencesSchema = closedObject({
  email: closedObject(
    shapeOf((description) => optional(z.boolean()).meta({ description: `${description} Default: true.` })),
  ),
}).meta({ id: 'NewNotificationPreferences', examples: [{ email }] });

export const notificationPreferencesSchema = z
  .object({ email: z.object(shapeOf((description) => z.boolean().meta({ description }))) })
  .meta({
    id: 'NotificationPreferences',
    description: 'Invoices, failed payments and what concerns the security of the account are mailed always.',
  });

export type NotificationPreferences = z.infer<typeof notificationPreferencesSchema>;
export type PutNotificationPreferences = z.output<typeof putNotificationPreferencesSchema>;

const tokenSchema = z.object({ token: z.string().min(1).max(200).meta({ description: 'From the link of a mail.' }) });
const page = { schema: z.string(), mediaTypes: ['text/html'] };
const gone = { description: 'A page that says that the link is not one of ours.', ...page };

/** The answer to the button of the page, and to a mail program: RFC 8058 gives the form. */
export const unsubscribeFormSchema = z
  .object({ 'List-Unsubscribe': z.literal('One-Click') })
  .meta({ id: 'UnsubscribeForm' });

export const unsubscribeQuerySchema = tokenSchema;

const preferences = { service: 'notifier', tag: 'Webhook endpoints', access: 'account' } as const;
const unsubscribe = { service: 'notifier', tag: 'Webhook endpoints', access: 'public', isInternal: true } as const;
const answer = { description: 'Every kind of mail that you may switch off.', schema: notificationPreferencesSchema };

export const notificationPreferenceRoutes: readonly Route[] = [
  {
    ...preferences,
    operationId: 'getNotificationPreferences',
    method: 'GET',
    path: '/v1/notification-preferences',
    summary: 'Get what you are mailed',
    responses: { 200: answer },
    errors: [],
  },
  {
    ...preferences,
    operationId: 'putNotificationPreferences',
    method: 'PUT',
    path: '/v1/notification-preferences',
    summary: 'Set what you are mailed',
    description: 'What you leave out is on.',
    body: putNotificationPreferencesSchema,
    responses: { 200: answer },
    errors: [],
  },
  {
    ...unsubscribe,
    operationId: 'getUnsubscribePage',
    method: 'GET',
    path: '/unsubscribe',
    summary: 'Show the page behind the link that ends a kind of mail',
    query: unsubscribeQuerySchema,
    responses: { 200: { description: 'The page, which asks once more.', ...page }, 404: gone },
    errors: [],
  },
  {
    ...unsubscribe,
    operationId: 'unsubscribe',
    method: 'POST',
    idempotencyKey: 'ignored',
    path: '/unsubscribe',
    summary: 'End a kind of mail',
    query: unsubscribeQuerySchema,
    body: unsubscribeFormSchema,
    bodyType: 'application/x-www-form-urlencoded',
    responses: { 200: { description: 'A page that says that no more come.', ...page }, 404: gone },
    errors: [],
  },
];
