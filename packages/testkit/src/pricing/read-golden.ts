import { readFileSync } from 'node:fs';

export type GoldenRow = ReadonlyMap<string, string>;

/** A `##` section of a golden file: its tables by their first column's name, and its code blocks under the line before. */
export interface GoldenSection {
  readonly title: string;
  readonly text: string;
  readonly blocks: readonly { readonly heading: string; readonly code: string }[];
  readonly tables: ReadonlyMap<string, readonly GoldenRow[]>;
}

export function readGolden(file: URL): GoldenSection[] {
  return readFileSync(file, 'utf8').split(/^## /m).slice(1).map(toSection);
}

function toSection(text: string): GoldenSection {
  const blocks = [...text.matchAll(/^([^\n]+):\n\n```json\n(.*?)^```$/gms)].map(([, heading = '', code = '']) => ({
    heading,
    code,
  }));
  const tables = [...text.matchAll(/(?:^\|.*\n?)+/gm)].map(([table]) => toRows(table));
  return {
    title: text.slice(0, text.indexOf('\n')),
    text,
    blocks,
    tables: new Map(tables.map((rows) => [[...(rows[0]?.keys() ?? [])][0] ?? '', rows])),
  };
}

function toRows(table: string): GoldenRow[] {
  const [names = [], , ...rows] = table.trim().split('\n').map(toCells);
  return rows.map((cells) => new Map(names.map((name, column) => [name, cells[column] ?? ''])));
}

function toCells(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}
