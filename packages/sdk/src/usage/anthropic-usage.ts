import { asCount, asObject, createTally, type ModelStream, type Tally, type UsageOptions } from './tally.ts';

/**
 * For the events of a stream of `@anthropic-ai/sdk`: of `messages.stream()`, or of `messages.create({ stream: true })`. When that is
 * aborted, it ends as if it were whole.
 */
export function anthropicStream(options?: UsageOptions): ModelStream {
  const tally = createTally(options);
  return {
    usage(event) {
      readAnthropicEvent(event, tally);
      return tally.total();
    },
    endedBy: () => (tally.isOpen() ? 'caller' : undefined),
  };
}

/** A message says at its beginning what it has read, and at its end what it has written. */
export function readAnthropicEvent(value: unknown, tally: Tally): void {
  const { type, message, usage, delta } = asObject(value);
  if (type === 'message_start') tally.say(toSaid(asObject(message)['usage']));
  if (type === 'message_delta') tally.say(toSaid(usage));
  if (type === 'message_stop') tally.end();
  if (type !== 'content_block_delta') return;
  const { text, thinking, partial_json: json } = asObject(delta);
  tally.addText(text ?? thinking ?? json);
}

/** `input_tokens` has neither what was written to the cache nor what was read from it. */
function toSaid(value: unknown) {
  const usage = asObject(value);
  const [fresh, written, cached, output] = [
    'input_tokens',
    'cache_creation_input_tokens',
    'cache_read_input_tokens',
    'output_tokens',
  ].map((name) => asCount(usage[name]));
  const input = fresh === undefined ? undefined : fresh + (written ?? 0) + (cached ?? 0);
  return { input, cached, output };
}
