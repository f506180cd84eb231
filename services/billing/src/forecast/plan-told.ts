import { dayMs } from '@tollgate/kernel/durations';
import type { Anomaly } from './plan-anomalies.ts';

/** Something that spends more than usual, until it has not for a week. */
export interface Episode {
  readonly scope: Anomaly['scope'];
  readonly scopeId: string;
  /** The end of the last window in which it did. */
  readonly lastMs: number;
}

const quietMs = 7 * dayMs;

/**
 * Tells the first of what was found that does not go on since it was found before. A pass that loops makes its tool and its
 * account spend more, too: while one scope is in an episode, the wider and the narrower ones are not told.
 */
export function chooseTold(found: readonly Anomaly[], episodes: readonly Episode[]): Anomaly | undefined {
  return found.find((anomaly) => !episodes.some((episode) => isOfOne(anomaly, episode)));
}

function isOfOne({ scope, scopeId, toMs }: Anomaly, episode: Episode): boolean {
  return toMs - episode.lastMs < quietMs && (scope !== episode.scope || scopeId === episode.scopeId);
}
