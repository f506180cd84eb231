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
  let rest: Buffer = Buffer.alloc(0);
  return {
    split(chunk) {
      rest = Buffer.concat([rest, chunk]);
      const frames: Buffer[] = [];
      while (rest.length >= 4 && rest.length >= 4 + rest.readInt32BE(0)) {
        const end = 4 + rest.readInt32BE(0);
        frames.push(rest.subarray(0, end));
        rest = rest.subarray(end);
      }
      return frames;
    },
    isAnswerTo(request) {
      const id = request.readInt32BE(8);
      return (answer) => answer.readInt32BE(4) === id;
    },
  };
}
