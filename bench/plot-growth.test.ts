import { describe, expect, it } from '@jest/globals';
import { plotGrowth } from './plot-growth.ts';

function heightsOf(svg: string): number[][] {
  return [...svg.matchAll(/points="([^"]+)"/g)].map(([, points = '']) =>
    points.split(' ').map((point) => Number(point.split(',')[1])),
  );
}

describe('plotGrowth', () => {
  it('draws a curve per name, level where the cost stays and higher where it grows', () => {
    const svg = plotGrowth(
      [10, 100],
      [
        { name: 'accounts', ratios: [1] }, // it was not measured at 100 times
        { name: 'keys', ratios: [1.5, 4] },
      ],
    );
    const [accounts = [], keys = []] = heightsOf(svg);
    expect(accounts).toHaveLength(2);
    expect(new Set(accounts).size).toBe(1);
    expect(keys[0]).toBe(accounts[0]);
    expect(keys).toEqual([...keys].sort((left, right) => right - left)); // y counts down in SVG
    expect(svg).toContain('>keys 4 ×<');
  });

  it('keeps the names of curves that end together apart', () => {
    const svg = plotGrowth(
      [10],
      [
        { name: 'a', ratios: [1.2] },
        { name: 'b', ratios: [1.21] },
      ],
    );
    const [a = 0, b = 0] = [...svg.matchAll(/y="([\d.]+)" text-anchor="start"/g)].map(([, y]) => Number(y));
    expect(a - b).toBeGreaterThanOrEqual(15);
  });

  it('stays within the picture', () => {
    const svg = plotGrowth([10, 100], [{ name: 'keys', ratios: [1.5, 4] }]);
    expect(
      heightsOf(svg)
        .flat()
        .every((y) => y > 0 && y < 320),
    ).toBe(true);
  });
});
