import { dayMs, hourMs } from '@tollgate/kernel/durations';
import { periodBounds, periodOf } from '@tollgate/kernel/period';
import type { PriceVersion, UsedTool } from './sql-read-used-tools.ts';
import type { Granularity } from './usage-row.ts';

/** Hours of a tool in one month and of one price version. */
export interface ToolSpan {
  readonly toolId: string;
  /** Undefined: the tool has no price. */
  readonly priceId: string | undefined;
  readonly period: string;
  readonly fromMs: number;
  readonly toMs: number;
  /** The start of all usage of the span. Undefined: each hour or day has its own. */
  readonly startMs: number | undefined;
  /** Spans of one tool, month and price version have the same number. They follow each other. */
  readonly line: number;
}

export interface Cut {
  /** Hours before it are one span of each line, which starts at -Infinity. */
  readonly fromMs: number;
  readonly granularity: Granularity;
}

/** Cuts the hours of used tools at each month, at each price version, and at `fromMs`. */
export function cutIntoSpans(tools: readonly UsedTool[], { fromMs, granularity }: Cut): ToolSpan[] {
  const lines = tools.flatMap((tool) => cutIntoLines(tool));
  return lines.flatMap((whole, line) => {
    const { fromMs: startsMs, toMs: endsMs, ...of } = { ...whole, line };
    const startMs = granularity === 'month' ? periodBounds(of.period).start : undefined;
    const before = { ...of, fromMs: startsMs, toMs: Math.min(endsMs, fromMs), startMs: -Infinity };
    const asked = { ...of, fromMs: Math.max(startsMs, fromMs), toMs: endsMs, startMs };
    return [before, asked].filter((span) => span.fromMs < span.toMs);
  });
}

function cutIntoLines({ toolId, firstMs, lastMs, versions }: UsedTool): Omit<ToolSpan, 'line' | 'startMs'>[] {
  const lines = [];
  let next = 0; // the first version that is not in force yet
  for (let atMs = firstMs; atMs <= lastMs;) {
    while (startOf(versions[next]) <= atMs) next += 1;
    const period = periodOf(atMs);
    const endMs = Math.min(periodBounds(period).end, startOf(versions[next]), lastMs + hourMs);
    lines.push({ toolId, priceId: versions[next - 1]?.priceId, period, fromMs: atMs, toMs: endMs });
    atMs = endMs;
  }
  return lines;
}

/** The first full hour of a version: the hour in which it begins belongs to the one before. Infinity without a version. */
function startOf(version: PriceVersion | undefined): number {
  return version === undefined ? Infinity : Math.ceil(version.startMs / hourMs) * hourMs;
}

/** Collects spans, so that a part has some 2,000 starts, and whole lines. */
export function collectSpans(spans: readonly ToolSpan[], granularity: Granularity): ToolSpan[][] {
  const parts: ToolSpan[][] = [];
  let starts = Infinity;
  for (const span of spans) {
    const part = parts.at(-1);
    if (part !== undefined && (starts < startsOfPart || part.at(-1)?.line === span.line)) part.push(span);
    else {
      starts = 0;
      parts.push([span]);
    }
    starts += span.startMs === undefined ? (span.toMs - span.fromMs) / (granularity === 'day' ? dayMs : hourMs) : 1;
  }
  return parts;
}

const startsOfPart = 2_000;
