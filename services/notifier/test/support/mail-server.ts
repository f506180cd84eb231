import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { makeCertificates } from '@tollgate/testkit/make-certificates';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';

/** A mail as the server got it. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: string;
  readonly isTls: boolean;
  readonly user: string | undefined;
  /** Headers by their names in small letters; folded lines are joined. */
  readonly headers: ReadonlyMap<string, string>;
  /** The whole of it, as it came. */
  readonly source: string;
}

/** How the server treats a recipient of a test. */
export type Behave = 'take' | 'refuse' | 'refuse-us' | 'refuse-mail' | 'defer' | 'hang' | 'close';

export interface MailServer {
  readonly url: string;
  readonly ca: string;
  readonly received: readonly ReceivedMail[];
  /** Tries to hand it a mail, by address. */
  triesOf(address: string): number;
  behave(address: string, behave: Behave): void;
  stop(): Promise<void>;
}

export const mailPassword = 'the-password-of-the-mail-server';

let certificates: ReturnType<typeof makeCertificates<'server'>> | undefined;

/** A real mail server with STARTTLS and AUTH. It takes every mail, but for recipients that a test says otherwise of. */
export async function startMailServer(): Promise<MailServer> {
  const { server: pem } = await (certificates ??= makeCertificates(['server']));
  const received: ReceivedMail[] = [];
  const behaviours = new Map<string, Behave>();
  const tries = new Map<string, number>();
  const refusal = (text: string, responseCode: number) => Object.assign(new Error(text), { responseCode });

  const server = new SMTPServer({
    cert: pem.cert,
    key: pem.key,
    authMethods: ['PLAIN', 'LOGIN'],
    closeTimeout: 100,
    onAuth({ username, password }, _session, done) {
      if (username === 'tollgate' && password === mailPassword) done(null, { user: username });
      else done(refusal('5.7.8 wrong password', 535));
    },
    onRcptTo({ address }, _session, done) {
      tries.set(address, (tries.get(address) ?? 0) + 1);
      const behave = behaviours.get(address) ?? 'take';
      if (behave === 'refuse') done(refusal(`5.1.1 <${address}> is unknown here`, 550));
      else if (behave === 'refuse-us') done(refusal('5.7.1 relay access denied', 550));
      else if (behave === 'defer') done(refusal('4.7.1 come back later', 451));
      else if (behave !== 'hang') done();
    },
    onData(stream, session, done) {
      void take(stream, session).then(() => done(), done);
    },
  });
  server.on('error', () => undefined);

  async function take(stream: AsyncIterable<Buffer>, session: SMTPServerSession): Promise<void> {
    const to = session.envelope.rcptTo[0]?.address ?? '';
    const behave = behaviours.get(to);
    const chunks: Buffer[] = [];
    for await (const chunk of stream) {
      chunks.push(chunk);
      if (behave === 'close') for (const each of server.connections) if (each.session === session) each.close();
    }
    if (behave === 'refuse-mail') throw refusal('5.7.1 it looks like spam', 554);
    const source = Buffer.concat(chunks).toString();
    const from = session.envelope.mailFrom === false ? '' : session.envelope.mailFrom.address;
    received.push({
      from,
      to,
      isTls: session.secure,
      user: session.user as string | undefined,
      headers: headersOf(source),
      source,
    });
  }

  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://tollgate:${mailPassword}@127.0.0.1:${port}`,
    ca: pem.ca,
    received,
    triesOf: (address) => tries.get(address) ?? 0,
    behave: (address, behave) => void behaviours.set(address, behave),
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function headersOf(source: string): ReadonlyMap<string, string> {
  const [head = ''] = source.split('\r\n\r\n');
  const lines = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n');
  return new Map(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  );
}
