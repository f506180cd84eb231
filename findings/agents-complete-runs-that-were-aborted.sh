#!/usr/bin/env bash
# @openai/agents 0.20.0 with openai 7.59.0 (npm): a streamed run that is aborted ends as if it were complete.
#
# A program that charges for tokens asks a run for its usage once `completed` has resolved. After an abort in the middle of the
# answer the stream ends without an error and `completed` resolves. The usage then depends on the API that was spoken:
# over chat completions it counts one request with no tokens, over responses it counts no request at all. So a run that was
# cut looks like a free one, or like one that never asked. `cancelled` tells it apart; read that before the usage.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @openai/agents@0.20.0 openai@7.59.0 zod@4.6.7
cat >cut.mjs <<'JS'
import { createServer } from 'node:http';
import { Agent, OpenAIChatCompletionsModel, OpenAIResponsesModel, run, setTracingDisabled } from '@openai/agents';
import OpenAI from 'openai';

setTracingDisabled(true);
const named = (type, event) => `event: ${type}\ndata: ${JSON.stringify({ type, ...event })}\n\n`;
const response = { id: 'r', object: 'response', created_at: 1, model: 'm', output: [], tools: [], usage: null };
const item = { id: 'i', type: 'message', role: 'assistant', status: 'in_progress', content: [] };
const speech = {
  '/responses':
    named('response.created', { response: { ...response, status: 'in_progress' } }) +
    named('response.output_item.added', { output_index: 0, item }) +
    named('response.output_text.delta', { item_id: 'i', output_index: 0, content_index: 0, delta: 'one ', logprobs: [] }),
  '/chat/completions': `data: ${JSON.stringify({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta: { role: 'assistant', content: 'one ' }, finish_reason: null }],
  })}\n\n`,
};
// Each answer begins, and waits for its client to leave.
const server = createServer((request, answer) => {
  answer.writeHead(200, { 'content-type': 'text/event-stream' });
  answer.write(speech[request.url]);
}).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const client = new OpenAI({ baseURL: `http://127.0.0.1:${server.address().port}`, apiKey: 'x', maxRetries: 0 });
for (const Model of [OpenAIChatCompletionsModel, OpenAIResponsesModel]) {
  const cut = new AbortController();
  const result = await run(new Agent({ name: 'a', model: new Model(client, 'm') }), 'hi', { stream: true, signal: cut.signal });
  let ended = 'ends';
  try {
    for await (const event of result) if (JSON.stringify(event).includes('"output_text_delta"')) cut.abort();
  } catch (error) {
    ended = `throws ${error.name}`;
  }
  const completed = await result.completed.then(() => 'resolves', () => 'rejects');
  const { requests, totalTokens } = result.state.usage;
  console.log(
    `${Model.name}: the stream ${ended}, completed ${completed}, cancelled ${result.cancelled}, ${requests} requests, ${totalTokens} tokens`,
  );
}
server.closeAllConnections();
server.close();
JS
seen="$(node cut.mjs)"
echo "$seen"
wanted='OpenAIChatCompletionsModel: the stream ends, completed resolves, cancelled true, 1 requests, 0 tokens
OpenAIResponsesModel: the stream ends, completed resolves, cancelled true, 0 requests, 0 tokens'
[ "$seen" = "$wanted" ] || { echo 'the behaviour has changed' >&2; exit 1; }
