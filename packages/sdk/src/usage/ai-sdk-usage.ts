import { readAnthropicEvent } from './anthropic-usage.ts';
import { asCount, asObject, createTally, type ModelStream, type UsageOptions } from './tally.ts';

/**
 * For the parts of the `fullStream` of the AI SDK 7's `streamText`. One that is aborted or fails says so in a part, never says its
 * usage, and ends as if it were whole. With `includeRawChunks: true` it says what Anthropic's models say at their beginning.
 */
export function aiSdkStream(options?: UsageOptions): ModelStream {
  const tally = createTally(options);
  let cutBy: ReturnType<ModelStream['endedBy']>;
  return {
    usage(part) {
      const { type, text, delta, rawValue, usage } = asObject(part);
      if (type === 'abort') cutBy = 'caller';
      if (type === 'error') cutBy = 'builder';
      if (type === 'text-delta' || type === 'reasoning-delta') tally.addText(text);
      if (type === 'tool-input-delta') tally.addText(delta);
      // Its own `finish-step` ends the answer, and text comes as parts of its own.
      if (type === 'raw' && asObject(rawValue)['type'] === 'message_start') readAnthropicEvent(rawValue, tally);
      if (type === 'finish-step') tally.end(toSaid(usage));
      return tally.total();
    },
    endedBy: () => cutBy,
  };
}

function toSaid(value: unknown) {
  const { inputTokens, inputTokenDetails, outputTokens } = asObject(value);
  const cached = asCount(asObject(inputTokenDetails)['cacheReadTokens']);
  return { input: asCount(inputTokens), cached, output: asCount(outputTokens) };
}
