import { createTransport } from 'nodemailer';
import { judgeSmtpError, type SmtpAnswer } from './judge-smtp-error.ts';
import type { RenderedMail } from './render-mail.ts';
import type { Sender } from './sender.ts';

export interface SmtpSettings {
  /** `smtp://user:password@host:587` or `smtps://…`. */
  readonly url: string;
  /** `off`: an `smtp://` server is talked to in the clear. */
  readonly tls: 'required' | 'off';
  readonly sender: Sender;
  /** Certificates that are trusted instead of the usual ones, in PEM. */
  readonly ca?: string | undefined;
}

export interface Message extends RenderedMail {
  readonly to: string;
  /** The same for each try, so that receivers recognise a mail that comes twice. With its brackets. */
  readonly messageId: string;
  readonly sentAtMs: number;
  readonly attachment?: { readonly filename: string; readonly pdf: Uint8Array } | undefined;
  /** Where one POST ends this kind of mail (RFC 8058). */
  readonly unsubscribeUrl?: string | undefined;
}

/** Hands one mail to the server. Rejects only if `stopping` ended it; then the server may have it. */
export type SendMail = (message: Message, stopping: AbortSignal) => Promise<SmtpAnswer>;

const connectMs = 10_000;
/** A server that is silent for so long is left. */
const silentMs = 15_000;
/** For all of a mail. */
const sendMs = 30_000;

/** The library reads a list of addresses out of one text. Ours has one. */
const plainAddress = /^[^\s<>()[\]:;,\\"@]+@[^\s<>()[\]:;,\\"@]+$/;

export function createSendMail({ url, tls, sender, ca }: SmtpSettings): SendMail {
  const { protocol, hostname, port, username, password } = new URL(url);
  const isTls = protocol === 'smtps:';
  const transport = createTransport({
    host: hostname.replaceAll(/[[\]]/g, ''),
    port: port === '' ? (isTls ? 465 : 587) : Number(port),
    secure: isTls,
    requireTLS: !isTls && tls === 'required',
    ignoreTLS: !isTls && tls === 'off',
    ...(username === '' ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    ...(ca === undefined ? {} : { tls: { ca } }),
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: silentMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return async function sendMail(message, stopping) {
    if (!plainAddress.test(message.to)) return { kind: 'refused', reason: 'it is no address of one recipient' };
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(sendMs)]);
    try {
      await transport.sendMail({ ...toMail(message, sender), signal });
      return { kind: 'accepted' };
    } catch (error) {
      stopping.throwIfAborted();
      return judgeSmtpError(error);
    }
  };
}

function toMail({ to, messageId, sentAtMs, subject, text, html, attachment, unsubscribeUrl }: Message, sender: Sender) {
  const headers = {
    'Auto-Submitted': 'auto-generated', // no out-of-office answers to it
    ...(unsubscribeUrl !== undefined && {
      'List-Unsubscribe': { prepared: true, foldLines: false, value: `<${unsubscribeUrl}>` },
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    }),
  };
  return {
    from: sender,
    to: { name: '', address: to },
    // The sender of the envelope has the domain of the header, so that SPF and DMARC judge one domain.
    envelope: { from: sender.address, to },
    messageId,
    date: new Date(sentAtMs),
    headers,
    subject,
    text,
    html,
    attachments: attachment && [
      { filename: attachment.filename, content: Buffer.from(attachment.pdf), contentType: 'application/pdf' },
    ],
  };
}
