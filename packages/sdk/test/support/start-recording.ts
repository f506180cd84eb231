import { startChildService, type ChildService } from '@tollgate/testkit/child-service';

const program = new URL('./recording-program.ts', import.meta.url).pathname;

export interface RecordingOptions {
  readonly dir: string;
  readonly url: string;
  readonly apiKey: string;
  readonly concurrency?: number;
  readonly count?: number;
}

export interface Recording extends ChildService {
  /** Keys of the events that the program has begun to record. */
  begun(): Set<string>;
  /** Keys of the events whose `record()` has returned. */
  kept(): Set<string>;
}

/** Starts a program of its own that meters its calls, as a user's would. */
export function startRecording({ dir, url, apiKey, concurrency = 8, count = 1e9 }: RecordingOptions): Recording {
  return toRecording(
    startChildService({
      command: process.execPath,
      args: [
        '--conditions=@tollgate/source',
        '--disable-warning=ExperimentalWarning',
        program,
        dir,
        url,
        String(concurrency),
        String(count),
      ],
      env: { TOLLGATE_API_KEY: apiKey },
    }),
  );
}

/** A program of any language that prints the keys as `recording-program.ts` does. */
export function toRecording(service: ChildService): Recording {
  /** The last line may be torn by a kill: then the program did not say that it kept the event. */
  const keys = (word: string): Set<string> =>
    new Set([...service.output().matchAll(new RegExp(`^${word} ([0-9a-f-]{36})$`, 'gm'))].map(([, key = '']) => key));
  return { ...service, begun: () => keys('begun'), kept: () => keys('kept') };
}
