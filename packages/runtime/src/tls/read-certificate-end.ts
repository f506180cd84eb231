import { connect } from 'node:tls';

const certificateTimeoutMs = 5_000;

/**
 * When the certificate ends that an https address shows, in milliseconds since the epoch. It is read, not judged: one that has
 * ended, or that nobody vouches for, has an end, too. Rejects if the address does not answer by TLS within five seconds.
 */
export function readCertificateEnd(address: string): Promise<number> {
  const { hostname, port } = new URL(address);
  const host = hostname.replace(/^\[|\]$/g, '');
  const isName = /[a-z]/i.test(host) && !host.includes(':');
  return new Promise((resolve, reject) => {
    const socket = connect({
      host,
      port: Number(port || 443),
      rejectUnauthorized: false, // nothing is sent, and a bad certificate is what we look for
      timeout: certificateTimeoutMs,
      ...(isName && { servername: host }),
    });
    socket.once('secureConnect', () => {
      const { valid_to: end } = socket.getPeerCertificate();
      socket.destroy();
      resolve(Date.parse(end));
    });
    socket.once('timeout', () => socket.destroy(new Error(`${host} does not answer by TLS in time`)));
    socket.once('error', reject);
  });
}
