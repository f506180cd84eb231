import { styleText } from 'node:util';
import { systemClock } from '@tollgate/kernel/clock';

/** Shows a bar on a terminal while a step runs, and prints a line at its end. */
export interface Progress {
  one<Result>(title: string, work: () => Promise<Result>): Promise<Result>;
  /** Works on the items in turn. `say` shows a word beside the bar. */
  each<Item, Result>(title: string, items: readonly Item[], work: Work<Item, Result>): Promise<Result[]>;
}

type Work<Item, Result> = (item: Item, say: (word: string) => void) => Promise<Result>;

const barWidth = 20;
const titleWidth = 46;
const clearLine = '\r\u001B[2K';

/** Writes to standard error, so that standard output has only the result. */
export function createProgress(stream: NodeJS.WriteStream): Progress {
  const paint = (style: 'green' | 'red' | 'dim' | 'cyan', text: string) => styleText(style, text, { stream });
  const show = (line: string) => stream.isTTY && stream.write(`${clearLine}${line}`);

  return {
    one: (title, work) => {
      show(`  ${paint('cyan', bar(0))}  ${title}`);
      return timed(title, work);
    },
    each: (title, items, work) =>
      timed(title, async () => {
        const results = [];
        let shown = '';
        for (const [at, item] of items.entries()) {
          const say = (word: string) => {
            shown = word;
            show(`  ${paint('cyan', bar(at / items.length))}  ${title}  ${paint('dim', shown)}`);
          };
          say(shown);
          results.push(await work(item, say));
        }
        return results;
      }),
  };

  async function timed<Result>(title: string, work: () => Promise<Result>): Promise<Result> {
    const startedMs = systemClock.monotonicMs();
    let mark = paint('red', '✗');
    try {
      const result = await work();
      mark = paint('green', '✓');
      return result;
    } finally {
      const seconds = `${((systemClock.monotonicMs() - startedMs) / 1_000).toFixed(1)} s`;
      show('');
      stream.write(`  ${mark} ${title.padEnd(titleWidth)}${paint('dim', seconds.padStart(7))}\n`);
    }
  }
}

function bar(share: number): string {
  const filled = Math.round(share * barWidth);
  return `${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)} ${String(Math.floor(share * 100)).padStart(3)} %`;
}
