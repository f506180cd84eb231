/** Cells padded as the formatter wants them. */
export function renderTable(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const widths = head.map((title, at) => Math.max(3, title.length, ...lines.map((line) => line[at]?.length ?? 0)));
  const render = (cells: readonly string[]): string =>
    `| ${widths.map((width, at) => (cells[at] ?? '').padEnd(width)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [render(head), rule, ...lines.map(render)].join('\n');
}
