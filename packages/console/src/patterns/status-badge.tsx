import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';

/** Good, waiting, wrong, or none of these. The word says it; the colour repeats it. */
type Mood = 'good' | 'waiting' | 'wrong' | 'plain';

const colors: Readonly<Record<Mood, string>> = { good: 'green', waiting: 'orange', wrong: 'red', plain: 'gray' };

/** The moods of the words that the API uses for states. */
const moods: Readonly<Record<string, Mood>> = {
  active: 'good',
  succeeded: 'good',
  paid: 'good',
  enabled: 'good',
  done: 'good',
  'in force': 'good',
  delivered: 'good',
  equal: 'good',
  closed: 'good',
  paused: 'waiting',
  open: 'waiting',
  waiting: 'waiting',
  pending: 'waiting',
  scheduled: 'waiting',
  unknown: 'waiting',
  'to come': 'waiting',
  'goes on by itself': 'waiting',
  closing: 'waiting',
  draft: 'plain',
  failed: 'wrong',
  reversed: 'wrong',
  expired: 'wrong',
  disabled: 'wrong',
  past_due: 'wrong',
  uncollectible: 'wrong',
  suspended: 'wrong',
  differs: 'wrong',
  'look at it': 'wrong',
};

export function StatusBadge({ status }: { readonly status: string }): ReactNode {
  return (
    <Badge miw="max-content" variant="light" color={colors[moods[status] ?? 'plain']} tt="none" radius="sm">
      {status.replaceAll('_', ' ')}
    </Badge>
  );
}
