import type { Queryable } from '@tollgate/database/database';
import { readOperatorCodes, readOperatorTokenHash, type OperatorCodeRow } from './read-credentials.ts';

export interface OperatorCode {
  /** The SHA-256 of the operator token that the code was given to. */
  readonly tokenHash: Uint8Array;
  readonly expiresAt: number;
}

/** What auth publishes about the operator: a few rows, which are read whole each time. */
export interface OperatorRows {
  refresh(): Promise<void>;
  /** The SHA-256 of the operator's token; undefined if it was never rotated. */
  operatorTokenHash(): Uint8Array | undefined;
  /** By the SHA-256 of the code in base64; undefined while the operator has no second factor. */
  operatorCodes(): ReadonlyMap<string, OperatorCode> | undefined;
}

export function createOperatorRows(db: Queryable): OperatorRows {
  let tokenHash: Uint8Array | undefined;
  let codes: ReadonlyMap<string, OperatorCode> | undefined;
  return {
    async refresh() {
      tokenHash = await readOperatorTokenHash(db);
      codes = toOperatorCodes(await readOperatorCodes(db));
    },
    operatorTokenHash: () => tokenHash,
    operatorCodes: () => codes,
  };
}

function toOperatorCodes(rows: readonly OperatorCodeRow[]): ReadonlyMap<string, OperatorCode> | undefined {
  if (rows.length === 0) return undefined;
  const codes = new Map<string, OperatorCode>();
  for (const { code_hash: codeHash, token_hash: tokenHash, expires_at: expiresAt } of rows)
    if (codeHash && tokenHash && expiresAt)
      codes.set(Buffer.from(codeHash).toString('base64'), { tokenHash, expiresAt: expiresAt.getTime() });
  return codes;
}
