import { describe, expect, it } from '@jest/globals';
import { createLogger } from '../../logging/create-logger.ts';
import type { NotedAct } from '../requests/act.ts';
import { logActs } from './log-acts.ts';

const by = { kind: 'session', accountId: 'a', credentialId: 's', address: '::1', requestId: 'r' } as const;
const ended: NotedAct = { by, act: { action: 'session.ended', accountId: 'a', object: { kind: 'session', id: 's' } } };
const refused: NotedAct = { by, act: { action: 'account.signed_in', result: 'refused', object: { kind: 'account' } } };

function linesOf(acts: readonly NotedAct[], status: number): Record<string, unknown>[] {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>);
  logActs(createLogger({ name: 'test', destination: { write } }), acts, status);
  return lines;
}

describe('F142 the log', () => {
  it('has a line per act of an answered request, in the stream `audit`', () => {
    expect(linesOf([ended], 204)).toMatchObject([
      { stream: 'audit', action: 'session.ended', result: 'done', actor: 'session', address: '::1', object_id: 's' },
    ]);
  });

  it('has one line for an act whose transaction ran twice', () => {
    expect(linesOf([ended, { ...ended }], 204)).toHaveLength(1);
  });

  it('has no line for an act that was rolled back with its request, but one for a refusal', () => {
    expect(linesOf([ended, refused], 500)).toMatchObject([{ action: 'account.signed_in', result: 'refused' }]);
  });
});
