/** The style of pages for people. It stands inline, and the pages' policy allows it by its hash. */
export const pageStyle = `
:root { color-scheme: light dark; --ink: #1b2430; --dim: #5d6b7c; --paper: #fff; --ground: #eef1f6; --line: #d9dfe8; --brand: #3d5afe; --warn: #b3261e; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8ecf3; --dim: #9aa7b8; --paper: #1b222d; --ground: #10151d; --line: #313c4b; --brand: #8196ff; --warn: #ff8a80; }
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 24px; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { width: 100%; max-width: 460px; background: var(--paper); border: 1px solid var(--line); border-radius: 16px; overflow: hidden; box-shadow: 0 12px 40px rgb(20 30 60 / .10); }
header { display: flex; align-items: center; justify-content: space-between; padding: 16px 28px; border-bottom: 1px solid var(--line); font-weight: 600; }
.badge { font-size: 12px; font-weight: 600; letter-spacing: .04em; text-transform: uppercase; color: #7a4b00; background: #ffe6b3; border-radius: 999px; padding: 3px 10px; }
section { padding: 24px 28px 28px; }
h1 { font-size: 22px; line-height: 1.25; margin: 0 0 8px; }
p { margin: 0 0 16px; color: var(--dim); }
a { color: var(--brand); }
dl { display: grid; grid-template-columns: auto 1fr; gap: 6px 12px; margin: 0 0 20px; padding: 14px 16px; border: 1px solid var(--line); border-radius: 10px; font-size: 13px; }
dt { color: var(--dim); }
dd { margin: 0; text-align: right; overflow-wrap: anywhere; }
fieldset { border: 0; margin: 0 0 20px; padding: 0; display: grid; gap: 10px; }
legend { padding: 0; margin-bottom: 8px; font-size: 14px; font-weight: 600; }
label { display: flex; align-items: center; gap: 12px; padding: 12px 16px; border: 1px solid var(--line); border-radius: 10px; cursor: pointer; }
label:not(.field):has(:checked) { border-color: var(--brand); box-shadow: 0 0 0 1px var(--brand); }
label span { flex: 1; }
label.field { display: grid; gap: 6px; padding: 0; border: 0; margin: 0 0 16px; font-size: 14px; font-weight: 600; cursor: auto; }
label.field input, label.field select { width: 100%; padding: 10px 12px; border: 1px solid var(--line); border-radius: 10px; background: var(--ground); color: var(--ink); font: inherit; font-weight: 400; }
.row { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: 0 12px; align-items: end; }
.note { padding: 12px 16px; border: 1px solid var(--warn); border-radius: 10px; color: var(--ink); }
fieldset > p { margin: 0; font-size: 14px; }
.problem { color: var(--warn); font-weight: 600; }
label small { color: var(--dim); font-variant-numeric: tabular-nums; }
button { display: block; width: 100%; margin: 0 0 10px; padding: 12px 16px; border-radius: 10px; border: 1px solid var(--line); background: transparent; color: var(--ink); font: inherit; font-weight: 600; cursor: pointer; }
button.primary { background: var(--brand); border-color: var(--brand); color: #fff; }
button.warn { color: var(--warn); }
button:hover { filter: brightness(1.06); }
button:focus-visible, input:focus-visible, select:focus-visible { outline: 3px solid var(--brand); outline-offset: 2px; }
button.quiet { border-color: transparent; color: var(--dim); margin-bottom: 0; }
@media (prefers-color-scheme: dark) { button.primary { color: #10151d; } }
`;
