import type { IncomingMessage, ServerResponse } from 'node:http';
import { deadLetterIdSchema, deadLetterQuerySchema } from '@tollgate/contracts/operator/dead-letters';
import type { Queryable } from '@tollgate/database/database';
import { AppError } from '@tollgate/kernel/app-error';
import { toListPage } from '@tollgate/runtime/http/lists/list-page';
import { parseParams, parseQuery } from '@tollgate/runtime/http/requests/parse';
import { readOptionalJsonBody } from '@tollgate/runtime/http/requests/read-json-body';
import { paramsOf } from '@tollgate/runtime/http/requests/request-context';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import { fromDeadLetterCursor, toDeadLetterCursor } from './dead-letter-cursor.ts';
import type { RecordPlace } from './dead-letter.ts';
import type { ReplayDeadLetter } from './replay-dead-letter.ts';
import { countDeadLetters, findDeadLetter, listDeadLetters } from './sql-dead-letter.ts';
import { toApiDeadLetter, toApiDeadLetterWithRecord } from './to-api-dead-letter.ts';

export interface DeadLetterDeps {
  /** Its role sees the dead letters of all accounts. */
  readonly worker: Queryable;
  readonly replayDeadLetter: ReplayDeadLetter;
}

const bodyLimits = { maxBytes: 64 * 1_024 };

/** The operator's routes; they belong to no account. */
export function createDeadLetterHandlers({ worker, replayDeadLetter }: DeadLetterDeps) {
  return {
    async listDeadLetters(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const query = parseQuery(deadLetterQuerySchema, request.url ?? '');
      const { limit, cursor, replayed } = query;
      const filter = {
        code: query.code,
        consumerId: query.consumer_id,
        isReplayed: replayed === undefined ? undefined : replayed === 'true',
        after: cursor === undefined ? undefined : fromDeadLetterCursor(cursor),
        rowsMax: limit + 1,
      };
      const [rows, total] = await Promise.all([listDeadLetters(worker, filter), countDeadLetters(worker, filter)]);
      const source = { rows, total, limit, cursorOf: toDeadLetterCursor, toApi: toApiDeadLetter };
      sendJson(response, 200, toListPage('dead_letters', source));
    },

    async getDeadLetter(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const letter = await findDeadLetter(worker, placeOf(request));
      if (letter === undefined) throw notFound(request);
      sendJson(response, 200, toApiDeadLetterWithRecord(letter));
    },

    async replayDeadLetter(request: IncomingMessage, response: ServerResponse): Promise<void> {
      await readOptionalJsonBody(request, bodyLimits); // the route needs no body, but a body that comes must be readable
      const letter = await replayDeadLetter(placeOf(request));
      if (letter === undefined) throw notFound(request);
      sendJson(response, 200, toApiDeadLetterWithRecord(letter));
    },
  };
}

function placeOf(request: IncomingMessage): RecordPlace {
  const id = parseParams(deadLetterIdSchema, paramsOf(request)['dead_letter_id']);
  const [topic = '', partition = '', offset = ''] = id.split(':');
  return { topic, partition: Number(partition), offset: BigInt(offset) };
}

function notFound(request: IncomingMessage): AppError {
  return new AppError('not_found', `There is no dead letter \`${paramsOf(request)['dead_letter_id']}\`.`);
}
