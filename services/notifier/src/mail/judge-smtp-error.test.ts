import { describe, expect, it } from '@jest/globals';
import { judgeSmtpError } from './judge-smtp-error.ts';

const refused = (command: string, response: string) =>
  Object.assign(new Error(`refused: ${response}`), {
    code: 'EENVELOPE',
    command,
    response,
    responseCode: Number(response.slice(0, 3)),
  });

describe('a refusal of a mail server', () => {
  it.each([
    ['RCPT TO', '550 No such user here', 'bounced'],
    ['RCPT TO', '550 5.1.1 <ada@example.com> unknown', 'bounced'],
    ['RCPT TO', '550 5.2.1 Mailbox disabled', 'bounced'],
    ['RCPT TO', '552 5.2.2 Mailbox full', 'deferred'],
    ['RCPT TO', '554 5.7.1 Relay access denied', 'deferred'],
    ['RCPT TO', '550 5.7.26 Unauthenticated mail', 'deferred'],
    ['RCPT TO', '451 4.7.1 Greylisted', 'deferred'],
    ['MAIL FROM', '550 5.1.8 Sender refused', 'deferred'],
    ['AUTH PLAIN', '535 5.7.8 Wrong password', 'deferred'],
    ['DATA', '554 5.7.1 Spam', 'refused'],
    ['DATA', '451 Try later', 'deferred'],
  ])('at %s with %s is %s', (command, response, kind) => {
    expect(judgeSmtpError(refused(command, response)).kind).toBe(kind);
  });

  it('is told without the text of the server, which names addresses', () => {
    const error = refused('RCPT TO', '550 5.1.1 <ada@example.com> unknown');
    expect(judgeSmtpError(error)).toEqual({ kind: 'bounced', reason: '550 5.1.1 RCPT TO' });
  });

  it('is none where there was no answer', () => {
    const error = Object.assign(new Error('timeout'), { code: 'ETIMEDOUT', command: 'CONN' });
    expect(judgeSmtpError(error)).toEqual({ kind: 'deferred', reason: 'ETIMEDOUT CONN' });
    expect(judgeSmtpError(undefined)).toEqual({ kind: 'deferred', reason: 'no answer' });
  });
});
