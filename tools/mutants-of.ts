import { parseSync } from '@swc/core';

/** A change of a source text that takes a rule out of it or turns it around. */
export interface Mutant {
  readonly line: number;
  readonly was: string;
  readonly becomes: string;
  /** The whole text with the change. */
  readonly text: string;
}

interface Node {
  readonly type: string;
  readonly span: { readonly start: number; readonly end: number };
  readonly [name: string]: unknown;
}

interface Change {
  readonly node: Node;
  readonly becomes: string;
}

const turned: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
};
/** Types are erased, so a change in them is none. */
const erased = /^Ts(?!AsExpression|NonNull|Satisfies)/;

/** Every mutant of a TypeScript file: conditions, operators, numbers, booleans, statements that only call or throw, filters. */
export function mutantsOf(source: string): Mutant[] {
  const mark = '0;'; // its place tells where the parser began to count
  const bytes = Buffer.from(mark + source);
  const module = parseSync(bytes.toString(), { syntax: 'typescript', decorators: true, target: 'es2024' });
  const first = module.body[0] as unknown as Node;
  const textOf = ({ span }: Node) =>
    bytes.subarray(span.start - first.span.start, span.end - first.span.start).toString();
  const found: Change[] = [];
  walk(module.body as unknown as Node[], (node) => found.push(...(changes[node.type]?.(node, textOf) ?? [])));
  return found.slice(1).map(({ node, becomes }) => {
    const [start, end] = [node.span.start - first.span.start, node.span.end - first.span.start];
    const before = bytes.subarray(0, start).toString();
    const text = `${before}${becomes}${bytes.subarray(end).toString()}`.slice(mark.length);
    return { line: before.split('\n').length, was: textOf(node), becomes, text };
  });
}

function walk(value: unknown, visit: (node: Node) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if (isNode(value)) {
    if (erased.test(value.type)) return;
    visit(value);
  }
  for (const each of Object.values(value)) walk(each, visit);
}

function isNode(value: object): value is Node {
  return 'type' in value && typeof value.type === 'string' && 'span' in value;
}

type TextOf = (node: Node) => string;

/** The changes of each kind of node. */
const changes: Readonly<Record<string, (node: Node, textOf: TextOf) => Change[]>> = {
  IfStatement: conditionChanges,
  ConditionalExpression: conditionChanges,
  BinaryExpression: binaryChanges,
  UnaryExpression: (node, textOf) =>
    node['operator'] === '!' ? [{ node, becomes: textOf(node['argument'] as Node) }] : [],
  NumericLiteral: (node) => [{ node, becomes: String(Number(node['value']) + 1) }],
  BigIntLiteral: (node, textOf) => [{ node, becomes: `(${textOf(node)} + 1n)` }],
  BooleanLiteral: (node) => [{ node, becomes: String(node['value'] !== true) }],
  ThrowStatement: (node) => [{ node, becomes: ';' }],
  ExpressionStatement: (node) => (isBareCall(node['expression'] as Node) ? [{ node, becomes: ';' }] : []),
  CallExpression: callChanges,
};

function conditionChanges(node: Node): Change[] {
  return ['true', 'false'].map((becomes) => ({ node: node['test'] as Node, becomes: `(${becomes})` }));
}

function binaryChanges(node: Node, textOf: TextOf): Change[] {
  const operator = String(node['operator']);
  const [left, right] = [textOf(node['left'] as Node), textOf(node['right'] as Node)];
  if (operator === '??') return [{ node, becomes: `(${right})` }];
  const becomes = turned[operator];
  return becomes === undefined ? [] : [{ node, becomes: `(${left} ${becomes} ${right})` }];
}

function isBareCall(node: Node): boolean {
  return node.type === 'CallExpression' || (node.type === 'AwaitExpression' && isBareCall(node['argument'] as Node));
}

/** `list.filter(…)` becomes `list`, `Math.min` becomes `Math.max`. */
function callChanges(node: Node, textOf: TextOf): Change[] {
  const callee = node['callee'] as Node;
  if (callee.type !== 'MemberExpression') return [];
  const [object, property] = [callee['object'] as Node, textOf(callee['property'] as Node)];
  if (['filter', 'toSorted', 'trim'].includes(property)) return [{ node, becomes: textOf(object) }];
  const other = { min: 'max', max: 'min', some: 'every', every: 'some' }[property];
  return other === undefined ? [] : [{ node: callee['property'] as Node, becomes: other }];
}
