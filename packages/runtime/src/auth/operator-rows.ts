import type { Queryable } from '@tollgate/database/database';
import {
  readOperatorCodes,
  readOperatorTokens,
  type OperatorCodeRow,
  type OperatorTokenRow,
} from './read-credentials.ts';

/** A token of the operator that has a row. */
export interface OperatorToken {
  readonly name: string;
  readonly hash: Uint8Array;
  /** Epoch milliseconds; undefined for never. */
  readonly expiresAt: number | undefined;
  readonly isRevoked: boolean;
}

export interface OperatorCode {
  /** The SHA-256 of the operator token that the code was given to. */
  readonly tokenHash: Uint8Array;
  readonly expiresAt: number;
}

/** The rows that auth publishes about the operator: they are few, and are read whole each time. */
export interface OperatorRows {
  refresh(): Promise<void>;
  /** Also those that are revoked or have expired. */
  operatorTokens(): readonly OperatorToken[];
  /** Maps the SHA-256 of a code in base64 to the code; undefined while the operator has no second factor. */
  operatorCodes(): ReadonlyMap<string, OperatorCode> | undefined;
}

export function createOperatorRows(db: Queryable): OperatorRows {
  let tokens: readonly OperatorToken[] = [];
  let codes: ReadonlyMap<string, OperatorCode> | undefined;
  return {
    async refresh() {
      tokens = (await readOperatorTokens(db)).map(toOperatorToken);
      codes = toOperatorCodes(await readOperatorCodes(db));
    },
    operatorTokens: () => tokens,
    operatorCodes: () => codes,
  };
}

function toOperatorToken({ name, token_hash: hash, expires_at, revoked_at }: OperatorTokenRow): OperatorToken {
  return { name, hash, expiresAt: expires_at?.getTime(), isRevoked: revoked_at !== null };
}

function toOperatorCodes(rows: readonly OperatorCodeRow[]): ReadonlyMap<string, OperatorCode> | undefined {
  if (rows.length === 0) return undefined;
  const codes = new Map<string, OperatorCode>();
  for (const { code_hash: codeHash, token_hash: tokenHash, expires_at: expiresAt } of rows)
    if (codeHash && tokenHash && expiresAt)
      codes.set(Buffer.from(codeHash).toString('base64'), { tokenHash, expiresAt: expiresAt.getTime() });
  return codes;
}
