import { z } from 'zod';
import type { Route } from '../route.ts';
import {
  cardSetupAnswerSchema,
  onboardingAnswerSchema,
  sandboxPageQuerySchema,
  sandboxWebhookSchema,
} from '../sandbox.ts';

const sandbox = { service: 'billing', tag: 'Sandbox', access: 'public', processor: 'sandbox' } as const;
const page = { schema: z.string(), mediaTypes: ['text/html'] };
const asked = {
  200: { description: 'The page, with its buttons.', ...page },
  404: { description: 'A page that says so: the link was used, has expired, or never was.', ...page },
};
const answered = {
  303: { description: 'Back to the `return_url` of the link.', headers: ['Location'] as const },
  404: asked[404],
};

/** The payment processor that comes along, as Stripe would be elsewhere: pages for people, and its webhook. */
export const sandboxRoutes: readonly Route[] = [
  {
    ...sandbox,
    operationId: 'getOnboardingPage',
    method: 'GET',
    path: '/v1/sandbox/onboarding',
    summary: 'The page behind `connect_url`',
    query: sandboxPageQuerySchema,
    responses: asked,
    errors: ['unavailable'],
  },
  {
    ...sandbox,
    operationId: 'answerOnboardingPage',
    method: 'POST',
    path: '/v1/sandbox/onboarding',
    summary: 'A button of that page',
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
    summary: 'The page behind `setup_url`',
    query: sandboxPageQuerySchema,
    responses: asked,
    errors: ['unavailable'],
  },
  {
    ...sandbox,
    operationId: 'answerCardSetupPage',
    method: 'POST',
    path: '/v1/sandbox/card-setup',
    summary: 'A button of that page',
    body: cardSetupAnswerSchema,
    bodyType: 'application/x-www-form-urlencoded',
    responses: answered,
    errors: ['unavailable'],
  },
  {
    ...sandbox,
    operationId: 'receiveSandboxWebhook',
    method: 'POST',
    path: '/v1/webhooks/sandbox',
    summary: 'What the sandbox processor has to tell',
    description:
      'Signed: `Sandbox-Signature: t=<seconds>,v1=<hex HMAC-SHA-256 of "<seconds>.<body>">`, at most 300 s old, with `SANDBOX_WEBHOOK_SECRET`. Stored before the answer, once, however often it comes.',
    body: sandboxWebhookSchema,
    responses: { 204: { description: 'Stored.' } },
    errors: ['unavailable'],
  },
];
