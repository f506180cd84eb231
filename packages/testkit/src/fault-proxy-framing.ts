export type Framing = 'kafka';

export interface Splitter {
  /** Whole pieces that the chunk completes. */
  split(chunk: Buffer): Buffer[];
  isAnswerTo(request: Buffer): (answer: Buffer) => boolean;
}

/** Without a framing a piece is what arrives at once, and the answer is what the server says next. */
const asItArrives: Splitter = { split: (chunk) => [chunk], isAnswerTo: () => () => true };

export function splitter(framing: Framing | undefined): Splitter {
  return framing === undefined ? asItArrives : kafkaFrames();
}

/** Length (int32), then in requests key (int16), version (int16) and id (int32), in answers the id (int32) at once. */
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
