const marker = /<!-- scale:(?<name>[a-z-]+) -->[^]*?<!-- \/scale -->/g;

/** The page with each table between its markers. A marker without a table, or a table without one, is an error. */
export function putTables(page: string, tables: ReadonlyMap<string, string>): string {
  const left = new Set(tables.keys());
  const put = page.replaceAll(marker, (_, name: string) => {
    const table = tables.get(name);
    if (table === undefined) throw new Error(`no table is named ${name}`);
    left.delete(name);
    return `<!-- scale:${name} -->\n\n${table}\n\n<!-- /scale -->`;
  });
  if (left.size > 0) throw new Error(`the page has no place for ${[...left].join(', ')}`);
  return put;
}
