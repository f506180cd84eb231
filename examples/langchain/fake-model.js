import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage } from '@langchain/core/messages';

class FakeModel extends BaseChatModel {
  _llmType() {
    return 'fake';
  }

  async _generate() {
    const callOf = (city) => ({ type: 'tool_call', id: city, name: 'weather', args: { city } });
    const message = new AIMessage({ content: '', tool_calls: [callOf('Oslo'), callOf('Atlantis')] });
    return { generations: [{ text: '', message }] };
  }
}

/** A model that needs no network: it calls the tool for two cities. */
export function fakeModel() {
  return new FakeModel({});
}
