/** The settings for a gateway in a small container, as docs/operations.md states them. */
export const smallContainer: Readonly<Record<string, string>> = {
  NODE_OPTIONS: '--max-old-space-size=72 --max-semi-space-size=2',
  HELD_BYTES_MAX: '4194304',
  REPLIES_REMEMBERED_MAX: '20000',
  HTTP_CONNECTIONS_MAX: '2000',
  HTTP_CONNECTIONS_PER_ADDRESS_MAX: '2000', // all callers are on this machine
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '32768', // larger pieces go back to the system one by one: docs/decisions/0203
};
