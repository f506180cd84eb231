import type { z } from 'zod';
import type { ErrorCode } from '@tollgate/kernel/error-codes';
import type { TagName } from './tags.ts';

export type ServiceName = 'auth' | 'ingest-gateway' | 'billing' | 'notifier';
/** The payment processor that moves the money. */
export type ProcessorName = 'sandbox' | 'stripe';
export type HttpMethod = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/**
 * The callers that a route admits. `public`: everybody. `account`: an access token or an API key. `session`: an access
 * token (an API key gets 403). `pass`: the pass itself. `refresh`: an access token, which may have expired. `operator`: the operator's token.
 */
export type RouteAccess = 'public' | 'account' | 'session' | 'pass' | 'refresh' | 'operator';

/** Headers that only some answers have. `openapi/headers.ts` describes them. */
export type AnswerHeader = 'Location' | 'Idempotent-Replayed' | 'X-Next-Cursor';

export interface RouteAnswer {
  readonly description: string;
  readonly schema?: z.ZodType;
  /** Default `application/json`, where there is a schema. */
  readonly mediaTypes?: readonly string[];
  /** The caller may ask for the entries as a table, `text/csv`. */
  readonly isAlsoCsv?: boolean;
  readonly headers?: readonly AnswerHeader[];
  /** Operations whose path parameter is a value of this answer. */
  readonly links?: readonly AnswerLink[];
}

export interface AnswerLink {
  readonly operationId: string;
  readonly parameter: string;
  /** The field of the body that holds it; default: of the same name. */
  readonly field?: string;
}

/** Whether a request needs `Tollgate-Operator-Code` while the operator has a second factor: it changes something. */
export function needsOperatorCode({ access, method, givesOperatorCode }: Route): boolean {
  return access === 'operator' && method !== 'GET' && !givesOperatorCode;
}

/** Whether the header `Idempotency-Key` has a meaning there. */
export function takesKeyHeader({ idempotencyKey }: Route): boolean {
  return idempotencyKey === 'replayed' || idempotencyKey === 'of_body';
}

export const keyScopes = ['events', 'read', 'manage'] as const;
/** An API key may be limited to these. */
export type KeyScope = (typeof keyScopes)[number];

/** The scope that a route asks of an API key and names to one without it. Undefined: every key opens it, or none does. */
export function keyScopeOf({ access, method, keyScope }: Route): KeyScope | undefined {
  if (access !== 'account' || keyScope === 'any') return undefined;
  return keyScope ?? (method === 'GET' ? 'read' : 'manage');
}

/** Whether an API key with these scopes opens a route for accounts. */
export function opensToKey(route: Route, can: readonly KeyScope[]): boolean {
  const scope = keyScopeOf(route);
  return scope === undefined || can.includes(scope) || (route.admitsEventsKey === true && can.includes('events'));
}

/**
 * The meaning of the header `Idempotency-Key` for a POST.
 *
 * - `replayed`: the first answer comes again, for at least 24 hours.
 * - `of_body`: it is the `idempotency_key` of the body where the body has none.
 * - `refused`: 400 with the reason, which says how else a repeat is safe. Ignored, it would promise what nobody keeps.
 * - `ignored`: the callers are not ours to tell, such as browsers and payment processors.
 */
export type KeyUse = 'replayed' | 'of_body' | { readonly refused: string } | 'ignored';

/** One operation of the API. All code that mounts, documents, guards or tests operations reads these values. */
export type Route = RouteParts & (PostParts | OtherParts);

/** A new POST does not compile without a word on repeats. */
interface PostParts {
  readonly method: 'POST';
  readonly idempotencyKey: KeyUse;
}

interface OtherParts {
  readonly method: Exclude<HttpMethod, 'POST'>;
  readonly idempotencyKey?: never;
}

interface RouteParts {
  readonly operationId: string;
  /** As `/v1/tools/{slug}`. */
  readonly path: string;
  readonly service: ServiceName;
  /** The route exists only with this payment processor; otherwise it is 404. */
  readonly processor?: ProcessorName;
  readonly access: RouteAccess;
  readonly summary: string;
  readonly description?: string;
  readonly tag: TagName;
  /** A pass may call it too, for the account that handed it out. Every other route answers 403 to a pass. */
  readonly admitsPass?: boolean;
  /** The scope that an API key needs; `any`: none. Default: `read` for GET, `manage` for the others. */
  readonly keyScope?: 'events' | 'read' | 'any';
  /** An API key for `events` opens it, too. Its handler shows such a key only what such keys make. */
  readonly admitsEventsKey?: boolean;
  /** The route serves browsers or the payment processor, not callers of the API. Marked `x-internal`. */
  readonly isInternal?: boolean;
  /** Gives the operator the code that changes need while there is a second factor, and so needs none itself. */
  readonly givesOperatorCode?: boolean;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Default `application/json`. */
  readonly bodyType?: string;
  /** The body may have unknown fields, which are ignored and named in `X-Ignored-Fields`. Otherwise they are 400. */
  readonly ignoresUnknownFields?: boolean;
  /** Counts against the limit of 100 requests per second, and has `X-RateLimit-*` in its answers. */
  readonly rateLimited?: boolean;
  /** Makes a file or reads much, and so has a lower limit than other requests. */
  readonly isExport?: boolean;
  readonly responses: Readonly<Record<number, RouteAnswer>>;
  /** The codes of this route alone. `errorsOf` adds those that follow from the fields above. */
  readonly errors: readonly ErrorCode[];
}
