import { formatUsd, micros, type Micros } from '@tollgate/kernel/money';
import { toIso } from '@tollgate/kernel/clock';
import { escapeHtml, renderPage } from '@tollgate/runtime/pages/render-page';
import type { ConsentFacts } from './gather-consent.ts';
import { toolField } from './plan-allowance.ts';
import { priceInWords } from './price-in-words.ts';
import type { RedirectTarget } from './redirect-target.ts';
import type { Allowance, CapWindow } from './allowance.ts';

/** The fields as they stand in the form. */
export interface ConsentFields {
  readonly cap_usd: string;
  readonly window: string;
  readonly per_call_max_usd: string;
  readonly approve_above_usd: string;
  readonly ends_on: string;
  readonly toolIds: readonly string[];
}

export interface ConsentView {
  readonly facts: ConsentFacts;
  readonly fields: ConsentFields;
  readonly email: string;
  readonly formToken: string;
  readonly problem: string | undefined;
  /** The path of this page. */
  readonly path: string;
}

const defaultCap = { amountMicros: micros(5_000_000n), window: 'month' } as const;
const microsPerCent = 10_000n;

/** At first the form has what an earlier consent allows, else what the client asks for, else 5 USD per month. */
export function firstFields(facts: ConsentFacts): ConsentFields {
  const { earlier, tools } = facts;
  const asked = askedOf(facts);
  const ticked = asked.toolIds ?? addedTools(facts);
  const cap = earlier?.cap ?? asked.cap ?? defaultCap;
  return {
    cap_usd: formatUsd(cap.amountMicros),
    window: cap.window,
    per_call_max_usd: orEmpty(earlier ? earlier.perCallMaxMicros : asked.perCallMaxMicros, formatUsd),
    approve_above_usd: orEmpty(earlier ? earlier.approveAboveMicros : asked.approveAboveMicros, formatUsd),
    ends_on: orEmpty(earlier?.expiresAt, (endMs) => toIso(endMs - 1).slice(0, 10)),
    toolIds: tools.map(({ toolId }) => toolId).filter((toolId) => ticked?.includes(toolId) ?? true),
  };
}

/** A challenge adds tools to those that an earlier consent allows. Undefined: nothing says which tools. */
function addedTools({ earlier, named }: ConsentFacts): readonly string[] | undefined {
  return earlier === undefined || named.length === 0 ? undefined : [...earlier.toolIds, ...named];
}

function askedOf({ asked }: ConsentFacts): Partial<Omit<Allowance, 'expiresAt'>> {
  if (asked === undefined) return {};
  const { tools, cap, per_call_max_usd: perCallMax, approve_above_usd: approveAbove } = asked;
  return {
    ...(tools && { toolIds: tools }),
    ...(cap && { cap: { amountMicros: micros(cap.amount_usd * microsPerCent), window: cap.window } }),
    perCallMaxMicros: perCallMax === undefined ? undefined : micros(perCallMax),
    approveAboveMicros: approveAbove === undefined ? undefined : micros(approveAbove),
  };
}

function orEmpty<T>(value: T | undefined, toText: (value: T) => string): string {
  return value === undefined ? '' : toText(value);
}

const windowNames: Readonly<Record<CapWindow, string>> = { day: 'per day', month: 'per month', total: 'in all' };

