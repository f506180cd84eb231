import type { FactText, InvoiceTexts } from './invoice-texts.ts';
import { type Block, type Mark, colors, contentWidth, leadingOf, page, ruleAt, styles, tones } from './page-design.ts';
import type { PartyText, StatusText } from './status-text.ts';
import type { Typesetter } from './typesetter.ts';

const columnGap = 18;
const factColumns = columnsOf(4);
const partyColumns = columnsOf(2);

function columnsOf(count: number) {
  const width = (contentWidth - (count - 1) * columnGap) / count;
  return Array.from({ length: count }, (_, index) => ({ x: page.left + index * (width + columnGap), width }));
}

/** Lays out the head of the first page: title, consumer, dates and status. */
export function layoutHead(texts: InvoiceTexts, typesetter: Typesetter): Block {
  const title = typesetter.set(texts.title, { style: styles.title, x: page.right, y: page.top + 17, align: 'right' });
  const brand = typesetter.set('Tollgate', { style: styles.brand, x: page.left + 27, y: page.top + 14 });
  const parties = layoutParties(texts.parties, { top: page.top + 64, typesetter });
  const facts = layoutFacts(texts.facts, { top: parties.bottom + 12, typesetter });
  const status = layoutStatus(texts.status, { top: facts.bottom + 12, typesetter });
  const marks = [
    ...layoutGate(),
    ...brand.marks,
    ...title.marks,
    ruleAt(page.top + 40),
    ...parties.marks,
    ...facts.marks,
  ];
  return { marks: [...marks, ...status.marks], bottom: status.bottom + 16 };
}

/** Lays out the head of each later page. */
export function layoutContinuationHead({ title, period }: InvoiceTexts, { set }: Typesetter): Block {
  const y = page.top + 10;
  const left = set('Tollgate', { style: styles.strong, x: page.left, y });
  const right = set(`${title}, ${period}, continued`, { style: styles.dim, x: page.right, y, align: 'right' });
  return { marks: [...left.marks, ...right.marks], bottom: y + 8 };
}

interface At {
  readonly top: number;
  readonly typesetter: Typesetter;
}

/** Lays out who bills whom, side by side. */
function layoutParties(parties: readonly PartyText[], { top, typesetter }: At): Block {
  const blocks = parties.map(({ label, name, lines }, index) => {
    const place = partyColumns[index] ?? { x: page.left, width: contentWidth };
    const labelled = typesetter.set(label, { ...place, style: styles.label, y: top });
    const named = typesetter.set(name, { ...place, style: styles.fact, y: labelled.bottom + 4 });
    const marks = [...labelled.marks, ...named.marks];
    let bottom = named.bottom;
    for (const line of lines) {
      const block = typesetter.set(line, { ...place, style: styles.detail, y: bottom });
      marks.push(...block.marks);
      bottom = block.bottom;
    }
    return { marks, bottom };
  });
  return { marks: blocks.flatMap(({ marks }) => marks), bottom: Math.max(...blocks.map(({ bottom }) => bottom)) };
}

function layoutFacts(facts: readonly FactText[], { top, typesetter }: At): Block {
  const blocks = facts.map(({ label, text, detail }, index) => {
    const place = factColumns[index] ?? { x: page.left, width: contentWidth };
    const labelled = typesetter.set(label, { ...place, style: styles.label, y: top });
    const fact = typesetter.set(text, { ...place, style: styles.fact, y: labelled.bottom + 4 });
    const detailed = typesetter.set(detail, { ...place, style: styles.detail, y: fact.bottom });
    return { marks: [labelled, fact, detailed].flatMap(({ marks }) => marks), bottom: detailed.bottom };
  });
  return { marks: blocks.flatMap(({ marks }) => marks), bottom: Math.max(...blocks.map(({ bottom }) => bottom)) };
}

const statusHeight = 66;

function layoutStatus(status: StatusText, { top, typesetter }: At): Block {
  const { set, setAmount } = typesetter;
  const ground: Mark = {
    kind: 'box',
    x: page.left,
    y: top,
    width: contentWidth,
    height: statusHeight,
    radius: 8,
    color: colors.ground,
  };
  const label = set(status.label, { style: styles.label, x: page.left + 18, y: top + 22 });
  const note = set(status.note, { style: styles.text, x: page.right - 18, y: top + 48, align: 'right' });
  const amountWidth = contentWidth - 2 * 18 - 12 - typesetter.widthOf(status.note, styles.text);
  const amount = setAmount(status.amount, {
    style: styles.amountDue,
    x: page.left + 18,
    y: top + 48,
    width: amountWidth,
  });
  const badge = layoutBadge(status, { top: top + 13, typesetter });
  const marks = [ground, ...label.marks, ...amount.marks, ...badge, ...note.marks];
  return { marks, bottom: top + statusHeight };
}

function layoutBadge({ badge, tone }: StatusText, { top, typesetter }: At): Mark[] {
  const { ink, ground } = tones[tone];
  const style = { ...styles.label, weight: 'semibold', color: ink } as const;
  const height = leadingOf(style) + 5;
  const width = typesetter.widthOf(badge, style) + 16;
  const x = page.right - 18 - width;
  const pill: Mark = { kind: 'box', x, y: top, width, height, radius: height / 2, color: ground };
  return [pill, ...typesetter.set(badge, { style, x: x + 8, y: top + height - 5 }).marks];
}

/** The logo: a half-open gate. */
function layoutGate(): Mark[] {
  const bar = { kind: 'box', width: 2.4, radius: 1.2, color: colors.paper } as const;
  const x = page.left;
  const y = page.top;
  return [
    { kind: 'box', x, y, width: 19, height: 19, radius: 5, color: colors.brand },
    { ...bar, x: x + 4.6, y: y + 4.5, height: 10 },
    { ...bar, x: x + 8.3, y: y + 7, height: 7.5 },
    { ...bar, x: x + 12, y: y + 4.5, height: 10 },
  ];
}
