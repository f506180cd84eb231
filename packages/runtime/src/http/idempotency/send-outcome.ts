import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Outcome } from './idempotency.ts';
import { sendEmpty, sendJson } from '../answers/send-json.ts';
import { sendProblem } from '../answers/send-problem.ts';

/** Sends the outcome of `idempotency.run`. A replay has the header `Idempotent-Replayed`. */
export function sendOutcome(request: IncomingMessage, response: ServerResponse, outcome: Outcome): void {
  if (outcome.replayed) response.setHeader('idempotent-replayed', 'true');
  if (outcome.kind === 'refusal') {
    sendProblem(request, response, outcome.error);
    return;
  }
  const { status, body, headers } = outcome.reply;
  if (status === 204) sendEmpty(response);
  else sendJson(response, status, body, headers);
}
