import type { IncomingMessage, ServerResponse } from 'node:http';
import { deadLetterIdSchema, deadLetterQuerySchema } from '@tollgate/contracts/dead-letters';
import { AppError } from '@tollgate/kernel/app-error';
import { toListPage } from '@tollgate/runtime/http/list-page';
import { parseParams, parseQuery } from '@tollgate/runtime/http/parse';
import { readOptionalJsonBody } from '@tollgate/runtime/http/read-json-body';
import { paramsOf } from '@tollgate/runtime/http/request-context';
import { sendJson } from '@tollgate/runtime/http/send-json';
import type { DeadLetters, RecordPlace } from './dead-letters.ts';
import type { ReplayDeadLetter } from './replay-dead-letter.ts';
import { fromDeadLetterCursor, toDeadLetterCursor } from '../reading/event-cursors.ts';
import { toApiDeadLetter, toApiDeadLetterWithRecord } from './to-api-dead-letter.ts';

export interface DeadLetterHandlers {
  listDeadLetters(request: IncomingMessage, response: ServerResponse): Promise<void>;
  getDeadLetter(request: IncomingMessage, response: ServerResponse): Promise<void>;
  replayDeadLetter(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

export interface DeadLetterDeps {
  readonly deadLetters: DeadLetters;
  readonly replayDeadLetter: ReplayDeadLetter;
}

const bodyLimits = { maxBytes: 64 * 1_024 };

/** The operator's: routes of no account. */
export function createDeadLetterHandlers({ deadLetters, replayDeadLetter }: DeadLetterDeps): DeadLetterHandlers {
  return {
    async listDeadLetters(request, response) {
      const query = parseQuery(deadLetterQuerySchema, request.url ?? '');
      const { limit, cursor, replayed } = query;
      const page = await deadLetters.list({
        code: query.code,
        consumerId: query.consumer_id,
        isReplayed: replayed === undefined ? undefined : replayed === 'true',
        after: cursor === undefined ? undefined : fromDeadLetterCursor(cursor),
        rowsMax: limit + 1,
      });
      const source = { ...page, limit, cursorOf: toDeadLetterCursor, toApi: toApiDeadLetter };
      sendJson(response, 200, toListPage('dead_letters', source));
    },

    async getDeadLetter(request, response) {
      const letter = await deadLetters.find(placeOf(request));
      if (letter === undefined) throw notFound();
      sendJson(response, 200, toApiDeadLetterWithRecord(letter));
    },

    async replayDeadLetter(request, response) {
      await readOptionalJsonBody(request, bodyLimits); // none is needed; one that is sent must be readable
      const letter = await replayDeadLetter(placeOf(request));
      if (letter === undefined) throw notFound();
      sendJson(response, 200, toApiDeadLetterWithRecord(letter));
    },
  };
}

function placeOf(request: IncomingMessage): RecordPlace {
  const id = parseParams(deadLetterIdSchema, paramsOf(request)['dead_letter_id']);
  const [topic = '', partition = '', offset = ''] = id.split(':');
  return { topic, partition: Number(partition), offset: BigInt(offset) };
}

function notFound(): AppError {
  return new AppError('not_found', 'There is no such dead letter.');
}
