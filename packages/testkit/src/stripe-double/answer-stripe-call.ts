import { expandObject } from './expand-object.ts';
import type { IdempotentReplies, StripeReply } from './idempotent-replies.ts';
import type { Fields } from './read-fields.ts';
import type { StripeEndpoint } from './stripe-endpoint.ts';
import { stripeEndpoints } from './stripe-endpoints.ts';
import type { StripeFault } from './stripe-faults.ts';
import { badParameter, StripeRefusal, type RefusalFacts } from './stripe-refusal.ts';
import type { StripeWorld } from './stripe-world.ts';

export interface StripeCall {
  readonly method: string;
  readonly path: string;
  /** The fields of the query and of the form, and the header `stripe-account`. */
  readonly fields: Fields;
  readonly idempotencyKey: string | undefined;
}

export interface StripeAnswer extends StripeReply {
  /** Every repetition of its key gets the same answer. */
  readonly isKept?: boolean;
  readonly isReplayed?: boolean;
  readonly retryAfterSeconds?: number | undefined;
}

export interface AnswerDeps {
  readonly world: StripeWorld;
  readonly replies: IdempotentReplies;
  /** Stripe takes a moment, in which another call may use the same key. */
  readonly pause: () => Promise<void>;
}

/** Answers one call: the key first, then the fault, then the call, as Stripe does. */
export async function answerStripeCall(
  call: StripeCall,
  fault: StripeFault | undefined,
  deps: AnswerDeps,
): Promise<StripeAnswer> {
  const key = call.method === 'POST' ? call.idempotencyKey : undefined;
  if (key === undefined) return work(call, fault, deps);
  try {
    const known = deps.replies.begin(key, JSON.stringify([call.path, call.fields]));
    if (known) return { ...known, isReplayed: true };
  } catch (error) {
    return toReply(error);
  }
  const reply = await work(call, fault, deps);
  if (reply.isKept) deps.replies.finish(key, reply);
  else deps.replies.release(key);
  return reply;
}

async function work(call: StripeCall, fault: StripeFault | undefined, deps: AnswerDeps): Promise<StripeAnswer> {
  await deps.pause();
  return isTurnedAway(fault) ? turnAway(fault) : execute(call, fault, deps.world);
}

/** True if the call is turned away before it begins: without an effect and without a kept reply. */
function isTurnedAway(fault: StripeFault | undefined): boolean {
  if (fault?.what === 429 || fault?.what === 409) return true;
  return fault?.effect === 'not_done' && (fault.what === 'hang' || fault.what === 'cut');
}

function turnAway(fault: StripeFault | undefined): StripeAnswer {
  const is429 = fault?.what === 429;
  const code = is429 ? 'rate_limit' : 'lock_timeout';
  const facts = { status: is429 ? 429 : 409, type: 'invalid_request_error', code, message: 'Try again.' } as const;
  return { ...toError(facts), retryAfterSeconds: fault?.retryAfterSeconds };
}

function execute(call: StripeCall, fault: StripeFault | undefined, world: StripeWorld): StripeAnswer {
  if (fault?.what !== 500) return answer(call, world);
  if (fault.effect === 'done') answer(call, world);
  return { ...toError(brokenFacts), isKept: true };
}

const brokenFacts = { status: 500, type: 'api_error', message: 'Something went wrong on our side.' } as const;

function answer(call: StripeCall, world: StripeWorld): StripeAnswer {
  try {
    const { endpoint, id } = findEndpoint(call);
    const body = expandObject(world.state, call.fields, endpoint.answer(world, call.fields, id));
    return { status: 200, body, isKept: true };
  } catch (error) {
    return toReply(error);
  }
}

function findEndpoint({ method, path, fields }: StripeCall): { endpoint: StripeEndpoint; id: string } {
  for (const endpoint of stripeEndpoints) {
    const match = endpoint.method === method ? endpoint.path.exec(path) : null;
    if (!match) continue;
    const unknown = Object.keys(fields).find((name) => !endpoint.fields.some((field) => field.test(name)));
    if (unknown !== undefined) throw badParameter('parameter_unknown', unknown);
    return { endpoint, id: match[1] ?? '' };
  }
  const message = `Unrecognized request URL (${method}: ${path}).`;
  throw new StripeRefusal({ status: 404, type: 'invalid_request_error', message });
}

/** A refusal by validation is not kept. */
function toReply(error: unknown): StripeAnswer {
  if (error instanceof StripeRefusal) return { ...toError(error.facts), isKept: error.isKept };
  throw error;
}

function toError({ status, ...error }: RefusalFacts): StripeReply {
  return { status, body: { error } };
}
