import type { AnswerCheck } from './openapi-answer-check.ts';

export interface HttpRequest {
  /** Sent as `Authorization: Bearer …`. */
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged, without a content type unless `headers` has one. */
  readonly rawBody?: string | Uint8Array<ArrayBuffer>;
}

export interface HttpAnswer<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The raw body, for answers that are no text. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The parsed JSON; undefined when the answer has no body or another type. */
  readonly body: Body;
}

export interface HttpClient {
  /** The caller names the type of the body; `answerCheck` compares the body with its description. */
  <Body = Record<string, unknown>>(method: string, path: string, request?: HttpRequest): Promise<HttpAnswer<Body>>;
}

/** A client for tests. With `answerCheck`, an answer that contradicts the OpenAPI document throws. */
export function createHttpClient({ baseUrl, answerCheck }: { baseUrl: string; answerCheck?: AnswerCheck }): HttpClient {
  return async function send<Body>(method: string, path: string, request: HttpRequest = {}): Promise<HttpAnswer<Body>> {
    const response = await fetch(new URL(path, baseUrl), { method, redirect: 'manual', ...toInit(request) });
    const bytes = new Uint8Array(await response.arrayBuffer());
    const text = new TextDecoder().decode(bytes);
    const isJson = /^application\/(?:[\w.-]+\+)?json\b/.test(response.headers.get('content-type') ?? '');
    const parsed: unknown = isJson && text !== '' ? JSON.parse(text) : undefined;
    const answer = { status: response.status, headers: response.headers, text, bytes, body: parsed as Body };
    answerCheck?.({ method, path, ...answer });
    return answer;
  };
}

function toInit({ token, headers, body, rawBody }: HttpRequest): RequestInit {
  const sent = new Headers(headers);
  if (token !== undefined) sent.set('authorization', `Bearer ${token}`);
  if (body === undefined) return { headers: sent, ...(rawBody === undefined ? {} : { body: rawBody }) };
  if (!sent.has('content-type')) sent.set('content-type', 'application/json');
  return { headers: sent, body: JSON.stringify(body) };
}
