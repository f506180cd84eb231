import { toIso } from '@tollgate/kernel/clock';
import { formatUsd, type Micros } from '@tollgate/kernel/money';
import { escapeHtml, renderPage } from '@tollgate/runtime/pages/render-page';
import type { Approval, ApprovalCap } from './sql-approval.ts';
import { leftOf } from './to-api-approval.ts';

export interface ApprovalView {
  readonly approval: Approval;
  readonly email: string;
  readonly formToken: string;
}

const windowNames: Readonly<Record<ApprovalCap['window'], string>> = {
  day: 'per day',
  month: 'per month',
  total: 'in all',
};

/** It says who asks for what, and what it may cost. All of it is ours, but for the name that the account gave its pass. */
export function renderApproval({ approval, email, formToken }: ApprovalView): string {
  const { passName, toolId, callMicros, beyondMicros, expiresAt } = approval;
  return page(
    'Approve a call',
    `<h1>Pay up to ${usd(callMicros)} for ${calls(approval)} of ${escapeHtml(toolId)}?</h1>
      <p>${reasonOf(approval)} Go on only if you know what the holder of the pass is doing.</p>
      <dl>
        <dt>Pass</dt><dd>${escapeHtml(passName)}</dd>
        <dt>Tool</dt><dd>${escapeHtml(toolId)}</dd>
        <dt>At most</dt><dd>${usd(callMicros)}</dd>
        ${capInWords(approval)}${beyondMicros > 0n ? `<dt>Beyond the cap</dt><dd>${usd(beyondMicros)}</dd>` : ''}
        <dt>Signed in as</dt><dd>${escapeHtml(email)}</dd>
        <dt>Answer before</dt><dd>${clockTime(expiresAt)}</dd>
      </dl>
      <form method="post">
        <input type="hidden" name="form" value="${formToken}">
        <button class="primary" name="answer" value="approve">Approve</button>
        <button class="warn" name="answer" value="refuse">Refuse</button>
        <button class="quiet" name="answer" value="sign_out">Use another account</button>
      </form>`,
  );
}

export function renderAnswered({ state, toolId, passName, expiresAt }: Approval, nowMs: number): string {
  switch (state === 'approved' && nowMs >= expiresAt ? 'open' : state) {
    case 'approved':
      return told(
        'Approved',
        `The next call of <strong>${escapeHtml(toolId)}</strong> with the pass “${escapeHtml(passName)}” goes through, once, until ${clockTime(expiresAt)}. Go back to your program, and let it try again.`,
      );
    case 'refused':
      return told(
        'Refused',
        'The call is not paid for. You are not asked again for this pass and tool in the next minutes. You can close this page.',
      );
    case 'used':
      return told('Approved and used', 'The call has gone through. An approval counts once.');
    case 'open':
      return told(
        'This request has expired',
        'It was not answered, or not used, in time. Let your program call again: that asks anew.',
      );
  }
}

/** The same for ids that are unknown, and for those of other accounts. */
export function renderNoApproval(formToken: string): string {
  return page(
    'Nothing to approve',
    `<h1>Nothing to approve</h1>
      <p>This account has no such request. Its pass may have ended, or it belongs to another account.</p>
      <form method="post">
        <input type="hidden" name="form" value="${formToken}">
        <button class="quiet" name="answer" value="sign_out">Use another account</button>
      </form>`,
  );
}

export function renderNoPage(): string {
  return told('There is no such page', 'The address is not whole. Open the link as your program shows it.');
}

function reasonOf({ beyondMicros, cap }: Approval): string {
  if (beyondMicros === 0n || cap === undefined)
    return 'You are asked because one call may cost more than you allowed this pass to spend without you.';
  return `You are asked because the cap of this pass has too little left. Approving lets this go ${usd(beyondMicros)} beyond the cap, once; the cap itself stays.`;
}

function capInWords({ cap }: Approval): string {
  if (cap === undefined) return '';
  return `<dt>Cap</dt><dd>${usd(cap.amountMicros)} ${windowNames[cap.window]}</dd>
        <dt>Left of it</dt><dd>${usd(leftOf(cap))}</dd>`;
}

function calls({ callCount }: Approval): string {
  return callCount === 1 ? 'one call' : `${callCount} calls`;
}

function usd(amount: Micros): string {
  return `${escapeHtml(formatUsd(amount))} USD`;
}

function clockTime(ms: number): string {
  return `${toIso(ms).slice(11, 16)} UTC`;
}

function told(title: string, text: string): string {
  return page(title, `<h1>${title}</h1>\n      <p>${text}</p>`);
}

function page(title: string, content: string): string {
  return renderPage({ title: `${title} · Tollgate`, header: '<span>Tollgate</span>', content });
}
