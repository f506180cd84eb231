import { ConfigError } from '@tollgate/runtime/config/config-error';
import { EmbeddedPostgresError } from '@tollgate/database/embedded/embedded-postgres-error';
import { MigrationRefusal } from '@tollgate/database/migration-refusal';
import { KeyArchiveError } from '@tollgate/key-archive/key-archive-error';

/** One line about a failure that the operator can correct. Undefined for any other failure: its stack is needed. */
export function explainFailure(error: unknown): string | undefined {
  if (error instanceof ConfigError || error instanceof EmbeddedPostgresError) return error.message;
  if (error instanceof KeyArchiveError || error instanceof MigrationRefusal) return error.message;
  return error instanceof Error && isListenFailure(error) ? explainListenFailure(error) : undefined;
}

interface ListenFailure {
  readonly code?: string;
  readonly address?: string;
  readonly port?: number;
  readonly hostname?: string;
}

/** Recognises the errors of node:net and of its name look-up. */
function isListenFailure(error: Error): error is Error & ListenFailure {
  return 'syscall' in error && (error.syscall === 'listen' || error.syscall === 'getaddrinfo');
}

function explainListenFailure({ code, address, port, hostname }: ListenFailure): string | undefined {
  const place = `${address}:${port}`;
  switch (code) {
    case 'EADDRINUSE':
      return `port ${place} is in use; stop the program that listens there, or choose another port with --port (0 takes a free port)`;
    case 'EACCES':
      return `this user may not listen on ${place}; choose a port from 1024 up with --port`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `this machine does not have the address ${hostname ?? place}; choose another with --host`;
    default:
      return undefined;
  }
}
