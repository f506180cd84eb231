import { escapeHtml } from '@tollgate/runtime/pages/render-page';

/** All that a mail says. Its texts are plain: whatever they are made of, they are escaped where they are printed. */
export interface MailContent {
  /** The subject, too. */
  readonly title: string;
  readonly sentences: readonly string[];
  readonly facts?: readonly Fact[];
  readonly button?: Link;
  /** Below all else, in small. */
  readonly note: string;
  readonly unsubscribe?: Link;
}

export type Fact = readonly [label: string, value: string];

export interface Link {
  readonly text: string;
  readonly url: string;
}

export interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const subjectMax = 150;

export function renderMail(content: MailContent): RenderedMail {
  return { subject: oneLine(content.title).slice(0, subjectMax), text: renderText(content), html: renderHtml(content) };
}

/** A name with a line break in it would begin a header of its own. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

function renderText({ title, sentences, facts = [], button, note, unsubscribe }: MailContent): string {
  const width = Math.max(0, ...facts.map(([label]) => label.length));
  const parts = [
    oneLine(title),
    ...sentences.map(oneLine),
    facts.map(([label, value]) => `${`${label}:`.padEnd(width + 2)}${oneLine(value)}`).join('\n'),
    button && `${button.text}:\n${button.url}`,
    `-- \n${note}`,
    unsubscribe && `${unsubscribe.text}:\n${unsubscribe.url}`,
  ];
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}

// Mail programs know tables and inline styles; those that know more take the dark colours, too.
const style = `:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .ground { background: #10151d !important; }
  .paper { background: #1b222d !important; border-color: #313c4b !important; }
  .ink { color: #e8ecf3 !important; }
  .dim { color: #9aa7b8 !important; }
  .line { border-color: #313c4b !important; }
  .button { background: #8196ff !important; color: #10151d !important; }
}`;

const font = `font-family: system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif;`;

function renderHtml({ title, sentences, facts = [], button, note, unsubscribe }: MailContent): string {
  const heading = escapeHtml(oneLine(title));
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${heading}</title>
    <style>${style}</style>
  </head>
  <body class="ground" style="margin: 0; padding: 0; background: #eef1f6;">
    <table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0" style="background: #eef1f6;"><tr><td align="center" style="padding: 24px 12px;">
      <table role="presentation" class="paper" width="100%" cellpadding="0" cellspacing="0" style="max-width: 520px; background: #ffffff; border: 1px solid #d9dfe8; border-radius: 16px;">
        <tr><td class="ink line" style="padding: 16px 24px; border-bottom: 1px solid #d9dfe8; color: #1b2430; ${font} font-size: 15px; font-weight: 600;">Tollgate</td></tr>
        <tr><td style="padding: 24px 24px 8px;">
          <h1 class="ink" style="margin: 0 0 12px; color: #1b2430; ${font} font-size: 22px; line-height: 1.3; overflow-wrap: anywhere;">${heading}</h1>
          ${[...sentences.map(renderSentence), renderFacts(facts), button && renderButton(button)].filter(Boolean).join('\n          ')}
        </td></tr>
      </table>
      <table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width: 520px;"><tr><td class="dim" style="padding: 16px 24px; color: #5d6b7c; ${font} font-size: 13px; line-height: 1.5;">
        ${escapeHtml(note)}${unsubscribe ? `<br><a class="dim" href="${escapeHtml(unsubscribe.url)}" style="color: #5d6b7c;">${escapeHtml(unsubscribe.text)}</a>` : ''}
      </td></tr></table>
    </td></tr></table>
  </body>
</html>
`;
}

function renderSentence(sentence: string): string {
  return `<p class="ink" style="margin: 0 0 12px; color: #1b2430; ${font} font-size: 16px; line-height: 1.5; overflow-wrap: anywhere;">${escapeHtml(oneLine(sentence))}</p>`;
}

function renderFacts(facts: readonly Fact[]): string {
  if (facts.length === 0) return '';
  const cell = `padding: 8px 0; border-top: 1px solid #d9dfe8; ${font} font-size: 14px; line-height: 1.4; vertical-align: top;`;
  const rows = facts.map(
    ([label, value]) =>
      `<tr><td class="dim line" style="${cell} color: #5d6b7c; padding-right: 16px; white-space: nowrap;">${escapeHtml(label)}</td><td class="ink line" align="right" style="${cell} color: #1b2430; overflow-wrap: anywhere; word-break: break-word;">${escapeHtml(oneLine(value))}</td></tr>`,
  );
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin: 8px 0 16px;">${rows.join('')}</table>`;
}

function renderButton({ text, url }: Link): string {
  return `<p style="margin: 16px 0 20px;"><a class="button" href="${escapeHtml(url)}" style="display: inline-block; padding: 12px 20px; border-radius: 10px; background: #3d5afe; color: #ffffff; ${font} font-size: 16px; font-weight: 600; text-decoration: none;">${escapeHtml(text)}</a></p>`;
}
