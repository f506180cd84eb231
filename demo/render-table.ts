/**
 * Columns as wide as their widest text; those whose title begins with `>` are set to the right. A rule stands below the
 * titles and above the last row, which has the sums.
 */
export function renderTable(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const isRight = titles.map((title) => title.startsWith('>'));
  const head = titles.map((title) => title.replace(/^>/, ''));
  const widths = head.map((_, at) => Math.max(...[head, ...rows].map((row) => row[at]?.length ?? 0)));
  const pad = (text: string, at: number) =>
    isRight[at] ? text.padStart(widths[at] ?? 0) : text.padEnd(widths[at] ?? 0);
  const line = (row: readonly string[]) => `  ${row.map(pad).join('   ')}`.trimEnd();
  const rule = `  ${widths.map((width) => '─'.repeat(width)).join('───')}`;
  return [line(head), rule, ...rows.slice(0, -1).map(line), rule, ...rows.slice(-1).map(line)].join('\n');
}
