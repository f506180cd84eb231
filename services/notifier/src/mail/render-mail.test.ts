import { describe, expect, it } from '@jest/globals';
import { renderMail, type MailContent } from './render-mail.ts';

const content: MailContent = {
  title: 'A webhook endpoint was disabled',
  sentences: ['It answered 410.'],
  facts: [['Address', 'https://example.com/?a=1&b=<2>']],
  button: { text: 'Open', url: 'https://tollgate.example/?a=1&b=2' },
  note: 'Sent to the owner.',
  unsubscribe: { text: 'No more of these', url: 'https://tollgate.example/unsubscribe?token=x' },
};

describe('a mail', () => {
  it('says the same as text and as HTML', () => {
    const { subject, text, html } = renderMail(content);
    expect(subject).toBe(content.title);
    for (const said of ['It answered 410.', 'Sent to the owner.', 'No more of these']) {
      expect(text).toContain(said);
      expect(html).toContain(said);
    }
    expect(text).toContain('Address: https://example.com/?a=1&b=<2>');
    expect(text).toContain('Open:\nhttps://tollgate.example/?a=1&b=2');
    expect(html).toContain('href="https://tollgate.example/?a=1&#38;b=2"');
  });

  it('escapes what strangers name, in every place of the HTML', () => {
    const evil = `"><script>alert('x')</script>`;
    const facts = [['Name', evil]] as const;
    const { html } = renderMail({ ...content, title: evil, sentences: [evil], facts, note: evil });
    expect(html).not.toContain('<script');
    expect(html.match(/&#60;script&#62;/g)).toHaveLength(5); // in the title twice
  });

  it('has one line where it is a header, whatever it is made of', () => {
    const { subject, text } = renderMail({ ...content, title: 'Key\r\nBcc: eve@example.com\u2028x' });
    expect(subject).toBe('Key Bcc: eve@example.com x');
    expect(text.split('\n')[0]).toBe(subject);
  });
});
