import { describe, expect, it } from '@jest/globals';
import { createMetrics } from '@tollgate/runtime/metrics/create-metrics';
import { createLogUp } from './log-up.ts';

describe('F274 whether the log takes events', () => {
  function open() {
    const clock = { nowMs: 0, monotonicMs: () => clock.nowMs };
    const logUp = createLogUp(createMetrics({ service: 'ingest-gateway' }), clock);
    return { clock, ...logUp, isUp: () => logUp.readiness()['log'] === 'ok' };
  }

  it('follows looks where nothing is appended', () => {
    const { isUp, noteLook } = open();
    expect(isUp()).toBe(true);
    noteLook(false);
    expect(isUp()).toBe(false);
    noteLook(true);
    expect(isUp()).toBe(true);
  });

  it('follows appends for two minutes: a log that answers may take nothing', () => {
    const { clock, isUp, noteAppend, noteLook } = open();
    noteAppend(false);
    clock.nowMs = 119_999;
    noteLook(true);
    expect(isUp()).toBe(false);
    clock.nowMs = 120_000;
    noteLook(true);
    expect(isUp()).toBe(true);
  });

  it('follows a durable append at once', () => {
    const { isUp, noteAppend, noteLook } = open();
    noteAppend(false);
    noteLook(false);
    noteAppend(true);
    expect(isUp()).toBe(true);
    noteLook(true);
    expect(isUp()).toBe(true);
  });
});
