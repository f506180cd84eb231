import type { Answer, OperationId, Query } from './operation-types.ts';
import type { CallOptions } from './attempt.ts';
import type { Call } from './request.ts';

interface Page {
  readonly next_cursor: string | null;
}

/** The operations that answer pages. */
type ListId = { [Id in OperationId]: Answer<Id> extends Page ? Id : never }[OperationId];

interface ListOrder<Id extends ListId> {
  readonly id: Id;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Query<Id> | undefined;
  readonly options?: CallOptions | undefined;
}

/** The entries of a list, in the order of the service. Nothing is asked before it is read. */
export class Listing<Id extends ListId, Item> implements AsyncIterable<Item> {
  readonly #load: (cursor: string | undefined) => Promise<Answer<Id>>;
  readonly #itemsOf: (page: Answer<Id>) => readonly Item[];

  constructor(call: Call, order: ListOrder<Id>, itemsOf: (page: Answer<Id>) => readonly Item[]) {
    const { id, path = {}, query, options } = order;
    this.#load = (cursor) => call(id, { path, query: cursor === undefined ? query : { ...query, cursor } }, options);
    this.#itemsOf = itemsOf;
  }

  /** One entry after the other: `for await (const invoice of tollgate.invoices.list())`. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* this.#itemsOf(page);
  }

  /** One page after the other, as the service sends them, with `total` and `next_cursor`. */
  async *pages(): AsyncGenerator<Answer<Id>, void, undefined> {
    let cursor: string | undefined;
    do {
      const page = await this.#load(cursor);
      yield page;
      cursor = (page as Page).next_cursor ?? undefined; // ListId has only operations that answer pages
    } while (cursor !== undefined);
  }

  /** The first page alone. */
  async firstPage(): Promise<Answer<Id>> {
    return this.#load(undefined);
  }

  /** All entries. Iterate over a long list instead. */
  async toArray(): Promise<Item[]> {
    const items: Item[] = [];
    for await (const item of this) items.push(item);
    return items;
  }
}
