import { cutBody, wholeBody, type EndedBody } from './ended-answer.ts';
import type { ReadBytes } from './usage-reader.ts';

/** A larger chunk is handed on in pieces, so that a cut within it is seen. */
const pieceBytesMax = 65_536;

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/**
 * The same body. `onEnded` is called with its last byte, or when its reader gives up, and is waited for. `read` gets what was
 * handed on, and cuts the body where it throws.
 */
export function meterBody(
  body: ReadableStream<Uint8Array>,
  onEnded: (ended: EndedBody) => Promise<void>,
  read?: ReadBytes,
): ReadableStream<Uint8Array> {
  const reader: Reader = body.getReader();
  let rest = new Uint8Array();
  let reading: ReturnType<Reader['read']> | undefined;
  let deliveredBytes = 0;

  /** The next piece; undefined at the end. */
  async function nextPiece(): Promise<Uint8Array | undefined> {
    while (rest.length === 0) {
      reading = reader.read();
      const { done, value } = await reading;
      if (done) return undefined;
      reading = undefined;
      rest = value as Uint8Array<ArrayBuffer>;
    }
    const piece = rest.subarray(0, pieceBytesMax);
    rest = rest.subarray(piece.length);
    return piece;
  }

  const source = {
    async pull(controller: ReadableStreamDefaultController<Uint8Array>) {
      try {
        const piece = await nextPiece();
        if (piece !== undefined) {
          read?.(piece);
          controller.enqueue(piece);
          deliveredBytes += piece.length;
          return;
        }
        await onEnded(wholeBody(deliveredBytes)); // before the end is sent: an ended answer is never lost
        controller.close();
      } catch (error) {
        await onEnded(cutBody('builder', deliveredBytes));
        controller.error(error);
      }
    },
    async cancel(reason: unknown) {
      const isWhole = rest.length === 0 && (await hasEnded((reading ??= reader.read())));
      await onEnded(isWhole ? wholeBody(deliveredBytes) : cutBody('caller', deliveredBytes));
      await reader.cancel(reason);
    },
  };
  return new ReadableStream(source, { highWaterMark: 0 }); // so what it hands on was asked for
}

/** Whether a body that is read on says at once that nothing follows. */
async function hasEnded(reading: ReturnType<Reader['read']>): Promise<boolean> {
  const ended = reading.then(
    ({ done }) => done,
    () => false,
  );
  const late = new Promise<boolean>((resolve) => setTimeout(resolve, 0, false));
  return Promise.race([ended, late]);
}
