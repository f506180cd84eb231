import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, it } from '@jest/globals';
import { Agent, OpenAIChatCompletionsModel, OpenAIResponsesModel, run, setTracingDisabled } from '@openai/agents';
import { meterStream, type CallEnd, type PaidCall, type StreamOptions } from '@tollgate/sdk/calls';
import { aiSdkStream, anthropicStream, openaiAgentsStream } from '@tollgate/sdk/usage';
import { streamText, type LanguageModel } from 'ai';
import OpenAI from 'openai';
import { serveModel, words } from './model-server.ts';

setTracingDisabled(true);

interface Library {
  readonly open: (url: string, signal: AbortSignal) => Promise<AsyncIterable<object>> | AsyncIterable<object>;
  readonly read: typeof aiSdkStream;
  /** Whether the item is a word of the model. */
  readonly isWord: (item: object) => boolean;
  /** The input that the provider says at its beginning. */
  readonly early: { readonly input_tokens: number; readonly cached_input_tokens: number };
  readonly whole: object;
  /** Its stream throws where its own signal fires, as where its provider breaks. */
  readonly throwsWhenAborted?: true;
}

const whole = { input_tokens: 11, cached_input_tokens: 5, output_tokens: 17 };
const anthropicWhole = { ...whole, input_tokens: 19 };
const nothing = { input_tokens: 0, cached_input_tokens: 0 };
const anthropicEarly = { input_tokens: 19, cached_input_tokens: 5 };
const has = (item: unknown, type: string) => JSON.stringify(item).includes(`"type":"${type}"`);

const ofAiSdk = (modelOf: (url: string) => LanguageModel): Pick<Library, 'open' | 'read' | 'isWord'> => ({
  open: (url, abortSignal) =>
    streamText({
      model: modelOf(url),
      prompt: 'hi',
      abortSignal,
      includeRawChunks: true,
      onError: () => undefined,
      maxRetries: 0,
    }).fullStream,
  read: aiSdkStream,
  isWord: (part) => 'type' in part && part.type === 'text-delta',
});

const ofAgents = (
  Model: typeof OpenAIChatCompletionsModel | typeof OpenAIResponsesModel,
): Pick<Library, 'open' | 'read' | 'isWord'> => ({
  async open(baseURL, signal) {
    const client = new OpenAI({ baseURL, apiKey: 'x', maxRetries: 0 });
    return run(new Agent({ name: 'a', model: new Model(client as never, 'm') }), 'hi', { stream: true, signal });
  },
  read: openaiAgentsStream,
  isWord: (event) => has(event, 'output_text_delta'),
});

const body = { model: 'm', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] } as const;
const newAnthropic = (baseURL: string) => new Anthropic({ baseURL, apiKey: 'x', maxRetries: 0 });
const isDelta = (event: object) => has(event, 'content_block_delta');

const libraries: Readonly<Record<string, Library>> = {
  'the AI SDK with an OpenAI model': {
    ...ofAiSdk((url) => createOpenAICompatible({ name: 'o', baseURL: url, apiKey: 'x', includeUsage: true })('m')),
    early: nothing,
    whole,
  },
  'the AI SDK with a model of Anthropic': {
    ...ofAiSdk((url) => createAnthropic({ baseURL: url, apiKey: 'x' })('claude-sonnet-4-5')),
    early: anthropicEarly,
    whole: anthropicWhole,
  },
  'OpenAI Agents over chat completions': { ...ofAgents(OpenAIChatCompletionsModel), early: nothing, whole },
  'OpenAI Agents over responses': { ...ofAgents(OpenAIResponsesModel), early: nothing, whole },
  'the stream helper of Anthropic': {
    open: (url, signal) => newAnthropic(url).messages.stream(body as never, { signal }),
    read: anthropicStream,
    isWord: isDelta,
    early: anthropicEarly,
    whole: anthropicWhole,
    throwsWhenAborted: true,
  },
  'the plain stream of Anthropic': {
    open: (url, signal) => newAnthropic(url).messages.create({ ...body, stream: true } as never, { signal }) as never,
    read: anthropicStream,
    isWord: isDelta,
    early: anthropicEarly,
    whole: anthropicWhole,
  },
};

/** A call that remembers each time that it was settled. */
function openCall() {
  const settled: (CallEnd | 'released')[] = [];
  const call: PaidCall = {
    most: { output_tokens: 100 },
    end: async (end) => void settled.push(end),
    release: async () => void settled.push('released'),
    extend: async () => true,
    abandon: async () => undefined,
  };
  return { call, settled };
}

const tokensPerWord = 2;
const countTokens = (text: string) => text.trim().split(' ').length * tokensPerWord;
const charges = ['delivered', 'none', 'all'] as const;

type Cut = 'reader' | 'its own signal' | 'one signal' | 'network';

/** Reads to a word, and lets the stream be cut there. */
async function cutAt(library: Library, after: number, cut: Cut, charge: StreamOptions<object>['charge']) {
  const server = await serveModel({ after, how: cut === 'network' ? 'break' : 'wait' });
  const gone = new AbortController();
  const { call, settled } = openCall();
  const source = await library.open(server.baseUrl, gone.signal);
  const signal = cut === 'one signal' ? gone.signal : undefined;
  const stream = meterStream(call, source, { ...library.read({ countTokens }), charge, signal });
  let read = 0;
  try {
    for await (const item of stream) {
      if (library.isWord(item)) read += 1;
      if (read < after) continue;
      if (cut === 'reader') break;
      if (cut !== 'network') gone.abort(new Error('gone'));
    }
  } catch {
    // Some libraries throw here, and some end as if their stream were whole.
  }
  const { cutBy } = await stream.ended;
  await server.close();
  return { cutBy, settled, read };
}

describe.each(Object.entries(libraries))('a metered stream of %s', (_name, library) => {
  it('F325 costs what its provider says at its end', async () => {
    const server = await serveModel();
    const { call, settled } = openCall();
    const source = await library.open(server.baseUrl, new AbortController().signal);
    const stream = meterStream(call, source, library.read());
    let read = 0;
    for await (const item of stream) if (library.isWord(item)) read += 1;
    expect([read, await stream.ended]).toMatchObject([words.length, { cutBy: undefined }]);
    expect(settled).toEqual([{ success: true, metadata: library.whole }]);
    await server.close();
  });

  for (const cut of ['reader', 'its own signal', 'one signal', 'network'] as const) {
    const isThrown = cut === 'its own signal' && library.throwsWhenAborted === true;
    it(`F325 is known to be cut at each word by ${cut}, and costs what each policy says, once`, async () => {
      for (const charge of charges)
        for (let after = 1; after <= words.length; after += 1) {
          const { cutBy, settled, read } = await cutAt(library, after, cut, charge);
          const output = Math.max(library.early.input_tokens > 0 ? 1 : 0, after * tokensPerWord);
          const metadata = { ...library.early, output_tokens: charge === 'all' ? 100 : output };
          const isFree = charge === 'none';
          expect([charge, after, read, cutBy, settled]).toEqual([
            charge,
            after,
            after,
            cut === 'network' || isThrown ? 'builder' : 'caller',
            [isFree ? 'released' : { success: true, metadata }],
          ]);
        }
    });
  }
});
