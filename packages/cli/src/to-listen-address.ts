export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** `host:port`, `[::1]:port`, or a port of 127.0.0.1. */
export function toListenAddress(word: string): ListenAddress {
  const [, bracketed, plain, port = word] = /^(?:\[([0-9a-fA-F:]+)\]|([^:[\]]+)):([0-9]+)$/.exec(word) ?? [];
  if (!/^[0-9]{1,5}$/.test(port) || Number(port) > 65_535)
    throw new Error(`--listen wants a host and a port, such as 127.0.0.1:9000, not ${word}`);
  return { host: bracketed ?? plain ?? '127.0.0.1', port: Number(port) };
}
