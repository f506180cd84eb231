import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { serveHttp } from '../http-server.ts';
import { answerStripeCall, type StripeAnswer, type StripeCall } from './answer-stripe-call.ts';
import { createIdempotentReplies } from './idempotent-replies.ts';
import { createStripeBanks, type StripeBanks } from './stripe-banks.ts';
import { createStripeFaults, type StripeFaults } from './stripe-faults.ts';
import { createStripePeople, type StripePeople } from './stripe-people.ts';
import { createStripeState, type StripeState } from './stripe-state.ts';
import { createStripeWebhooks, type StripeWebhooks } from './stripe-webhooks.ts';

/** A call as it arrived, whether it was answered or not. */
export interface RecordedCall extends StripeCall {
  readonly apiVersion: string | undefined;
}

export interface StripeDouble {
  readonly baseUrl: string;
  readonly calls: RecordedCall[];
  readonly state: StripeState;
  readonly faults: StripeFaults;
  readonly people: StripePeople;
  readonly banks: StripeBanks;
  readonly webhooks: StripeWebhooks;
  close(): Promise<void>;
}

export interface StripeDoubleOptions {
  readonly secretKey: string;
  readonly nowMs: () => number;
}

/**
 * Stripe over real HTTP, as far as Tollgate uses it, with its state: none of those to be had keeps any. What it knows of a
 * request was checked against Stripe's own description, which the fixtures of billing's adapter record.
 */
export async function startStripeDouble({ secretKey, nowMs }: StripeDoubleOptions): Promise<StripeDouble> {
  const state = createStripeState(nowMs);
  const faults = createStripeFaults();
  const webhooks = createStripeWebhooks(state);
  const world = { state, happened: webhooks.happened, events: webhooks.events };
  const deps = { world, replies: createIdempotentReplies(nowMs), pause: () => sleep(workMs) };
  const calls: RecordedCall[] = [];

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = await readCall(request);
    calls.push(call);
    if (request.headers.authorization !== `Bearer ${secretKey}`) return sendAnswer(response, unauthenticated);
    const fault = faults.take(`${call.method} ${call.path}`);
    const answer = await answerStripeCall(call, fault, deps);
    if (fault?.what === 'hang') return;
    if (fault?.what === 'cut') return void request.socket.destroy();
    if (fault?.what === 'slow') await sleep(slowMs);
    sendAnswer(response, answer);
  }

  const server = await serveHttp((request, response) => void handle(request, response));
  const { baseUrl, close } = server;
  const [people, banks] = [createStripePeople(world), createStripeBanks(world)];
  return { baseUrl, calls, state, faults, webhooks, people, banks, close };
}

const workMs = 5;
const slowMs = 100;

const unauthenticated = {
  status: 401,
  body: { error: { type: 'invalid_request_error', message: 'Invalid API Key provided: sk_test_*********' } },
};

async function readCall(request: IncomingMessage): Promise<RecordedCall> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stripe');
  const form = new URLSearchParams(await text(request));
  const { 'idempotency-key': key, 'stripe-version': version, 'stripe-account': account } = request.headers;
  return {
    method: request.method ?? '',
    path: pathname,
    fields: Object.fromEntries([
      ...searchParams,
      ...form,
      ...(account === undefined ? [] : [['stripe-account', account]]),
    ]) as Record<string, string>,
    idempotencyKey: typeof key === 'string' ? key : undefined,
    apiVersion: typeof version === 'string' ? version : undefined,
  };
}

let requests = 0;

function sendAnswer(response: ServerResponse, { status, body, isReplayed, retryAfterSeconds }: StripeAnswer): void {
  const headers = {
    'content-type': 'application/json',
    'request-id': `req_${(requests += 1)}`,
    ...(isReplayed && { 'idempotent-replayed': 'true' }),
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
  };
  response.writeHead(status, headers).end(JSON.stringify(body));
}
