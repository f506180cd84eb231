import { MockLanguageModelV4 } from 'ai/test';

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };

/** A model that needs no network: it calls the tool for two cities, and then answers. */
export function fakeModel() {
  const callOf = (city) => ({
    type: 'tool-call',
    toolCallId: city,
    toolName: 'weather',
    input: JSON.stringify({ city }),
  });
  return new MockLanguageModelV4({
    doGenerate: [
      { content: [callOf('Oslo'), callOf('Atlantis')], finishReason: { unified: 'tool-calls' }, usage, warnings: [] },
      { content: [{ type: 'text', text: 'Mild.' }], finishReason: { unified: 'stop' }, usage, warnings: [] },
    ],
  });
}
