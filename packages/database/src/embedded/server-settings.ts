import { totalmem } from 'node:os';

/**
 * Settings on the command line of each start, so that they are always this release's and never those of the first start.
 * They suit a small machine that has other work. The durable settings are PostgreSQL's defaults, named so that readers see them.
 */
export function serverSettings(port: number, isDurable: boolean): Record<string, string> {
  const onOff = isDurable ? 'on' : 'off';
  return {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    fsync: onOff,
    synchronous_commit: onOff,
    full_page_writes: onOff,
    max_connections: '200',
    shared_buffers: `${sharedBuffersMb(memoryHere())}MB`,
    // A page that changes after a checkpoint is logged whole. New keys are anywhere in the index of all keys, so a larger
    // log between checkpoints is a smaller one in all: docs/decisions/0205.
    max_wal_size: '4GB',
    // No replica ever connects to an embedded server. A backup needs this level, while the server runs.
    wal_level: 'replica',
    max_wal_senders: '0',
    max_logical_replication_workers: '0',
    // Our statements are short: compiling them costs more than running them, and parallel workers need a large /dev/shm.
    jit: 'off',
    max_parallel_workers_per_gather: '0',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // A transaction left open holds back vacuum and locks; ours last milliseconds.
    idle_in_transaction_session_timeout: '60s',
    // The log must not have values of rows: no statement texts, no parameters, no "Key (email)=(…) already exists".
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_parameter_max_length: '0',
    log_parameter_max_length_on_error: '0',
    // Checkpoint chatter filled the log of an idle server.
    log_checkpoints: 'off',
  };
}

const mebibyte = 2 ** 20;

/** A sixteenth of the memory, since the machine has other work, from PostgreSQL's default to the most that was measured. */
export function sharedBuffersMb(memoryBytes: number): number {
  return Math.min(1_024, Math.max(128, Math.floor(memoryBytes / 16 / mebibyte)));
}

/** In bytes: the machine's, or as much of it as this process may have. */
function memoryHere(): number {
  const constraint = process.constrainedMemory(); // 0 or more than there is, where there is none
  return constraint > 0 ? Math.min(constraint, totalmem()) : totalmem();
}
