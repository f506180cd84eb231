import type { z } from 'zod';
import type { ErrorCode } from '@tollgate/kernel/error-codes';

export type ServiceName = 'auth' | 'ingest-gateway' | 'billing';
/** Who moves the money. */
export type ProcessorName = 'sandbox' | 'stripe';
export type HttpMethod = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/**
 * Who may call: anyone; an account by access token or API key; an account by access token only (a key gets 403); an account
 * by an access token that may have expired; the operator.
 */
export type RouteAccess = 'public' | 'account' | 'session' | 'refresh' | 'operator';

/** Headers that only some answers carry; their meaning is written once, in `openapi/headers.ts`. */
export type AnswerHeader = 'Location' | 'Idempotent-Replayed';

export interface RouteAnswer {
  readonly description: string;
  readonly schema?: z.ZodType;
  /** Default `application/json`, where there is a schema. */
  readonly mediaTypes?: readonly string[];
  readonly headers?: readonly AnswerHeader[];
  /** Operations that take a value of this answer as their path's parameter. */
  readonly links?: readonly AnswerLink[];
}

export interface AnswerLink {
  readonly operationId: string;
  readonly parameter: string;
  /** The field of the body that holds it; default: of the same name. */
  readonly field?: string;
}

/** One thing the service can be asked. Everything that mounts, documents, guards or tests routes reads these. */
export interface Route {
  readonly operationId: string;
  readonly method: HttpMethod;
  /** As `/v1/tools/{slug}`. */
  readonly path: string;
  readonly service: ServiceName;
  /** There only with this payment processor; elsewhere 404. */
  readonly processor?: ProcessorName;
  readonly access: RouteAccess;
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Default `application/json`. */
  readonly bodyType?: string;
  /** Takes the `Idempotency-Key` header. */
  readonly idempotencyKey?: boolean;
  /** Counts against the limit of 100 requests a second, and says so in `X-RateLimit-*`. */
  readonly rateLimited?: boolean;
  readonly responses: Readonly<Record<number, RouteAnswer>>;
  /** The codes of its own; those that follow from the fields above are added by `errorsOf`. */
  readonly errors: readonly ErrorCode[];
}
