import { periodSchema } from '@tollgate/contracts/period';
import { isUuid } from '@tollgate/kernel/uuid';
import { decodeCursor } from '@tollgate/runtime/http/cursor';
import { z } from 'zod';
import type { Account } from '../invoicing/account-directory.ts';
import type { PagePosition } from '../catalogue/catalogue.ts';
import type { Invoice } from '../invoicing/invoice.ts';
import type { PriceVersion } from '../catalogue/price-version.ts';
import type { Tool } from '../catalogue/tool.ts';

// Whatever is later than the year 9999 is no time of ours, and PostgreSQL may not know it.
const timeSchema = z.int().min(0).max(253_402_300_799_999);
const toolPlaceSchema = z.tuple([timeSchema, z.string().regex(/^[a-z0-9-]{1,63}$/)]);
const periodPlaceSchema = z.tuple([periodSchema]);
const uuidPlaceSchema = z.tuple([timeSchema, z.string().refine(isUuid)]);

export function toToolCursor({ createdAtMs, slug }: Tool): readonly unknown[] {
  return [createdAtMs, slug];
}

export function toPriceCursor({ createdAtMs, id }: PriceVersion): readonly unknown[] {
  return [createdAtMs, id];
}

export function toInvoiceCursor({ issuedAtMs, id }: Invoice): readonly unknown[] {
  return [issuedAtMs, id];
}

export function toAccountCursor({ createdAtMs, accountId }: Account): readonly unknown[] {
  return [createdAtMs, accountId];
}

/** A builder has one payout a period. */
export function toPayoutCursor({ period }: { readonly period: string }): readonly unknown[] {
  return [period];
}

/** Throws 400 for what was not given out. */
export function toolPosition(cursor: string | undefined): { after?: PagePosition } {
  return position(cursor, toolPlaceSchema);
}

export function pricePosition(cursor: string | undefined): { after?: PagePosition } {
  return position(cursor, uuidPlaceSchema);
}

export function invoicePosition(cursor: string | undefined): { after?: PagePosition } {
  return position(cursor, uuidPlaceSchema);
}

export function accountPosition(cursor: string | undefined): { after?: PagePosition } {
  return position(cursor, uuidPlaceSchema);
}

export function payoutPosition(cursor: string | undefined): { beforePeriod?: string } {
  if (cursor === undefined) return {};
  const [beforePeriod] = decodeCursor(cursor, periodPlaceSchema);
  return { beforePeriod };
}

function position(cursor: string | undefined, schema: z.ZodType<[number, string]>): { after?: PagePosition } {
  if (cursor === undefined) return {};
  const [createdAtMs, id] = decodeCursor(cursor, schema);
  return { after: { createdAtMs, id } };
}
