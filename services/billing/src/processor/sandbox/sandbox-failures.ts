import { toIso, type Clock } from '@tollgate/kernel/clock';
import { uuidV7 } from '@tollgate/kernel/uuid';
import type { Database } from '@tollgate/database/database';
import type { MovementKind, ScriptedFailure, ScriptedFailureName, ScriptedFailures } from './scripted-failures.ts';

interface FailureRow {
  readonly failure_id: string;
  readonly kind: MovementKind;
  readonly failure: ScriptedFailureName;
  readonly subject_id: string | null;
  readonly times_left: number;
  readonly created_at: Date;
}

const addText = `
insert into sandbox.failure (failure_id, kind, failure, subject_id, times_left, created_at) values ($1, $2, $3, $4, $5, $6)`;

const listText = `
select failure_id, kind, failure, subject_id, times_left, created_at from sandbox.failure
where times_left > 0 order by place`;

export function createSandboxFailures({ database, clock }: { database: Database; clock: Clock }): ScriptedFailures {
  return {
    async add(script) {
      const createdAtMs = clock.now();
      const added = { ...script, id: uuidV7(createdAtMs), createdAtMs };
      const { id, on, failure, subjectId, times } = added;
      await database.query(addText, [id, on, failure, subjectId, times, toIso(createdAtMs)]);
      return added;
    },
    async list() {
      return (await database.query<FailureRow>(listText)).map(toFailure);
    },
    async clear() {
      await database.query('delete from sandbox.failure');
    },
  };
}

function toFailure(row: FailureRow): ScriptedFailure {
  return {
    id: row.failure_id,
    on: row.kind,
    failure: row.failure,
    times: row.times_left,
    subjectId: row.subject_id ?? undefined,
    createdAtMs: row.created_at.getTime(),
  };
}
