import { once } from 'node:events';
import { request as send, type IncomingMessage } from 'node:http';

export interface HeldRequest {
  /** Sends the rest of the request. Resolves with the status of the answer, rejects without an answer. */
  finish(): Promise<number | undefined>;
}

export interface HoldOptions {
  readonly path: string;
  readonly token: string;
}

const body = Buffer.from('{"no field of ours":true}');

/** Sends the first half of a `POST`, so that the request is under way when its server gets SIGTERM. */
export async function holdRequest(baseUrl: string, { path, token }: HoldOptions): Promise<HeldRequest> {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': body.length,
    expect: '100-continue', // the server answers 100 when it has the headers
  };
  const request = send(new URL(path, baseUrl), { method: 'POST', headers });
  const answered = once(request, 'response') as Promise<[IncomingMessage]>;
  answered.catch(() => undefined); // finish() rejects with it
  request.flushHeaders();
  await once(request, 'continue');
  request.write(body.subarray(0, 5));
  return {
    async finish() {
      request.end(body.subarray(5));
      const [answer] = await answered;
      answer.resume();
      return answer.statusCode;
    },
  };
}
