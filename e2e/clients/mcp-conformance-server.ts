import {
  acceptedContent,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  McpServer,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

const image = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const audio = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';
const say = (text: string) => ({ content: [{ type: 'text' as const, text }] });
const picture = { type: 'image' as const, data: image, mimeType: 'image/png' };
const codec = createRequestStateCodec<string>({ key: 'the key of a server that is only ever tested' });

const askName = (message: string, field = 'name') =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [field]: { type: 'string' } }, required: [field] },
  });
const askModel = (text: string) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens: 100 });

/** A server with tools, questions, resources and prompts that the conformance suite of MCP asks for. */
export function createConformanceServer(): McpServer {
  const server = new McpServer(
    { name: 'conformance', version: '1' },
    { capabilities: { logging: {} }, requestState: { verify: codec.verify } },
  );
  addContents(server);
  addQuestions(server);
  addQuestionsWithState(server);
  addResources(server);
  addPrompts(server);
  return server;
}

function addContents(server: McpServer): void {
  const text = (uri: string) => ({ uri, mimeType: 'text/plain', text: 'A text within a resource.' });
  const tools = {
    test_simple_text: say('This is a simple text response for testing.'),
    test_image_content: { content: [picture] },
    test_audio_content: { content: [{ type: 'audio' as const, data: audio, mimeType: 'audio/wav' }] },
    test_embedded_resource: { content: [{ type: 'resource' as const, resource: text('test://embedded-resource') }] },
    test_multiple_content_types: {
      content: [
        ...say('Several kinds of content:').content,
        picture,
        { type: 'resource' as const, resource: text('test://mixed-content-resource') },
      ],
    },
  };
  for (const [name, result] of Object.entries(tools))
    server.registerTool(name, { description: `Gives ${name}` }, async () => result);
  server.registerTool('test_error_handling', { description: 'Fails' }, async () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  server.registerTool('test_tool_with_progress', { description: 'Tells how far it is' }, async ({ mcpReq }) => {
    const { progressToken = 0 } = mcpReq._meta ?? {};
    for (const progress of [0, 50, 100])
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
    return say(String(progressToken));
  });
}

/** Each is answered with one result once its answer is there. */
function addQuestions(server: McpServer): void {
  const questions = {
    test_input_required_result_elicitation: { user_name: askName('What is your name?') },
    test_input_required_result_sampling: { capital_question: askModel('What is the capital of France?') },
    test_input_required_result_list_roots: { client_roots: inputRequired.listRoots() },
  };
  for (const [name, inputRequests] of Object.entries(questions))
    server.registerTool(name, { description: 'Asks first' }, async ({ mcpReq }) => {
      const [key = ''] = Object.keys(inputRequests);
      const given = inputResponse(mcpReq.inputResponses, key);
      if (given.kind === 'missing') return inputRequired({ inputRequests });
      const accepted = acceptedContent<{ name: unknown }>(mcpReq.inputResponses, key);
      if (key === 'user_name' && typeof accepted?.name !== 'string') return inputRequired({ inputRequests });
      return say(accepted === undefined ? JSON.stringify(mcpReq.inputResponses) : `Hello, ${String(accepted.name)}!`);
    });
  server.registerPrompt('test_input_required_result_prompt', { description: 'Asks first' }, async ({ mcpReq }) => {
    const accepted = acceptedContent<{ context: string }>(mcpReq.inputResponses, 'user_context');
    if (accepted === undefined)
      return inputRequired({
        inputRequests: { user_context: askName('What context should the prompt use?', 'context') },
      });
    return { messages: [{ role: 'user', content: { type: 'text', text: accepted.context } }] };
  });
}

/** These remember by `requestState` what they have asked. */
function addQuestionsWithState(server: McpServer): void {
  const several = {
    user_name: askName('What is your name?'),
    greeting: askModel('Generate a greeting'),
    client_roots: inputRequired.listRoots(),
  };
  const rounds: Readonly<Record<string, readonly Parameters<typeof inputRequired>[0]['inputRequests'][]>> = {
    test_input_required_result_request_state: [
      {
        confirm: inputRequired.elicit({
          message: 'Please confirm',
          requestedSchema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
        }),
      },
    ],
    test_input_required_result_tampered_state: [{ confirm: askName('Please confirm', 'ok') }],
    test_input_required_result_multiple_inputs: [several],
    test_input_required_result_multi_round: [
      { step1: askName('Step 1: What is your name?') },
      { step2: askName('Step 2: What is your favorite color?', 'color') },
    ],
  };
  for (const [name, asked] of Object.entries(rounds))
    server.registerTool(name, { description: 'Asks first, and remembers' }, async ({ mcpReq }) => {
      const round = mcpReq.inputResponses === undefined ? 0 : Number(mcpReq.requestState<string>() ?? 0);
      const inputRequests = asked[round];
      if (inputRequests === undefined) return say('state-ok');
      return inputRequired({ inputRequests, requestState: await codec.mint(String(round + 1)) });
    });
}

function addResources(server: McpServer): void {
  const give = (uri: string, mimeType: string, content: { text: string } | { blob: string }) => ({
    contents: [{ uri, mimeType, ...content }],
  });
  server.registerResource('text', 'test://static-text', { description: 'Text', mimeType: 'text/plain' }, async () =>
    give('test://static-text', 'text/plain', { text: 'This is the content of the static text resource.' }),
  );
  server.registerResource(
    'binary',
    'test://static-binary',
    { description: 'A picture', mimeType: 'image/png' },
    async () => give('test://static-binary', 'image/png', { blob: image }),
  );
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  server.registerResource('template', template, { description: 'By id' }, async (uri, { id }) =>
    give(uri.href, 'application/json', { text: JSON.stringify({ id, templateTest: true }) }),
  );
}

function addPrompts(server: McpServer): void {
  const message = (text: string) => ({ role: 'user' as const, content: { type: 'text' as const, text } });
  server.registerPrompt('test_simple_prompt', { description: 'A prompt' }, async () => ({
    messages: [message('Hello')],
  }));
  const argsSchema = z.object({ arg1: z.string(), arg2: z.string() });
  server.registerPrompt('test_prompt_with_arguments', { description: 'With arguments', argsSchema }, async (args) => ({
    messages: [message(`Prompt with arguments: arg1='${args.arg1}', arg2='${args.arg2}'`)],
  }));
}
