import type { JsonRpcMessage } from '../json-rpc.ts';
import type { RepeatStore } from './repeat-store.ts';
import type { Seal } from './seal.ts';

/** The answers in a store. A store that fails is reported, and keeps and gives nothing: calls run then. */
export interface KeptAnswers {
  nameOf(text: string): Promise<string>;
  /** An answer above 1 MiB is not kept. */
  put(name: string, answer: JsonRpcMessage): Promise<void>;
  take(name: string): Promise<JsonRpcMessage | undefined>;
}

export interface KeptAnswersDeps {
  readonly store: RepeatStore;
  readonly seal: Promise<Seal>;
  readonly onError: (error: unknown) => void;
}

const answerBytesMax = 1024 * 1024;

export function createKeptAnswers({ store, seal: making, onError }: KeptAnswersDeps): KeptAnswers {
  return {
    nameOf: async (text) => (await making).nameOf(text),
    async put(name, answer) {
      const text = JSON.stringify(answer);
      if (Buffer.byteLength(text) > answerBytesMax) return;
      const seal = await making;
      await store.put(name, seal.close(name, text)).catch(onError);
    },
    async take(name) {
      try {
        const sealed = await store.take(name);
        const text = sealed && (await making).open(name, sealed);
        return text === undefined ? undefined : (JSON.parse(text) as JsonRpcMessage);
      } catch (error) {
        onError(error);
        return undefined;
      }
    },
  };
}
