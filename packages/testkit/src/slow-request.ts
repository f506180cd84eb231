import { request } from 'node:http';

export interface SlowRequest {
  /** Sends the rest of the body. Resolves to the status. */
  finish(): Promise<number>;
}

export interface SlowPost {
  readonly url: string;
  readonly token: string;
  readonly body: object;
}

/** Begins a POST whose head and first bytes arrive now, and whose body is held back. Resolves once they are sent. */
export async function beginSlowPost({ url, token, body }: SlowPost): Promise<SlowRequest> {
  const text = JSON.stringify(body);
  const status = Promise.withResolvers<number>();
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  };
  const slow = request(url, { method: 'POST', headers }, (response) => {
    response.resume();
    status.resolve(response.statusCode ?? 0);
  });
  slow.on('error', status.reject);
  await new Promise<void>((resolve) => void slow.write(text.slice(0, 5), () => resolve()));
  return {
    finish() {
      slow.end(text.slice(5));
      return status.promise;
    },
  };
}
