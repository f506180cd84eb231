import type { BeginCall, CallMetadata, PaidCall, Refusal } from '@tollgate/sdk/calls';

import type { EndedAnswer } from './ended-answer.ts';
import type { RequestCaller, RequestOptions } from './request-options.ts';
import { createUsageReader, type AnswerHead, type ReadBytes, type UsageReader } from './usage-reader.ts';

/** A request that may be served. */
export interface PaidRequest {
  /** The answer begins. Gives what reads its body, and throws where its builder's function does; undefined: nothing does. */
  begin(head: AnswerHead): ReadBytes | undefined;
  /** The last byte of the answer has left, or the answer was cut before. */
  end(answer: EndedAnswer): Promise<void>;
  /** The client hung up before the handler ran: nothing is recorded, and the money is free again. */
  release(): Promise<void>;
}

export type BeginRequest<Request> = (
  request: Request,
  caller: RequestCaller,
) => Promise<PaidRequest | { readonly refusal: Refusal } | 'free'>;

export function createBeginRequest<Request>(
  beginCall: BeginCall,
  options: RequestOptions<Request>,
): BeginRequest<Request> {
  const failed = options.failed ?? (({ status, isWhole }: EndedAnswer) => status >= 500 || !isWhole);
  return async function beginRequest(request, { bearer, traceparent }) {
    const tool = typeof options.tool === 'string' ? options.tool : options.tool(request);
    if (tool === undefined) return 'free';
    const key = options.pass === undefined ? bearer : options.pass(request);
    const begun = await beginCall({ tool, key, traceparent });
    if ('refusal' in begun) return begun;
    let reader: UsageReader | undefined;
    return {
      begin: (head) => (reader = createUsageReader(options, head))?.read,
      end: (answer) => endCall(begun, { request, answer, reader }),
      release: () => begun.release(),
    };
  };

  function endCall(call: PaidCall, { request, answer, reader }: Ended<Request>): Promise<void> {
    const picked = options.metadata?.(request, answer);
    if (reader === undefined) return call.end({ success: !failed(answer), metadata: picked });
    const metadata = { ...picked, ...reader.last() };
    return answer.isWhole ? call.end({ success: !failed(answer), metadata }) : cut(call, metadata, reader.events());
  }

  /** A cut that costs something is recorded as a success, since a price may bill no failed calls. */
  function cut(call: PaidCall, metadata: CallMetadata, events: number): Promise<void> {
    const { charge = 'delivered', most = call.most } = options;
    if (charge === 'all') return call.end({ success: true, metadata: { ...metadata, ...most } });
    if (charge === 'none' || events === 0) return call.release();
    return call.end({ success: true, metadata });
  }
}

interface Ended<Request> {
  readonly request: Request;
  readonly answer: EndedAnswer;
  readonly reader: UsageReader | undefined;
}
