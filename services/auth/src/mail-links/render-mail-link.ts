import { escapeHtml, renderPage } from '@tollgate/runtime/pages/render-page';

/** Stands on pages that ask for the password. Empty where there is no mail. */
export function renderForgotten(resetUrl: string | undefined): string {
  return resetUrl === undefined ? '' : `<p><a href="${escapeHtml(resetUrl)}">Forgotten the password?</a></p>`;
}

export function renderAskForReset(problem?: string): string {
  return page(
    'New password',
    `${problemText(problem)}
      <p>Type the e-mail address of your account. If there is one, a link for a new password comes by mail.</p>
      <form method="post">
        <label class="field"><span>E-mail</span><input type="email" name="email" required maxlength="254" autocomplete="username" autofocus></label>
        <button class="primary" name="answer" value="ask">Mail me a link</button>
      </form>`,
  );
}

/** The same for addresses with and without an account. */
export function renderAsked(): string {
  return page(
    'Look into your mail',
    '<p>If there is an account with this address, a link is on its way. It works once, for an hour.</p>',
  );
}

interface ResetView {
  readonly token: string;
  readonly email: string;
  readonly hasSecondFactor: boolean;
  readonly problem?: string | undefined;
}

const codeField =
  '<label class="field"><span>Code of your app, or a recovery code</span><input name="code" required maxlength="64" autocomplete="one-time-code"></label>';

export function renderReset({ token, email, hasSecondFactor, problem }: ResetView): string {
  return page(
    'New password',
    `${problemText(problem)}
      <p>For the account ${escapeHtml(email)}. All of its sessions end.</p>
      <form method="post">
        <input type="hidden" name="token" value="${escapeHtml(token)}">
        <input type="hidden" name="email" autocomplete="username" value="${escapeHtml(email)}">
        <label class="field"><span>New password</span><input type="password" name="password" required maxlength="128" autocomplete="new-password" autofocus></label>
        ${hasSecondFactor ? codeField : ''}
        <button class="primary" name="answer" value="set">Set the password</button>
      </form>`,
  );
}

export function renderResetDone(): string {
  return page('The password is set', '<p>All sessions have ended. Sign in with the new password.</p>');
}

export function renderConfirm(token: string): string {
  return page(
    'Confirm the address',
    `<p>Is the address to which this link came yours?</p>
      <form method="post">
        <input type="hidden" name="token" value="${escapeHtml(token)}">
        <button class="primary">Confirm the address</button>
      </form>`,
  );
}

export function renderConfirmed(): string {
  return page('The address is confirmed', '<p>You can close this page.</p>');
}

export function renderNoMail(): string {
  return page('New password', '<p>This Tollgate sends no mail. Its operator can set a new password for you.</p>');
}

/** The same for links that are unknown, used or expired. */
export function renderLinkGone(): string {
  return page(
    'This link does not work',
    '<p>It was used already, has expired, or is not whole. Ask for a new one.</p>',
  );
}

function problemText(problem: string | undefined): string {
  return problem === undefined ? '' : `<p class="problem" role="alert">${escapeHtml(problem)}</p>`;
}

function page(title: string, content: string): string {
  const whole = `<h1>${title}</h1>\n      ${content}`;
  return renderPage({ title: `${title} · Tollgate`, header: '<span>Tollgate</span>', content: whole });
}
