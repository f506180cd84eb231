import { toIso } from '@tollgate/kernel/clock';
import { renderForgotten } from '../mail-links/render-mail-link.ts';
import { escapeHtml, renderPage } from '@tollgate/runtime/pages/render-page';
import type { WaitingLogin } from './sql-device-login.ts';

const codeField =
  '<label class="field"><span>Code</span><input name="user_code" required maxlength="20" autocomplete="off" autocapitalize="characters" spellcheck="false" autofocus></label>';

export function renderAskForCode(): string {
  return page(
    'Sign in a program',
    `<h1>Sign in a program</h1>
      <p>Type the code that the program shows, such as WDJB-MJHT. Go on only if you started that program yourself.</p>
      <form method="post">
        ${codeField}
        <button class="primary" name="answer" value="look">Continue</button>
      </form>`,
  );
}

/** The same for unknown, used and expired codes. */
export function renderCodeGone(): string {
  return page(
    'This code does not work',
    `<h1>This code does not work</h1>
      <p>It is mistyped, used already, or expired. Type it again, or let the program ask for a new one.</p>
      <form method="post">
        ${codeField}
        <button class="primary" name="answer" value="look">Continue</button>
      </form>`,
  );
}

interface SignInView {
  readonly login: WaitingLogin;
  readonly userCode: string;
  readonly email: string;
  readonly problem: string | undefined;
  /** Where a forgotten password is replaced; undefined without mail. */
  readonly resetUrl: string | undefined;
}

/** Shows what asks and from where, before a password is typed: a code that came by mail belongs to somebody else. */
export function renderSignIn({ login, userCode, email, problem, resetUrl }: SignInView): string {
  const { client, address, askedAt } = login;
  return page(
    'Approve a sign-in',
    `<h1>Approve a sign-in</h1>
      ${problem === undefined ? '' : `<p class="problem" role="alert">${escapeHtml(problem)}</p>`}
      <p>This program will act for your account until you end its session. Refuse it if you did not start it yourself, even if somebody asked you to approve it.</p>
      <dl>
        <dt>Program</dt><dd>${escapeHtml(client)}</dd>
        <dt>Address</dt><dd>${escapeHtml(address)}</dd>
        <dt>Requested at</dt><dd>${toIso(askedAt).slice(0, 16).replace('T', ' ')} UTC</dd>
      </dl>
      <form method="post">
        <input type="hidden" name="user_code" value="${escapeHtml(userCode)}">
        <label class="field"><span>E-mail</span><input type="email" name="email" maxlength="254" autocomplete="username" value="${escapeHtml(email)}"></label>
        <label class="field"><span>Password</span><input type="password" name="password" maxlength="256" autocomplete="current-password"></label>
        <label class="field"><span>Code of your app, if you have one</span><input name="code" maxlength="64" autocomplete="one-time-code"></label>
        <button class="primary" name="answer" value="approve">Sign in and approve</button>
        <button class="warn" name="answer" value="refuse">Refuse</button>
      </form>
      ${renderForgotten(resetUrl)}`,
  );
}

export function renderDone(answer: 'approved' | 'refused'): string {
  const text =
    answer === 'approved'
      ? 'The program is signed in. You can close this page. Your live sessions are at <code>/v1/auth/sessions</code>, where you can end this one.'
      : 'Access denied. The program has been notified. You can close this page.';
  const title = answer === 'approved' ? 'Approved' : 'Refused';
  return page(title, `<h1>${title}</h1>\n      <p>${text}</p>`);
}

function page(title: string, content: string): string {
  return renderPage({ title: `${title} · Tollgate`, header: '<span>Tollgate</span>', content });
}
