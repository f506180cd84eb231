type Row = readonly string[];

/**
 * Renders columns as wide as their widest text. A column whose title begins with `>` is set to the right. A rule stands
 * below the titles and above the sums.
 */
export function renderTable(titles: Row, rows: readonly Row[], sums?: Row): string {
  const isRight = titles.map((title) => title.startsWith('>'));
  const head = titles.map((title) => title.replace(/^>/, ''));
  const all = [head, ...rows, ...(sums ? [sums] : [])];
  const widths = head.map((_, at) => Math.max(...all.map((row) => row[at]?.length ?? 0)));
  const pad = (text: string, at: number) =>
    isRight[at] ? text.padStart(widths[at] ?? 0) : text.padEnd(widths[at] ?? 0);
  const line = (row: Row) => `  ${row.map(pad).join('   ')}`.trimEnd();
  const rule = `  ${widths.map((width) => '─'.repeat(width)).join('───')}`;
  return [line(head), rule, ...rows.map(line), ...(sums ? [rule, line(sums)] : [])].join('\n');
}
