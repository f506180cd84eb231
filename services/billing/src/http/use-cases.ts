import type { Credentials } from '@tollgate/runtime/auth/credentials';
import type { AddPrice } from '../app/add-price.ts';
import type { ArchiveTool } from '../app/archive-tool.ts';
import type { ChangeTool } from '../app/change-tool.ts';
import type { FindInvoice } from '../app/find-invoice.ts';
import type { FindTool } from '../app/find-tool.ts';
import type { ListInvoices } from '../app/list-invoices.ts';
import type { ListPrices } from '../app/list-prices.ts';
import type { ListTools } from '../app/list-tools.ts';
import type { Catalogue } from '../app/ports.ts';
import type { PreviewInvoice } from '../app/preview-invoice.ts';
import type { ReadUsage } from '../app/read-usage.ts';
import type { RegisterTool } from '../app/register-tool.ts';
import type { ReplyOnce } from './reply-once.ts';

/** All that the controllers are given. Nest hands each over by value, under the token of its name. */
export interface UseCases {
  readonly credentials: Credentials;
  readonly catalogue: Catalogue;
  readonly replyOnce: ReplyOnce;
  readonly registerTool: RegisterTool;
  readonly findTool: FindTool;
  readonly listTools: ListTools;
  readonly changeTool: ChangeTool;
  readonly archiveTool: ArchiveTool;
  readonly addPrice: AddPrice;
  readonly listPrices: ListPrices;
  readonly readUsage: ReadUsage;
  readonly listInvoices: ListInvoices;
  readonly findInvoice: FindInvoice;
  readonly previewInvoice: PreviewInvoice;
  readonly nowMs: () => number;
}

export function token(name: keyof UseCases): string {
  return `billing.${name}`;
}
