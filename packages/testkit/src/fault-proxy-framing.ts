export type Framing = 'kafka';

export interface Splitter {
  /** Returns the whole pieces that the chunk completes. */
  split(chunk: Buffer): Buffer[];
  isAnswerTo(request: Buffer): (answer: Buffer) => boolean;
}

/** Without a framing, a piece is a chunk as it arrives, and the answer is the server's next chunk. */
const asItArrives: Splitter = { split: (chunk) => [chunk], isAnswerTo: () => () => true };

export function splitter(framing: Framing | undefined): Splitter {
  return framing === undefined ? asItArrives : kafkaFrames();
}

/** A frame has a length (int32); then a request has key (int16), version (int16), id (int32), an answer its id (int32). */
function kafkaFrames(): Splitter {
  let chunks: Buffer[] = [];
  let heldBytes = 0;
  let wantedBytes = 4;
  return {
    split(chunk) {
      chunks.push(chunk);
      heldBytes += chunk.length;
      const frames: Buffer[] = [];
      while (heldBytes >= wantedBytes) {
        const held = Buffer.concat(chunks);
        const frameBytes = 4 + held.readInt32BE(0);
        const isWhole = held.length >= frameBytes;
        if (isWhole) frames.push(held.subarray(0, frameBytes));
        chunks = [isWhole ? held.subarray(frameBytes) : held];
        heldBytes = chunks[0]?.length ?? 0;
        wantedBytes = isWhole ? 4 : frameBytes;
      }
      return frames;
    },
    isAnswerTo(request) {
      const id = request.readInt32BE(8);
      return (answer) => answer.readInt32BE(4) === id;
    },
  };
}
