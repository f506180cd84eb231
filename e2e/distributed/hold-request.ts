import { once } from 'node:events';
import { request as send, type IncomingMessage } from 'node:http';

export interface HeldRequest {
  /** Sends the rest of it; resolves with the status of the answer, rejects when there is none. */
  finish(): Promise<number | undefined>;
}

export interface HoldOptions {
  readonly path: string;
  readonly token: string;
}

const body = Buffer.from('{"no field of ours":true}');

/** A `POST` whose second half is still to come: a request that is certainly under way when its server is told to end. */
export async function holdRequest(baseUrl: string, { path, token }: HoldOptions): Promise<HeldRequest> {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': body.length,
    expect: '100-continue', // its answer tells that the server has the first half of it
  };
  const request = send(new URL(path, baseUrl), { method: 'POST', headers });
  const answered = once(request, 'response') as Promise<[IncomingMessage]>;
  answered.catch(() => undefined); // whoever finishes it is told
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
