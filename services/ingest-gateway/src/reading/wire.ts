import type { Database } from '@tollgate/database/database';
import { createMeasuresOf } from '../tools/measures-of.ts';
import type { EventIds } from '../submissions/event-ids.ts';
import type { ToolDirectory } from '../tools/tool-directory.ts';
import { createFindEvent } from './find-event.ts';
import { createReadingHandlers } from './reading-handlers.ts';

export interface ReadingParts {
  readonly api: Database;
  readonly worker: Database;
  readonly tools: ToolDirectory;
  readonly eventIds: EventIds;
}

export function wireReading({ api, worker, tools, eventIds }: ReadingParts): ReturnType<typeof createReadingHandlers> {
  const findEvent = createFindEvent({ api, worker });
  return createReadingHandlers({ api, findEvent, measuresOf: createMeasuresOf(tools), eventIds });
}
