import { Usage } from '@openai/agents';

/** A model that needs no network: it calls the tool for two cities, and then answers. */
export function fakeModel() {
  const callOf = (city) => ({
    type: 'function_call',
    callId: city,
    name: 'weather',
    status: 'completed',
    arguments: JSON.stringify({ city }),
  });
  const answer = {
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: 'Mild.' }],
  };
  const outputs = [[callOf('Oslo'), callOf('Atlantis')], [answer]];
  return { getResponse: async () => ({ usage: new Usage(), output: outputs.shift() }) };
}
