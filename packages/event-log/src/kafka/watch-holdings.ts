import { setTimeout as wait } from 'node:timers/promises';
import { isHeld, noteFailure } from './group-member.ts';
import type { GroupMember, Holding } from './holding.ts';
import type { LogEnds } from './log-ends.ts';

const lookEveryMs = 1_000;
const hintEveryLooks = 4;

/** Until stopped, looks at the log's ends, reports partitions that are caught up, and detects deleted records. */
export async function watchHoldings(member: GroupMember): Promise<void> {
  const { stopped, ends, holdings } = member;
  for (let looks = 0; !stopped.aborted; looks += 1) {
    try {
      const found = await ends.look();
      for (const holding of holdings.values()) await tellIfCaughtUp(member, holding, found);
      if (looks % hintEveryLooks === 0) hintOffsets(member);
    } catch (error) {
      noteFailure(member, error, {});
    }
    await wait(lookEveryMs, undefined, { signal: stopped }).catch(() => undefined);
  }
}

async function tellIfCaughtUp(member: GroupMember, holding: Holding, { partitions, asOf }: LogEnds): Promise<void> {
  const { ends, refuseGap, onCaughtUp } = member;
  const { partition, cursor } = holding;
  if (cursor === undefined || !isAtRest(member, holding)) return;
  const { low = 0n, high = -1n } = partitions.get(partition) ?? {};
  if (cursor === high) await onCaughtUp(partition, cursor, asOf);
  // The cursor may have moved since the look; a newer look shows it.
  else if (high < cursor || low > cursor) refuseGap({ partition, cursor }, await ends.look());
}

function isAtRest(member: GroupMember, holding: Holding): boolean {
  return holding.isProven && !holding.isHandling && isHeld(member, holding);
}

/** Commits the offsets to Kafka for tools that measure lag there. Nothing here reads them. */
function hintOffsets({ consumer, topic, holdings }: GroupMember): void {
  const positions = [...holdings.values()].flatMap(({ partition, cursor }) =>
    cursor === undefined ? [] : [{ topic, partition, offset: String(cursor) }],
  );
  if (positions.length > 0) consumer.commitOffsets(positions).catch(() => undefined); // the next commit replaces it
}
