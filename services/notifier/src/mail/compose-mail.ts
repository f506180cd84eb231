import { mailedUnlessRefused } from '@tollgate/contracts/webhooks/mail-types';
import type { Clock } from '@tollgate/kernel/clock';
import type { SealedBox } from '@tollgate/kernel/sealed-box';
import { letterMails } from './letter-mails.ts';
import { renderMail, type MailContent } from './render-mail.ts';
import { domainOf, type Sender } from './sender.ts';
import type { Message } from './smtp.ts';
import type { ClaimedMail } from './sql-mail.ts';
import { toldMails, type MailBody } from './told-mails.ts';
import type { UnsubscribeLinks } from './unsubscribe-links.ts';

export interface ComposeMailDeps {
  readonly sender: Sender;
  /** Opens the links of letters. */
  readonly box: SealedBox;
  readonly unsubscribeLinks: UnsubscribeLinks;
  readonly realTime: Pick<Clock, 'now'>;
}

/** Makes the message of a mail. Throws for a type that nobody mails, and for a link that does not open. */
export type ComposeMail = (mail: ClaimedMail, address: string) => Message;

export function createComposeMail({ sender, box, unsubscribeLinks, realTime }: ComposeMailDeps): ComposeMail {
  return function composeMail(mail, address) {
    const { mailId, accountId, type } = mail;
    const optional = mailedUnlessRefused.find((each) => each === type);
    const unsubscribeUrl = optional && unsubscribeLinks.urlOf({ accountId, type: optional });
    const content: MailContent = {
      ...bodyOf(mail),
      note: `This mail is for the owner of the Tollgate account ${address}.`,
      ...(unsubscribeUrl !== undefined && { unsubscribe: { text: 'No more mails of this kind', url: unsubscribeUrl } }),
    };
    return {
      ...renderMail(content),
      to: address,
      messageId: `<${mailId}@${domainOf(sender)}>`,
      sentAtMs: realTime.now(),
      attachment: attachmentOf(mail),
      unsubscribeUrl,
    };
  };

  function bodyOf(mail: ClaimedMail): MailBody {
    const { type, data, happenedAtMs, expiresAtMs, pdf } = mail;
    const letter = letterMails[type];
    if (letter !== undefined) return letter({ link: openLink(mail), happenedAtMs, expiresAtMs });
    const told = toldMails[type];
    if (told === undefined) throw new Error(`there is no mail of the type ${type}`);
    return told({ data, happenedAtMs, hasPrint: pdf !== null });
  }

  function openLink({ mailId, linkSealed }: ClaimedMail): string | null {
    if (linkSealed === null) return null;
    const link = box.open(linkSealed, mailId);
    if (link === undefined) throw new Error(`the link of letter ${mailId} was sealed with another MAIL_SECRET`);
    return link;
  }
}

function attachmentOf({ data, pdf }: ClaimedMail): Message['attachment'] {
  return pdf === null ? undefined : { filename: `tollgate-invoice-${String(data['number'])}.pdf`, pdf };
}
