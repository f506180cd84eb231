/** What goes wrong with a call, before or after its effect. `hang`: no answer ever; `cut`: the connection ends. */
export interface StripeFault {
  /** As `POST /v1/accounts`; of those with an id in the path, the beginning. */
  readonly at: string;
  readonly what: 'hang' | 'cut' | 'slow' | 429 | 409 | 500;
  readonly effect: 'done' | 'not_done';
  /** How many calls; default one. */
  readonly times?: number;
  readonly retryAfterSeconds?: number;
}

export interface StripeFaults {
  script(fault: StripeFault): void;
  /** The fault of this call, used up. */
  take(call: string): StripeFault | undefined;
  clear(): void;
}

export function createStripeFaults(): StripeFaults {
  let scripted: { fault: StripeFault; left: number }[] = [];
  return {
    script: (fault) => void scripted.push({ fault, left: fault.times ?? 1 }),
    take(call) {
      const found = scripted.find(({ fault, left }) => left > 0 && call.startsWith(fault.at));
      if (found) found.left -= 1;
      return found?.fault;
    },
    clear: () => void (scripted = []),
  };
}
