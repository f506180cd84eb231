import type { RedCheck } from './red-check.ts';

/** A check takes about a minute. More than these beyond the share would make a run of CI too long. */
export const touchedMax = 12;

/** Part 2 of 3 is every third check from the third on. */
export interface Share {
  readonly part: number;
  readonly of: number;
}

export interface Choice {
  readonly chosen: readonly RedCheck[];
  /** The patches of touched checks that are one too many. */
  readonly cut: readonly string[];
}

/**
 * The share of the checks, and beyond it those whose patch or test is among the touched paths. Patches come first. Tests of the
 * long lane are left out: they need programs that a landing does not.
 */
export function chooseChecks(all: readonly RedCheck[], share: Share, touched: ReadonlySet<string>): Choice {
  const checks = all.filter(({ test }) => !isOfLongLane(test));
  const shared = checks.filter((_check, index) => index % share.of === share.part);
  const hasPatchTouched = ({ patch }: RedCheck) => touched.has(`faults/patches/${patch}.patch`);
  const others = checks.filter((check) => !shared.includes(check));
  const byPatch = others.filter(hasPatchTouched);
  const byTest = others.filter((check) => !hasPatchTouched(check) && touched.has(check.test));
  const beyond = [...byPatch, ...byTest];
  return {
    chosen: [...shared, ...beyond.slice(0, touchedMax)],
    cut: beyond.slice(touchedMax).map(({ patch }) => patch),
  };
}

function isOfLongLane(test: string): boolean {
  return test.includes('.long.');
}
