// The page's style: one sheet, light and dark.

export const STYLE = `
:root { color-scheme: light dark; --paper: #fbfaf7; --card: #fff; --ink: #1d1f23; --soft: #5c6068; --line: #dedbd3; --pass: #2e7d4f; --fail: #b3261e; --other: #9a5b00; }
@media (prefers-color-scheme: dark) { :root { --paper: #16181d; --card: #1e2127; --ink: #e8e6e1; --soft: #a2a7b0; --line: #343943; --pass: #6fc08d; --fail: #ff8a80; --other: #f2b45c; } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main, footer { max-width: 960px; margin: 0 auto; padding: 16px 24px; }
article { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 8px 24px 24px; margin: 16px 0; }
h1 { font-size: 20px; overflow-wrap: anywhere; } h2 { font-size: 15px; margin: 24px 0 8px; color: var(--soft); }
.verdict { display: inline-block; font-weight: 700; border: 2px solid var(--fail); color: var(--fail); border-radius: 6px; padding: 2px 12px; margin: 0; }
.verdict.not-reproduced { border-color: var(--pass); color: var(--pass); } .verdict.invalid { border-color: var(--other); color: var(--other); }
.soft { color: var(--soft); }
.strip { display: flex; gap: 12px; align-items: center; margin: 4px 0; } .label { flex: 0 0 260px; overflow-wrap: anywhere; }
.cells { display: flex; flex-wrap: wrap; gap: 2px; } .cells i, .key { display: inline-block; width: 22px; text-align: center; font: 700 12px/22px ui-monospace, monospace; border-radius: 3px; color: var(--card); background: var(--other); }
i.pass, .key.pass { background: var(--pass); } i.fail, i.timeout, .key.fail, .key.timeout { background: var(--fail); }
figure { margin: 8px 0; } figcaption { color: var(--soft); } svg { width: 100%; max-width: 640px; border: 1px solid var(--line); border-radius: 6px; } svg line { stroke: var(--line); }
circle.pass { fill: var(--pass); } circle.fail { fill: var(--fail); }
pre { overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; font: 12.5px/1.5 ui-monospace, monospace; border: 1px solid var(--line); border-radius: 6px; padding: 8px 12px; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; border-bottom: 1px solid var(--line); padding: 6px 10px; overflow-wrap: anywhere; }
footer { color: var(--soft); }
`
