import { describe, expect, it } from '@jest/globals';

import { createEventReader, type ServerSentEvent } from './event-reader.ts';

const stream = [
  '\uFEFF: a comment\n\n',
  'event: delta\ndata: {"text":"grün"}\nid: 7\n\n',
  'data: one\r\ndata:two\r\ndata\r\n\r\n',
  'retry: 10\r\r',
  'event: nothing\n\n',
  'data:  [DONE]\r\r',
  'data: not ended\n',
].join('');

const events: readonly ServerSentEvent[] = [
  { type: 'delta', data: '{"text":"grün"}' },
  { type: 'message', data: 'one\ntwo\n' },
  { type: 'message', data: ' [DONE]' },
];

function readInPieces(bytes: Uint8Array, size: number): ServerSentEvent[] {
  const read: ServerSentEvent[] = [];
  const push = createEventReader((event) => read.push(event));
  for (let at = 0; at < bytes.length; at += size) push(bytes.subarray(at, at + size));
  return read;
}

describe('the reader of event streams', () => {
  const bytes = new TextEncoder().encode(stream);

  it('F324 reads the same events however their bytes are cut', () => {
    for (let size = 1; size <= bytes.length; size += 1) expect(readInPieces(bytes, size)).toEqual(events);
  });

  it('F324 gives an event with its last byte, and not before', () => {
    const read: ServerSentEvent[] = [];
    const push = createEventReader((event) => read.push(event));
    push(new TextEncoder().encode('data: 1\n'));
    expect(read).toEqual([]);
    push(new TextEncoder().encode('\r'));
    push(new TextEncoder().encode('\ndata: 2\r\r'));
    expect(read.map(({ data }) => data)).toEqual(['1', '2']);
  });
});
