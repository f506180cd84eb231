import type { IncomingMessage, ServerResponse } from 'node:http';
import type { z } from 'zod';
import { ignoredFieldsHeader } from '../http/requests/ignored-fields.ts';
import { parseBody } from '../http/requests/parse.ts';
import { readJsonBody, readOptionalJsonBody } from '../http/requests/read-json-body.ts';

export interface Body<Value> {
  readonly value: Value;
  /** As the caller sent it: an Idempotency-Key is compared with that. */
  readonly raw: unknown;
}

export type ReadBody<Value> = (request: IncomingMessage, response: ServerResponse) => Promise<Body<Value>>;

const defaultLimits = { maxBytes: 64 * 1_024 };

/** Reads a body by its contract. Fields that the contract does not know are named in the answer's headers. */
export function readBody<Schema extends z.ZodType>(schema: Schema, limits = defaultLimits): ReadBody<z.output<Schema>> {
  return async function readBodyBySchema(request, response) {
    const raw = await readJsonBody(request, limits);
    const { value, ignoredFields } = parseBody(schema, raw);
    for (const [name, header] of Object.entries(ignoredFieldsHeader(ignoredFields))) response.setHeader(name, header);
    return { value, raw };
  };
}

/** For a POST that needs none. A body that is sent all the same must be JSON, and is part of what a key stands for. */
export async function noBody(request: IncomingMessage): Promise<Body<undefined>> {
  return { value: undefined, raw: await readOptionalJsonBody(request, defaultLimits) };
}
