import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';

export interface TlsAnswer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: string;
  /** The serial number of the certificate, and until when it is good, in ms of Unix time. */
  readonly serial: string;
  readonly endsMs: number;
}

export interface TlsRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The address to call from, of 127.0.0.0/8. */
  readonly from?: string;
}

export type AskByTls = (path: string, request?: TlsRequest) => Promise<TlsAnswer>;

/** Asks a name at a port of this machine, each time by a new connection. Rejects unless the certificate is good now. */
export function createAskByTls(at: { readonly name: string; readonly port: number; readonly root: string }): AskByTls {
  return (path, { method = 'GET', headers = {}, body, from = '127.0.0.1' } = {}) => {
    const { promise, resolve, reject } = Promise.withResolvers<TlsAnswer>();
    const place = { host: '127.0.0.1', port: at.port, localAddress: from, servername: at.name, ca: at.root };
    const all = { ...place, path, method, agent: false, headers: { host: at.name, ...headers } };
    const asking = request(all, (answer) => {
      const { serialNumber, valid_to: validTo } = (answer.socket as TLSSocket).getPeerCertificate();
      const known = { serial: serialNumber, endsMs: Date.parse(validTo) };
      const { statusCode: status = 0, headers: answered } = answer;
      text(answer).then((read) => resolve({ status, headers: answered, body: read, ...known }), reject);
    });
    asking.on('error', reject).end(body);
    return promise;
  };
}
