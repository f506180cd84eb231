import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { CpuProfile } from './cpu-profiler.ts';

/** A module of a bundle: the line before its first, counted from 0, and its file. */
interface Module {
  readonly line: number;
  readonly file: string;
}

const bundled = /^file:.*\/dist\/bundle\/[^/]+\.js$/;
/** esbuild names each module in a comment before it, by its path in the repository. */
const moduleComment = /^\/\/ ((?:node_modules|packages|services)\/\S+\.[cm]?js)$/;

/** Names the modules of a bundle as the files that they were, so that a profile tells them apart. */
export function unbundle(profile: CpuProfile): CpuProfile {
  const modules = new Map<string, readonly Module[]>();
  const nodes = profile.nodes.map((node) => {
    const { url, lineNumber } = node.callFrame;
    if (!bundled.test(url)) return node;
    const known = modules.get(url) ?? modulesOf(readFileSync(fileURLToPath(url), 'utf8'));
    modules.set(url, known);
    const found = known.findLast(({ line }) => line <= lineNumber);
    if (found === undefined) return node;
    const place = { url: `file:///${found.file}`, lineNumber: lineNumber - found.line - 1 };
    return { ...node, callFrame: { ...node.callFrame, ...place } };
  });
  return { ...profile, nodes };
}

function modulesOf(text: string): Module[] {
  return text.split('\n').flatMap((content, line) => {
    const [, file] = moduleComment.exec(content) ?? [];
    return file === undefined ? [] : [{ line, file }];
  });
}
