import type { BeginCall, PaidCall, Refusal } from '@tollgate/sdk/calls';

import type { EndedAnswer } from './ended-answer.ts';
import type { RequestOptions } from './request-options.ts';

/** A request that may be served. */
export interface PaidRequest {
  /** The last byte of the answer has left, or the answer was cut before. */
  end(answer: EndedAnswer): Promise<void>;
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
  const failed = options.failed ?? (({ status, isWhole }: EndedAnswer) => status >= 500 || !isWhole);
  return async function beginRequest(request, bearer) {
    const tool = typeof options.tool === 'string' ? options.tool : options.tool(request);
    if (tool === undefined) return 'free';
    const key = options.pass === undefined ? bearer : options.pass(request);
    const begun = await beginCall({ tool, key });
    if ('refusal' in begun) return begun;
    return { end: (answer) => endCall(begun, request, answer), release: () => begun.release() };
  };

  function endCall(call: PaidCall, request: Request, answer: EndedAnswer): Promise<void> {
    return call.end({ success: !failed(answer), metadata: options.metadata?.(request, answer) });
  }
}
