import type { ServerResponse } from 'node:http';

import { documentHeaders, type ProtectedResource } from '../protected-resource.ts';
import { readBearer, tokenRefused, type AdmissionRules, type HttpRefusal } from './admit-request.ts';
import type { Caller } from './caller.ts';
import type { PassCheck } from './pass-check.ts';

export interface AdmitCallerDeps {
  readonly rules: AdmissionRules;
  readonly passCheck: Pick<PassCheck, 'find'>;
  /** Says where tokens come from. Undefined: passes alone are good. */
  readonly resource: ProtectedResource | undefined;
  readonly onError: (error: unknown) => void;
}

const noTollgate: HttpRefusal = {
  status: 503,
  message: 'Tollgate cannot be asked now: try again later.',
  headers: { 'retry-after': '5' },
};

/** Finds out who asks, by the `Authorization` header. A 401 tells a client where its person signs in. */
export function createAdmitCaller({ rules, passCheck, resource, onError }: AdmitCallerDeps) {
  return async function admitCaller(
    authorization: string | undefined,
  ): Promise<{ readonly caller: Caller | undefined } | HttpRefusal> {
    const read = readBearer(authorization, rules);
    if ('status' in read) return challenged(read);
    if (read.bearer === undefined) return { caller: undefined };
    try {
      const pass = await passCheck.find(read.bearer);
      return pass === undefined ? challenged(tokenRefused) : { caller: { ...pass, bearer: read.bearer } };
    } catch (error) {
      onError(error);
      return noTollgate;
    }
  };

  function challenged(refusal: HttpRefusal): HttpRefusal {
    if (resource === undefined) return refusal;
    const error = refusal === tokenRefused ? 'invalid_token' : undefined;
    return { ...refusal, headers: { 'www-authenticate': resource.challenge(error) } };
  }
}

/** Answers with the document of the resource, which everybody may read. */
export async function sendMetadata(
  response: ServerResponse,
  { metadata }: ProtectedResource,
  onError: (error: unknown) => void,
): Promise<HttpRefusal | undefined> {
  try {
    const document = JSON.stringify(await metadata());
    response.writeHead(200, { 'content-type': 'application/json', ...documentHeaders }).end(document);
    return undefined;
  } catch (error) {
    onError(error);
    return noTollgate;
  }
}
