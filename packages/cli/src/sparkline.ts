const bars = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;

/** One bar per number, the greatest as high as a line is. Nothing is a space, so that a single call can be seen. */
export function toSparkline(numbers: readonly number[]): string {
  const most = Math.max(...numbers, 0);
  const barOf = (value: number): string => bars[Math.ceil((value / most) * bars.length) - 1] ?? ' ';
  return numbers.map((value) => (value > 0 ? barOf(value) : ' ')).join('');
}
