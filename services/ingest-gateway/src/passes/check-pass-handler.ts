import type { IncomingMessage, ServerResponse } from 'node:http';
import { checkPassSchema } from '@tollgate/contracts/spending/passes';
import type { Database } from '@tollgate/database/database';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import { parseBody } from '@tollgate/runtime/http/requests/parse';
import { readJsonBody } from '@tollgate/runtime/http/requests/read-json-body';
import { createCheckPass, type CheckPassDeps } from './check-pass.ts';
import { readOwnSpendings } from './read-spending.ts';
import { toApiOwnPass, toApiToken } from './to-api-pass.ts';

export interface CheckPassHandlerDeps extends CheckPassDeps {
  readonly api: Database;
}

const maxBytes = 16 * 1_024;

export function createCheckPassHandler({ api, ...deps }: CheckPassHandlerDeps) {
  const checkPass = createCheckPass(deps);
  return async function handleCheckPass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { value } = parseBody(checkPassSchema, await readJsonBody(request, { maxBytes }));
    const { pass, token } = await checkPass({ text: value.pass, resource: value.resource });
    const shown = toApiOwnPass(pass, await readOwnSpendings(api, pass, deps.clock.now()));
    sendJson(response, 200, { ...shown, token: toApiToken(token) });
  };
}
