import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import { bearerOf } from './bearer-token.ts';
import type { OperatorRows } from './operator-rows.ts';

/** The header that carries what `POST /v1/operator/code` gave. In lower case, as Node names headers. */
const operatorCodeHeader = 'tollgate-operator-code';

/**
 * Throws, or rejects with, `operator_code_required` unless the request has a live code that was given to its own token.
 * While the operator has no second factor, it lets every request pass.
 */
export type RequireOperatorCode = (request: Pick<IncomingMessage, 'headers'>) => void | Promise<void>;

interface Deps {
  readonly directory: Pick<OperatorRows, 'operatorCodes' | 'refresh'>;
  readonly clock: Clock;
}

export function createOperatorCodeCheck({ directory, clock }: Deps): RequireOperatorCode {
  function isGood({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
    const codes = directory.operatorCodes();
    if (codes === undefined) return true;
    const sent = headers[operatorCodeHeader];
    const code = typeof sent === 'string' ? codes.get(hash('sha256', sent, 'base64')) : undefined;
    if (code === undefined || code.expiresAt <= clock.now()) return false;
    return hash('sha256', bearerOf(headers.authorization), 'buffer').equals(code.tokenHash);
  }

  return function requireOperatorCode(request) {
    if (isGood(request)) return undefined;
    if (request.headers[operatorCodeHeader] === undefined) throw operatorCodeRequired();
    return directory.refresh().then(() => {
      if (!isGood(request)) throw operatorCodeRequired(); // the code may have been younger than memory
    });
  };
}

function operatorCodeRequired(): AppError {
  return new AppError(
    'operator_code_required',
    'Get a code from `POST /v1/operator/code`, and send it as `Tollgate-Operator-Code`.',
  );
}
