import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { serveHttp } from '@tollgate/testkit/http-server';

export const words = ['one ', 'two ', 'three '] as const;

/** Speaks as the APIs of models do. After `after` words it waits for its client to leave, or it breaks the connection. */
export async function serveModel(stop?: { readonly after: number; readonly how: 'wait' | 'break' }) {
  return serveHttp((request, response) => void answer(request, response));

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = (await json(request)) as { stream_options?: { include_usage?: boolean } };
    const left = new Promise((resolve) => response.once('close', resolve));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const speech = speechOf(request.url ?? '', asked.stream_options?.include_usage === true);
    for (const event of speech.before) response.write(event);
    for (const [at, word] of words.entries()) {
      if (stop?.after === at) return halt(response, left);
      response.write(speech.toEvent(word));
    }
    if (stop?.after === words.length) return halt(response, left);
    for (const event of speech.after) response.write(event);
    response.end();
  }

  async function halt(response: ServerResponse, left: Promise<unknown>): Promise<void> {
    if (stop?.how === 'wait') await left;
    else setTimeout(() => response.destroy(), 20); // the words have left by then
  }
}

interface Speech {
  readonly before: readonly string[];
  readonly toEvent: (word: string) => string;
  readonly after: readonly string[];
}

function speechOf(url: string, saysUsage: boolean): Speech {
  if (url.includes('/messages')) return messages;
  return url.includes('/responses') ? responses() : completions(saysUsage);
}

const named = (type: string, event: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...event })}\n\n`;
const unnamed = (event: object) => `data: ${JSON.stringify(event)}\n\n`;

const usageAtFirst = { input_tokens: 11, cache_creation_input_tokens: 3, cache_read_input_tokens: 5, output_tokens: 1 };
const message = { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [], usage: usageAtFirst };
const messages: Speech = {
  before: [
    named('message_start', { message: { ...message, stop_reason: null, stop_sequence: null } }),
    named('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
  ],
  toEvent: (text) => named('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
  after: [
    named('content_block_stop', { index: 0 }),
    named('message_delta', { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 17 } }),
    named('message_stop', {}),
  ],
};

function completions(saysUsage: boolean): Speech {
  const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' };
  const choice = (delta: object, finish: string | null) =>
    unnamed({ ...chunk, choices: [{ index: 0, delta, finish_reason: finish }] });
  const usage = { prompt_tokens: 11, completion_tokens: 17, total_tokens: 28 };
  const details = { prompt_tokens_details: { cached_tokens: 5 }, completion_tokens_details: { reasoning_tokens: 4 } };
  const said = saysUsage ? [unnamed({ ...chunk, choices: [], usage: { ...usage, ...details } })] : [];
  return {
    before: [],
    toEvent: (content) => choice({ role: 'assistant', content }, null),
    after: [choice({}, 'stop'), ...said, 'data: [DONE]\n\n'],
  };
}

function responses(): Speech {
  const response = { id: 'r', object: 'response', created_at: 1, model: 'm', output: [], tools: [], usage: null };
  const item = { id: 'i', type: 'message', role: 'assistant', status: 'completed' };
  const place = { item_id: 'i', output_index: 0, content_index: 0 };
  const content = [{ type: 'output_text', text: words.join(''), annotations: [] }];
  const done = { ...item, content };
  const usage = { input_tokens: 11, output_tokens: 17, total_tokens: 28 };
  const details = { input_tokens_details: { cached_tokens: 5 }, output_tokens_details: { reasoning_tokens: 4 } };
  const ended = { ...response, status: 'completed', output: [done], usage: { ...usage, ...details } };
  return {
    before: [
      named('response.created', { response: { ...response, status: 'in_progress' } }),
      named('response.output_item.added', { output_index: 0, item: { ...item, status: 'in_progress', content: [] } }),
    ],
    toEvent: (delta) => named('response.output_text.delta', { ...place, delta, logprobs: [] }),
    after: [
      named('response.output_item.done', { output_index: 0, item: done }),
      named('response.completed', { response: ended }),
    ],
  };
}
