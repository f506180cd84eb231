import { describe, expect, it } from '@jest/globals';
import { sharedBuffersMb } from './server-settings.ts';

const gibibyte = 2 ** 30;

describe('sharedBuffersMb', () => {
  it.each([
    [0.5, 128],
    [2, 128],
    [8, 512],
    [15.5, 992],
    [16, 1_024],
    [256, 1_024],
  ])('is a sixteenth of %d GiB, within bounds: %i', (memory, megabytes) => {
    expect(sharedBuffersMb(memory * gibibyte)).toBe(megabytes);
  });
});
