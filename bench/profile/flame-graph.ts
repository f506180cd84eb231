import type { CpuProfile, ProfileNode } from './cpu-profiler.ts';
import { selfTimes } from './layers.ts';

interface Frame {
  readonly name: string;
  readonly place: string;
  micros: number;
  readonly callees: Map<string, Frame>;
}

const width = 1_600;
const lineHeight = 17;
/** Narrower than this nothing can be seen. */
const leastWidth = 0.4;
const letterWidth = 6.4;
const hues = { node: 200, library: 45, engine: 0, own: 130 };

/** A picture of a CPU profile in one file: each box is a function, as wide as the time in it and below it. */
export function renderFlameGraph(profile: CpuProfile, title: string): string {
  const root = foldProfile(profile);
  const boxes: string[] = [];
  let depthMax = 0;

  function draw(frame: Frame, left: number, depth: number): void {
    const boxWidth = (frame.micros / root.micros) * width;
    if (boxWidth < leastWidth) return;
    depthMax = Math.max(depthMax, depth);
    boxes.push(drawBox(frame, { left, depth, boxWidth, share: frame.micros / root.micros }));
    let at = left;
    for (const callee of [...frame.callees.values()].toSorted((a, b) => b.micros - a.micros)) {
      draw(callee, at, depth + 1);
      at += (callee.micros / root.micros) * width;
    }
  }

  draw(root, 0, 0);
  const height = (depthMax + 3) * lineHeight;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="monospace" font-size="11">
<text x="4" y="13">${escape(`${title}: ${(root.micros / 1e6).toFixed(2)} s of work; hover over a box for its name, place and share`)}</text>
${boxes.join('\n')}
</svg>
`;
}

/** Calls of one function from one place are one box. Waiting is left out. */
function foldProfile(profile: CpuProfile): Frame {
  const byId = new Map(profile.nodes.map((node) => [node.id, node]));
  const self = selfTimes(profile);
  const root = newFrame('all', '');
  const [first] = profile.nodes;
  if (first) for (const id of first.children ?? []) fold(byId.get(id), root);
  return root;

  function fold(node: ProfileNode | undefined, caller: Frame): number {
    if (node === undefined || node.callFrame.functionName === '(idle)') return 0;
    const { functionName, url, lineNumber } = node.callFrame;
    const place = url === '' ? '' : `${shorten(url)}:${lineNumber + 1}`;
    const key = `${functionName} ${place}`;
    const frame = caller.callees.get(key) ?? newFrame(functionName || '(anonymous)', place);
    caller.callees.set(key, frame);
    let micros = self.get(node) ?? 0;
    for (const id of node.children ?? []) micros += fold(byId.get(id), frame);
    frame.micros += micros;
    if (caller === root) root.micros += micros;
    return micros;
  }
}

function newFrame(name: string, place: string): Frame {
  return { name, place, micros: 0, callees: new Map() };
}

interface Box {
  readonly left: number;
  readonly depth: number;
  readonly boxWidth: number;
  readonly share: number;
}

function drawBox({ name, place }: Frame, { left, depth, boxWidth, share }: Box): string {
  const y = (depth + 1) * lineHeight + 2;
  const room = Math.floor(boxWidth / letterWidth) - 1;
  const label =
    room < 3 ? '' : `<text x="${(left + 3).toFixed(1)}" y="${y + 12}">${escape(name.slice(0, room))}</text>`;
  const colour = `hsl(${hues[kindOf(place)]} 65% ${68 + (depth % 3) * 5}%)`;
  const rect = `<rect x="${left.toFixed(1)}" y="${y}" width="${Math.max(0.3, boxWidth - 0.5).toFixed(1)}" height="${lineHeight - 1}" fill="${colour}"/>`;
  return `<g><title>${escape(`${name} ${place}\n${(share * 100).toFixed(2)} %`)}</title>${rect}${label}</g>`;
}

function kindOf(place: string): keyof typeof hues {
  if (place === '') return 'engine';
  if (place.startsWith('node:')) return 'node';
  return /^(packages|services|bench)\//.test(place) ? 'own' : 'library';
}

function shorten(url: string): string {
  return url
    .replace(/^file:\/\/.*\/node_modules\/(?!@tollgate)/, '')
    .replace(/^file:\/\/.*?\/(?=(packages|services|bench)\/)/, '');
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
