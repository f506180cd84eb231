import { z } from 'zod';
import { textSchema } from './text-schema.ts';

const listLimitDefault = 20;
const listLimitMax = 100;

/** A query parameter that is a whole number from 1 to `max`. */
export function wholeNumberSchema({ max, code }: { readonly max: number; readonly code: string }) {
  return z
    .transform((value: unknown, context) => {
      const number = typeof value === 'string' && /^[1-9]\d{0,5}$/.test(value) ? Number(value) : 0;
      if (number >= 1 && number <= max) return number;
      const message = `must be a whole number from 1 to ${max}`;
      context.issues.push({ code: 'custom', input: value, message, params: { code } });
      return z.NEVER;
    })
    .meta({ type: 'integer', minimum: 1, maximum: max });
}

const limitSchema = wholeNumberSchema({ max: listLimitMax, code: 'invalid_limit' }).default(listLimitDefault).meta({
  type: 'integer',
  minimum: 1,
  maximum: listLimitMax,
  default: listLimitDefault,
  description: 'The most entries per page.',
});

/** The two query parameters of every list. Spread them into a query with further parameters. */
export const pageQueryShape = {
  limit: limitSchema,
  cursor: textSchema({ min: 1, max: 1024 })
    .optional()
    .meta({ description: '`next_cursor` of the previous page. It is opaque; any other value is 400.' }),
};

/** The query of a plain list: values come as text, as a URL carries them. */
export const pageQuerySchema = z.object(pageQueryShape);

export type PageQuery = z.infer<typeof pageQuerySchema>;

interface ListOptions<Name extends string, Item extends z.ZodType> {
  readonly id: string;
  readonly name: Name;
  readonly item: Item;
  /** Default: 'newest first'. */
  readonly order?: string;
}

/** A page of a list: the named array, `total`, and the cursor of the next page. */
export function listSchema<Name extends string, Item extends z.ZodType>(options: ListOptions<Name, Item>) {
  const { id, name, item, order = 'newest first' } = options;
  return z
    .object({ [name]: z.array(item) } as Record<Name, z.ZodArray<Item>>) // a computed key widens to `string`
    .extend({
      total: z.int().min(0).meta({ description: 'The number of entries on all pages.' }),
      ...pageEndShape,
    })
    .meta({ id, description: `A page, ${order}.` });
}

export const pageEndShape = {
  has_more: z.boolean().meta({ description: 'Whether another page follows.' }),
  next_cursor: z.string().nullable().meta({ description: 'The cursor of the next page; null at the end.' }),
};

/** A page of events. There is no total: counting every event of an account would cost more than the page. */
export function eventListSchema<Item extends z.ZodType>(id: string, item: Item) {
  return z
    .object({
      events: z.array(item),
      total: z.null().meta({ description: 'Always null: events are not counted.' }),
      ...pageEndShape,
    })
    .meta({
      id,
      description: 'A page, newest first by (`timestamp`, `event_id`). `total` is null.',
    });
}

export const formatSchema = z.enum(['json', 'csv']).default('json').meta({
  description:
    '`csv`: the entries as a table with a header line, in place of JSON. The header `X-Next-Cursor` then has the cursor of the next page.',
});

/** The query of a report, which has no pages. */
export const reportQuerySchema = z.object({ format: formatSchema });
