/** Switches what keeps these tables of billing as they are: then a test may do what no service can. One text of SQL. */
export function guards(to: 'disable' | 'enable', tables: readonly string[]): string {
  return tables.map((table) => `alter table billing.${table} ${to} trigger user`).join(';');
}
