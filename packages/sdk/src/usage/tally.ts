import type { CallMetadata } from '../calls/begin-call.ts';
import type { StreamEnd } from '../calls/meter-stream.ts';

export interface UsageOptions {
  /**
   * Counts the tokens of a text that was handed on before its provider said a number: a stream that is cut may never say one.
   * Default: such a text counts as nothing.
   */
  readonly countTokens?: ((text: string) => number) | undefined;
}

/** The options of `meterStream` for the stream of one call. */
export interface ModelStream {
  readonly usage: (item: object) => CallMetadata;
  readonly endedBy: () => StreamEnd['cutBy'];
}

/** The numbers that a provider has said of one answer of a model. Each is of the whole answer until then. */
export interface Said {
  /** All that the model has read, from its cache or not. */
  readonly input?: number | undefined;
  readonly cached?: number | undefined;
  readonly output?: number | undefined;
}

/** Adds up the answers of one stream. An agent asks its model several times. */
export interface Tally {
  addText(text: unknown): void;
  say(said: Said): void;
  /** The answer is whole. */
  end(said?: Said): void;
  total(): CallMetadata;
  /** Whether an answer has begun that is not whole. */
  isOpen(): boolean;
}

export function createTally({ countTokens = () => 0 }: UsageOptions = {}): Tally {
  const before = { input: 0, cached: 0, output: 0 };
  let said: Said = {};
  let textTokens = 0;
  let isOpen = false;
  function say(more: Said): void {
    isOpen = true;
    said = { ...said, ...withoutUndefined(more) };
  }
  const ofAnswer = () => ({
    input: said.input ?? 0,
    cached: said.cached ?? 0,
    output: Math.max(said.output ?? 0, textTokens), // until its end an answer says less than it has come to
  });
  return {
    addText(text) {
      isOpen = true;
      if (typeof text === 'string') textTokens += countTokens(text);
    },
    say,
    end(more = {}) {
      say(more);
      before.input += said.input ?? 0;
      before.cached += said.cached ?? 0;
      before.output += said.output ?? textTokens;
      [said, textTokens, isOpen] = [{}, 0, false];
    },
    isOpen: () => isOpen,
    total() {
      const { input, cached, output } = ofAnswer();
      return {
        input_tokens: before.input + input,
        cached_input_tokens: before.cached + cached,
        output_tokens: before.output + output,
      };
    },
  };
}

export function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

export function asCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function withoutUndefined(said: Said): Said {
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
}
