import type { BeginCall, PaidCall, Refusal } from '@tollgate/sdk/calls';

import type { RequestOptions } from './request-options.ts';

/** A request that may be served. */
export interface PaidRequest {
  /** The last byte of the answer has left, or the client hung up before. */
  end(answer: { readonly status: number; readonly aborted: boolean }): Promise<void>;
  /** The client hung up before the handler ran: nothing is recorded, and the money is free again. */
  release(): Promise<void>;
}

export type BeginRequest<Request> = (
  request: Request,
  bearer: string | undefined,
) => Promise<PaidRequest | { readonly refusal: Refusal } | 'free'>;

export function createBeginRequest<Request>(
  beginCall: BeginCall,
  options: RequestOptions<Request>,
): BeginRequest<Request> {
  const failed = options.failed ?? ((status: number) => status >= 500);
  return async function beginRequest(request, bearer) {
    const tool = typeof options.tool === 'string' ? options.tool : options.tool(request);
    if (tool === undefined) return 'free';
    const key = options.pass === undefined ? bearer : options.pass(request);
    const begun = await beginCall({ tool, key });
    if ('refusal' in begun) return begun;
    return { end: (answer) => endCall(begun, request, answer), release: () => begun.release() };
  };

  function endCall(call: PaidCall, request: Request, answer: { status: number; aborted: boolean }): Promise<void> {
    const success = !answer.aborted && !failed(answer.status);
    return call.end({ success, metadata: options.metadata?.(request, answer.status) });
  }
}
