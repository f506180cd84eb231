import type { Route } from './route.ts';

export const embedPages = ['usage', 'earnings', 'invoices'] as const;
/** A page of the console that may be framed. */
export type EmbedPage = (typeof embedPages)[number];

/** A parameter that the query of an operation must have, once and with this value. */
type Fixed = Readonly<Record<string, string>>;

/** Lists the operations that each page asks. Its token opens these, and nothing else. */
const asked: Readonly<Record<EmbedPage, Readonly<Partial<Record<string, Fixed>>>>> = {
  usage: { getUsage: { role: 'consumer' } },
  earnings: { getUsage: { role: 'builder' } },
  invoices: { listInvoices: {}, getInvoice: {}, getUpcomingInvoice: {} },
};

/** Whether the token of an embedded page opens a route, asked with this query. */
export function opensToEmbed(
  { operationId }: Pick<Route, 'operationId'>,
  page: EmbedPage,
  query: URLSearchParams,
): boolean {
  const fixed = asked[page][operationId];
  if (fixed === undefined) return false;
  return Object.entries(fixed).every(([name, value]) => {
    const [first, ...others] = query.getAll(name);
    return first === value && others.length === 0;
  });
}
