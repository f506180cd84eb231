import type { ServerResponse } from 'node:http';

const jsonType = 'application/json; charset=utf-8';

export type AnswerHeaders = Readonly<Record<string, string | number>>;

/** Sends a whole JSON answer. Amounts must be numbers: a bigint in the body is a bug and throws. */
// oxlint-disable-next-line max-params -- the four parts of an answer, in the order in which HTTP sends them
export function sendJson(response: ServerResponse, status: number, body: unknown, headers?: AnswerHeaders): void {
  sendJsonText(response, status, JSON.stringify(body), headers);
}

/** Sends a whole answer that is JSON already. */
// oxlint-disable-next-line max-params -- as `sendJson`
export function sendJsonText(response: ServerResponse, status: number, text: string, headers?: AnswerHeaders): void {
  response.writeHead(status, { ...headers, 'content-type': jsonType, 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

/** The headers of a whole answer in JSON, names and values in turn. */
export function jsonHead(text: string): string[] {
  return ['content-type', jsonType, 'content-length', String(Buffer.byteLength(text))];
}

/** 204, or another status without a body. */
export function sendEmpty(response: ServerResponse, status = 204): void {
  response.writeHead(status);
  response.end();
}
