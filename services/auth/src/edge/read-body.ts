import { ignoredFieldsHeader } from '@tollgate/runtime/http/ignored-fields';
import { parseBody } from '@tollgate/runtime/http/parse';
import { readJsonBody } from '@tollgate/runtime/http/read-json-body';
import type { Request, Response } from 'express';
import type { z } from 'zod';

const bodyLimits = { maxBytes: 16 * 1_024 };

/** The body by its contract. Fields that it does not know are named in the answer's headers, whatever the answer is. */
export async function readBody<Schema extends z.ZodType>(
  request: Request,
  response: Response,
  schema: Schema,
): Promise<z.output<Schema>> {
  const { value, ignoredFields } = parseBody(schema, await readJsonBody(request, bodyLimits));
  for (const [name, header] of Object.entries(ignoredFieldsHeader(ignoredFields))) response.setHeader(name, header);
  return value;
}
