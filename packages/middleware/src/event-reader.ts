/** An event of an event stream (`text/event-stream`), as browsers see it. */
export interface ServerSentEvent {
  /** Default: `message`. */
  readonly type: string;
  readonly data: string;
}

/** Reads events from bytes, wherever these are cut. An event that is not ended by its empty line is none. */
export function createEventReader(onEvent: (event: ServerSentEvent) => void): (bytes: Uint8Array) => void {
  const decoder = new TextDecoder();
  let rest = '';
  /** A line ends with its `\r`, and a `\n` that comes after it belongs to it. */
  let endsInReturn = false;
  let type = '';
  let data: string[] = [];

  function readLine(line: string): void {
    if (line === '') return end();
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === 'event') type = value;
    if (field === 'data') data.push(value);
  }

  function end(): void {
    const event = { type: type === '' ? 'message' : type, data: data.join('\n') };
    const isEvent = data.length > 0;
    [type, data] = ['', []];
    if (isEvent) onEvent(event);
  }

  return function read(bytes) {
    const decoded = decoder.decode(bytes, { stream: true });
    const text = endsInReturn && decoded.startsWith('\n') ? decoded.slice(1) : decoded;
    if (decoded !== '') endsInReturn = decoded.endsWith('\r');
    const lines = `${rest}${text}`.split(/\r\n|\n|\r/);
    rest = lines.pop() ?? '';
    for (const line of lines) readLine(line);
  };
}
