import { nowMs as systemNowMs } from '../clock.ts';
import { answersMaxDefault, bytesMaxDefault, keepMsDefault } from './repeat-store.ts';
import type { RepeatStore, RepeatStoreBounds } from './repeat-store.ts';

interface Kept {
  readonly name: string;
  readonly answer: Uint8Array;
  readonly untilMs: number;
}

/** Keeps answers in this process alone. */
export function createMemoryRepeatStore(bounds: RepeatStoreBounds = {}): RepeatStore {
  const { keepMs = keepMsDefault, bytesMax = bytesMaxDefault, answersMax = answersMaxDefault } = bounds;
  const nowMs = bounds.nowMs ?? systemNowMs;
  const oldestFirst: Kept[] = [];
  let bytes = 0;

  function takeAt(index: number): Uint8Array | undefined {
    const [kept] = oldestFirst.splice(index, 1);
    bytes -= kept?.answer.length ?? 0;
    return kept?.answer;
  }

  function isTooMuch([oldest]: readonly Kept[]): boolean {
    if (oldest === undefined) return false;
    return oldest.untilMs <= nowMs() || bytes > bytesMax || oldestFirst.length > answersMax;
  }

  return {
    async put(name, answer) {
      oldestFirst.push({ name, answer, untilMs: nowMs() + keepMs });
      bytes += answer.length;
      while (isTooMuch(oldestFirst)) takeAt(0);
    },
    async take(name) {
      const index = oldestFirst.findIndex((kept) => kept.name === name && kept.untilMs > nowMs());
      return index === -1 ? undefined : takeAt(index);
    },
  };
}
