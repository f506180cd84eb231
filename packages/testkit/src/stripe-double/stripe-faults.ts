/** A fault of a call, before or after its effect. `hang`: it gets no answer; `cut`: its connection ends. */
export interface StripeFault {
  /** Method and path, such as `POST /v1/accounts`; the beginning alone if the path has an id. */
  readonly at: string;
  readonly what: 'hang' | 'cut' | 'slow' | 429 | 409 | 500;
  readonly effect: 'done' | 'not_done';
  /** How many calls it strikes; one by default. */
  readonly times?: number;
  readonly retryAfterSeconds?: number;
}

export interface StripeFaults {
  script(fault: StripeFault): void;
  /** Takes the fault that strikes this call. */
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