/** Always shown. It says who asks, where the browser goes, what costs how much, and what the person allows. */
export function renderConsent({ facts, fields, email, formToken, problem, path }: ConsentView): string {
  const { clientName, clientHost, target, resource, earlier } = facts;
  const name = escapeHtml(clientName);
  const content = `<h1>Let ${name} spend your money?</h1>
      ${problem === undefined ? '' : `<p class="problem" role="alert">${escapeHtml(problem)}</p>`}
      <p>It may call the tools below, and you pay what they cost, up to the limits that you set here. You can end this at any time.</p>
      ${warningOf(target)}${meansOf(facts, path)}
      <dl>
        <dt>Program</dt><dd>${name}</dd>
        <dt>Says it is from</dt><dd>${clientHost === undefined ? 'it does not say' : `${escapeHtml(clientHost)} (not verified)`}</dd>
        <dt>Goes back to</dt><dd>${targetInWords(target)}</dd>
        <dt>Tools of</dt><dd>${escapeHtml(new URL(resource).host)}</dd>${sellerOf(facts)}
        <dt>Signed in as</dt><dd>${escapeHtml(email)}</dd>
      </dl>
      <form method="post">
        <input type="hidden" name="form" value="${formToken}">
        <fieldset><legend>Tools</legend>${facts.tools.map((tool) => toolChoice(tool, fields)).join('')}</fieldset>
        <fieldset><legend>At most</legend>
          <div class="row">
            <label class="field"><span>USD</span><input name="cap_usd" inputmode="decimal" required maxlength="20" value="${escapeHtml(fields.cap_usd)}"></label>
            <label class="field"><span>How often</span><select name="window">${Object.entries(windowNames)
              .map(
                ([value, text]) =>
                  `<option value="${value}"${value === fields.window ? ' selected' : ''}>${text}</option>`,
              )
              .join('')}</select></label>
          </div>
          <div class="row">
            <label class="field"><span>USD per call (optional)</span><input name="per_call_max_usd" inputmode="decimal" maxlength="20" value="${escapeHtml(fields.per_call_max_usd)}"></label>
            <label class="field"><span>Ask me above USD (optional)</span><input name="approve_above_usd" inputmode="decimal" maxlength="20" value="${escapeHtml(fields.approve_above_usd)}"></label>
          </div>
          <div class="row">
            <label class="field"><span>Last day (optional)</span><input type="date" name="ends_on" value="${escapeHtml(fields.ends_on)}"></label>
          </div>
          <p>${budgetInWords(facts)}${earlier === undefined ? '' : ' You allowed this program before: this changes it, and what it has spent stays counted.'}</p>
        </fieldset>
        <button class="primary" name="answer" value="allow">Allow</button>
        <button class="warn" name="answer" value="refuse">Refuse</button>
        <button class="quiet" name="answer" value="sign_out">Use another account</button>
      </form>`;
  return renderPage({ title: `${name} · Tollgate`, header: '<span>Tollgate</span>', content });
}

function toolChoice(tool: ConsentFacts['tools'][number], { toolIds }: ConsentFields): string {
  const checked = toolIds.includes(tool.toolId) ? ' checked' : '';
  return `
          <label><input type="checkbox" name="${escapeHtml(toolField(tool.toolId))}"${checked}><span>${escapeHtml(tool.name)}<br><small>${escapeHtml(priceInWords(tool.price))}</small></span></label>`;
}

function warningOf(target: RedirectTarget): string {
  if (target.kind === 'site') return '';
  return `<p class="note">The program runs on this device. Go on only if you started it yourself just now: any program here could ask in its name.</p>`;
}

/** The console sets a payment method up, and leads back here. */
function meansOf({ hasMeans }: ConsentFacts, path: string): string {
  if (hasMeans) return '';
  return `
      <p class="note">You have no payment method yet. Until you add one, calls that cost money may be refused. <a href="/app/payment?back=${encodeURIComponent(path)}">Add a payment method</a> and come back here.</p>`;
}

function sellerOf({ tools }: ConsentFacts): string {
  const soldBy = tools[0]?.soldBy; // a resource belongs to one builder
  return soldBy === undefined ? '' : `\n        <dt>Sold by</dt><dd>${escapeHtml(soldBy)} (not verified)</dd>`;
}

function targetInWords(target: RedirectTarget): string {
  if (target.kind === 'own_scheme') return `a program on this device (${escapeHtml(target.scheme)})`;
  return target.kind === 'loopback' ? `this device (${escapeHtml(target.host)})` : escapeHtml(target.host);
}

function budgetInWords({ budget }: ConsentFacts): string {
  if (budget === undefined) return 'Your account has no budget: only these limits bound this program.';
  return `Your account’s budget is ${usd(budget.amountMicros)} USD ${windowNames[budget.window]}, for everything together.`;
}

function usd(amount: Micros): string {
  return escapeHtml(formatUsd(amount));
}
