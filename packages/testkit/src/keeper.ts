import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Keeper {
  /** Ends everything that it keeps, now. */
  end(): Promise<void>;
}

export interface Kept {
  readonly processGroup?: number | undefined;
  /** A data folder whose embedded PostgreSQL is to end too. It runs in a session of its own. */
  readonly dataDir?: string | undefined;
  /** The disk mounted there is unmounted, even if a process still uses it. */
  readonly mountPoint?: string | undefined;
}

// Another process may have PostgreSQL's old id by now; the data folder in its command line identifies PostgreSQL.
const script = `
read -r _
[ -z "$1" ] || kill -s KILL -- "-$1" 2>/dev/null
[ -z "$3" ] || umount --lazy "$3" 2>/dev/null
[ -n "$2" ] || exit 0
pid=$(head -n 1 "$2/postgres/postmaster.pid" 2>/dev/null) || exit 0
{ tr '\\0' ' ' < "/proc/$pid/cmdline" || ps -ww -o args= -p "$pid"; } 2>/dev/null | grep -qF -- "-D $2/postgres" || exit 0
kill -s QUIT "$pid"
while kill -s 0 "$pid" 2>/dev/null && [ -e "$2/postgres/postmaster.pid" ]; do sleep 0.02; done
`;

/**
 * Starts a shell that waits until the pipe from this process closes. Then it kills the process group, unmounts the disk
 * and stops the PostgreSQL. The pipe closes by `end`, and also when jest is interrupted or killed.
 */
export function startKeeper({ processGroup, dataDir, mountPoint }: Kept): Keeper {
  const kept = [String(processGroup ?? ''), dataDir ?? '', mountPoint ?? ''];
  const shell = spawn('/bin/sh', ['-c', script, 'sh', ...kept], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true, // Ctrl-C is for jest
  });
  const exited = once(shell, 'exit');
  return {
    async end() {
      shell.stdin.end();
      await exited;
    },
  };
}
