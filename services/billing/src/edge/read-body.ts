import { ignoredFieldsHeader } from '@tollgate/runtime/http/ignored-fields';
import { parseBody } from '@tollgate/runtime/http/parse';
import { readJsonBody, readOptionalJsonBody } from '@tollgate/runtime/http/read-json-body';
import type { Request, Response } from 'express';
import type { z } from 'zod';

/** `raw` is what the caller sent: an Idempotency-Key is compared with that. */
export interface Body<Value> {
  readonly value: Value;
  readonly raw: unknown;
}

export type ReadBody<Value> = (request: Request, response: Response) => Promise<Body<Value>>;

const bodyLimits = { maxBytes: 64 * 1_024 };

/** The body by its contract. Fields that it does not know are named in the answer's headers, whatever the answer is. */
export function readBody<Schema extends z.ZodType>(schema: Schema): ReadBody<z.output<Schema>> {
  return async function readBodyBySchema(request, response) {
    const raw = await readJsonBody(request, bodyLimits);
    const { value, ignoredFields } = parseBody(schema, raw);
    for (const [name, header] of Object.entries(ignoredFieldsHeader(ignoredFields))) response.setHeader(name, header);
    return { value, raw };
  };
}

/** For a POST that needs none; one that is sent all the same must be JSON, and is part of what a key stands for. */
export async function noBody(request: Request): Promise<Body<undefined>> {
  return { value: undefined, raw: await readOptionalJsonBody(request, bodyLimits) };
}
