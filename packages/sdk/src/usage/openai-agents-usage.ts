import { asCount, asObject, createTally, type ModelStream, type UsageOptions } from './tally.ts';

/**
 * For the events of `run(agent, input, { stream: true })` of `@openai/agents`. Each answer of a model says its usage at its end. A
 * run that is aborted ends as if it were whole.
 */
export function openaiAgentsStream(options?: UsageOptions): ModelStream {
  const tally = createTally(options);
  return {
    usage(event) {
      const { type, data } = asObject(event);
      const { type: kind, delta, response } = asObject(data);
      if (type !== 'raw_model_stream_event') return tally.total();
      if (kind === 'response_started') tally.say({});
      if (kind === 'output_text_delta') tally.addText(delta);
      if (kind === 'response_done') tally.end(toSaid(asObject(response)['usage']));
      return tally.total();
    },
    endedBy: () => (tally.isOpen() ? 'caller' : undefined),
  };
}

function toSaid(value: unknown) {
  const { inputTokens, inputTokensDetails, outputTokens } = asObject(value);
  const cached = asCount(asObject(inputTokensDetails)['cached_tokens']);
  return { input: asCount(inputTokens), cached, output: asCount(outputTokens) };
}
