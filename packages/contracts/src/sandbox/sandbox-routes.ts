import { z } from 'zod';
import type { Route } from '../routes/route.ts';
import {
  cardSetupAnswerSchema,
  onboardingAnswerSchema,
  sandboxPageQuerySchema,
  sandboxWebhookSchema,
} from './sandbox.ts';

const sandbox = {
  service: 'billing',
  tag: 'Sandbox',
  access: 'public',
  processor: 'sandbox',
  isInternal: true,
} as const;
const page = { schema: z.string(), mediaTypes: ['text/html'] };
const asked = {
  200: { description: 'The page, with its buttons.', ...page },
  404: { description: 'A page that says that the link is unknown, used or expired.', ...page },
};
const answered = {
  303: { description: 'Redirects to the `return_url` of the link.', headers: ['Location'] as const },
  404: asked[404],
};

/** The sandbox processor, in the place of Stripe: its hosted pages for people, and its webhook. */
export const sandboxRoutes: readonly Route[] = [
  {
    ...sandbox,
    operationId: 'getOnboardingPage',
    method: 'GET',
    path: '/v1/sandbox/onboarding',
    summary: 'Show the onboarding page behind `connect_url`',
    query: sandboxPageQuerySchema,
    responses: asked,
    errors: ['unavailable'],
  },
  {
    ...sandbox,
    operationId: 'answerOnboardingPage',
    method: 'POST',
    idempotencyKey: 'ignored',
    path: '/v1/sandbox/onboarding',
    summary: 'Submit the sandbox onboarding page',
    query: sandboxPageQuerySchema, // the form of a page is sent to the page's own address
    body: onboardingAnswerSchema,
    bodyType: 'application/x-www-form-urlencoded',
    responses: answered,
    errors: ['unavailable'],
  },
  {
    ...sandbox,
    operationId: 'getCardSetupPage',
    method: 'GET',
    path: '/v1/sandbox/card-setup',
    summary: 'Show the card page behind `setup_url`',
    query: sandboxPageQuerySchema,
    responses: asked,
    errors: ['unavailable'],
  },
  {
    ...sandbox,
    operationId: 'answerCardSetupPage',
    method: 'POST',
    idempotencyKey: 'ignored',
    path: '/v1/sandbox/card-setup',
    summary: 'Submit the sandbox card page',
    query: sandboxPageQuerySchema, // the form of a page is sent to the page's own address
    body: cardSetupAnswerSchema,
    bodyType: 'application/x-www-form-urlencoded',
    responses: answered,
    errors: ['unavailable'],
  },
  {
    ...sandbox,
    tag: 'Webhooks',
    operationId: 'receiveSandboxWebhook',
    method: 'POST',
    idempotencyKey: 'ignored',
    path: '/v1/webhooks/sandbox',
    summary: 'Receive a sandbox webhook',
    description:
      'Signed with `SANDBOX_WEBHOOK_SECRET` at most 300 s ago: `Sandbox-Signature: t=<seconds>,v1=<hex HMAC-SHA-256 of "<seconds>.<body>">`. The webhook is stored before the answer, and only once however often it arrives.',
    body: sandboxWebhookSchema,
    responses: { 204: { description: 'The webhook is stored.' } },
    errors: ['unavailable'],
  },
];
