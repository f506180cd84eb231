/** One line of the plot: its ratio at each factor of growth, in the order of `factors`. It may end before the last. */
export interface Curve {
  readonly name: string;
  readonly ratios: readonly number[];
}

const width = 640;
const height = 320;
const lineHeight = 15;
const margin = { left: 48, right: 120, top: 24, bottom: 48 };
const colours = ['#0b6e99', '#b35c00', '#5b3fa0', '#2d7d46'];

/**
 * A plot of cost against growth, as SVG text: the factor of growth on a logarithmic axis, 1 first, and the cost of an event
 * as a multiple of its cost at 1.
 */
export function plotGrowth(factors: readonly number[], curves: readonly Curve[]): string {
  const top = Math.max(1.25, ...curves.flatMap(({ ratios }) => ratios)) * 1.08;
  const x = (factor: number): number =>
    scale(Math.log10(factor) / Math.log10(Math.max(...factors)), [margin.left, width - margin.right]);
  const y = (ratio: number): number => scale(ratio / top, [height - margin.bottom, margin.top]);
  const grid = gridOf(top).map(
    (ratio) =>
      line([margin.left, y(ratio)], [width - margin.right, y(ratio)]) +
      text(margin.left - 8, y(ratio) + 4, `${ratio} ×`, 'end'),
  );
  const ticks = [1, ...factors].map((factor) => text(x(factor), height - margin.bottom + 20, `${factor} ×`, 'middle'));
  const labelY = placeLabels(curves.map(({ ratios }) => y(ratios.at(-1) ?? 1)));
  const drawn = curves.map(({ name, ratios }, at) => {
    const points = [1, ...ratios].map((ratio, place) => [x([1, ...factors][place] ?? 1), y(ratio)]);
    const colour = colours[at % colours.length] ?? '';
    return `<polyline fill="none" stroke="${colour}" stroke-width="2" points="${points.map((point) => point.map(round).join(',')).join(' ')}"/>
${text(width - margin.right + 8, (labelY[at] ?? 0) + 4, `${name} ${ratios.at(-1)} ×`, 'start', colour)}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">
<title>CPU per counted event against growth</title>
<rect width="${width}" height="${height}" fill="#ffffff"/>
${[...grid, ...ticks, ...drawn].join('\n')}
</svg>
`;
}

/** The heights of the labels, moved down where two would overlap. */
function placeLabels(heights: readonly number[]): number[] {
  const placed = [...heights];
  const fromTop = heights.map((_, at) => at).sort((left, right) => (heights[left] ?? 0) - (heights[right] ?? 0));
  let least = 0;
  for (const at of fromTop) {
    placed[at] = Math.max(heights[at] ?? 0, least);
    least = (placed[at] ?? 0) + lineHeight;
  }
  return placed;
}

function gridOf(top: number): number[] {
  const step = top > 3 ? 1 : 0.25;
  return Array.from({ length: Math.floor(top / step) + 1 }, (_, at) => at * step);
}

function scale(share: number, [from, to]: readonly [number, number]): number {
  return from + share * (to - from);
}

function line(from: readonly [number, number], to: readonly [number, number]): string {
  return `<line x1="${round(from[0])}" y1="${round(from[1])}" x2="${round(to[0])}" y2="${round(to[1])}" stroke="#dddddd"/>`;
}

function text(x: number, y: number, content: string, anchor: string, colour = '#333333'): string {
  return `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}" fill="${colour}">${content}</text>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
