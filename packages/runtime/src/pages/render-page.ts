import { pageStyle } from './page-style.ts';

/** All three are HTML: whoever makes them escapes what is not ours. */
export interface PageParts {
  readonly title: string;
  readonly header: string;
  readonly content: string;
}

/** A page for people, without scripts. `sendPage` sends it with the policy that fits. */
export function renderPage({ title, header, content }: PageParts): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <style>${pageStyle}</style>
  </head>
  <body>
    <main>
      <header>${header}</header>
      <section>
      ${content}
      </section>
    </main>
  </body>
</html>
`;
}

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
