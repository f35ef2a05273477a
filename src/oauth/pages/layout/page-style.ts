import { createHash } from 'node:crypto';
import { typeface } from './typeface.ts';

/** The style sheet of pages on origins that do not have the typeface. */
export const plainStyle = `
:root{color-scheme:light dark;--paper:#fbfaf8;--card:#fff;--ink:#1d1c1a;--soft:#66625c;--line:#e2ded7;--edge:#948e85;--accent:#2f5d50;--on-accent:#fff;--bad:#a3271f;--bad-soft:#fbeeec;--good-soft:#edf4f0;--focus:#2f6fdd}
@media (prefers-color-scheme:dark){:root{--paper:#161615;--card:#1f1f1d;--ink:#eceae6;--soft:#a29d95;--line:#363431;--edge:#716c65;--accent:#8cc4b2;--on-accent:#10221c;--bad:#f0958d;--bad-soft:#38201e;--good-soft:#1d2c27;--focus:#7fb0ff}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.55 Inter,system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","PingFang SC","Noto Sans CJK SC",sans-serif;overflow-wrap:anywhere}
a{color:var(--accent);text-underline-offset:3px}
:focus-visible{outline:2px solid var(--focus);outline-offset:2px;border-radius:4px}
.skip{position:absolute;left:-999px}.skip:focus{left:1rem;top:1rem;background:var(--card);padding:.5rem 1rem}
header{border-bottom:1px solid var(--line);background:var(--card)}
.bar{max-width:52rem;margin:0 auto;padding:.7rem 1.25rem;display:flex;flex-wrap:wrap;gap:.35rem 1.1rem;align-items:center}
.brand{font-weight:650;letter-spacing:-.01em;text-decoration:none;color:inherit;margin-right:auto}
.bar a{padding:.25rem 0}.bar a[aria-current]{color:inherit;text-decoration-thickness:2px}
.bar form{margin:0}
main{max-width:52rem;margin:0 auto;padding:2rem 1.25rem 4rem}
main.narrow{max-width:27rem;padding-top:min(12vh,6rem)}main.form{max-width:36rem}
.mark{display:flex;align-items:center;justify-content:center;gap:.6rem;font-weight:600;letter-spacing:-.01em;margin:0 0 1.5rem}
.brand{display:inline-flex;align-items:center;gap:.55rem}.mark svg,.brand svg{width:1.5rem;height:1.5rem;flex:none;fill:none}.mark rect,.brand rect{fill:var(--accent)}.mark path,.brand path{stroke:var(--on-accent)}
.missing{text-align:center}.sheets{width:9rem;height:6rem;margin-bottom:.75rem;fill:var(--card);stroke:var(--edge);stroke-width:1.5;stroke-linecap:round}.sheets .ground,.sheets circle{fill:var(--good-soft)}.sheets .ground{stroke:none}.sheets circle,.sheets .sparks{stroke:var(--accent)}
h1{font-size:1.375rem;line-height:1.3;font-weight:600;letter-spacing:-.015em;margin:0 0 .4rem}
h2{font-size:1.1rem;margin:2.2rem 0 .6rem}
p{margin:.5rem 0 1rem}.soft{color:var(--soft)}small,.small{font-size:.875rem}
.card{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:1.25rem;margin:1rem 0}
main.narrow .card{padding:1.75rem}
label{display:block;font-size:.875rem;font-weight:500;margin:1rem 0 .35rem}
.hint{font-weight:400;color:var(--soft);font-size:.875rem}
input,select,textarea{font:inherit;color:inherit;background:var(--card);border:1px solid var(--edge);border-radius:8px;padding:.5rem .75rem;width:100%}
input[type=hidden]+label{margin-top:0}
textarea{min-height:5rem;resize:vertical}
input[type=checkbox],input[type=radio]{width:auto;margin:0 .5rem 0 0}
fieldset{border:0;padding:0;margin:.9rem 0 0}legend{font-weight:550;padding:0}
fieldset label{font-size:inherit;font-weight:400;margin:.4rem 0;display:flex;align-items:baseline}
button,.button{font:inherit;font-size:.875rem;font-weight:500;border:1px solid transparent;border-radius:8px;padding:.45rem 1rem;background:var(--accent);color:var(--on-accent);cursor:pointer;text-decoration:none;display:inline-block;min-height:2.5rem}main.narrow .row button{flex:1}
a.wide{width:100%;text-align:center;margin-top:.9rem;line-height:1.9}.or{display:flex;gap:.75rem;align-items:center;margin:1.4rem 0 0}.or::before,.or::after{content:"";flex:1;border-top:1px solid var(--line)}
button.plain{background:none;color:inherit;border-color:var(--line)}
button.link{background:none;border:0;padding:.25rem 0;color:var(--accent);text-decoration:underline;text-underline-offset:3px;min-height:0;font-weight:400}
button.bad{background:none;color:var(--bad);border-color:currentColor}
.text{white-space:pre-wrap;overflow-wrap:anywhere;margin:0;font:inherit}details{margin:.35rem 0}summary{cursor:pointer}details .text{padding:.4rem 0 .4rem 1rem;color:var(--soft)}
.row{display:flex;flex-wrap:wrap;gap:.75rem;align-items:center;margin-top:1.25rem}
.note{border-radius:8px;padding:.75rem 1rem;margin:1rem 0;background:var(--good-soft)}
.note.wrong{background:var(--bad-soft);color:var(--bad)}
code,.secret{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.9em;overflow-wrap:anywhere}
.secret{display:block;background:var(--paper);border:1px solid var(--line);border-radius:8px;padding:.75rem;user-select:all}pre{white-space:pre-wrap}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;padding:.6rem .75rem .6rem 0;border-bottom:1px solid var(--line);vertical-align:top;overflow-wrap:anywhere}
th{font-size:.875rem;color:var(--soft);font-weight:550}td form{margin:0}
ul.plain{list-style:none;padding:0;margin:.75rem 0}ul.plain li{padding:.45rem 0 .45rem 1.6rem;position:relative}
ul.plain li::before{content:"";position:absolute;left:.2rem;top:1rem;width:.5rem;height:.5rem;border-radius:50%;background:var(--accent)}
@media (max-width:40rem){table,tbody,tr,td{display:block}thead{display:block;position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}tr{border-bottom:1px solid var(--line);padding:.6rem 0}td{border:0;padding:.15rem 0}main{padding-top:1.25rem}}
@media (prefers-reduced-motion:no-preference){a,button{transition:opacity .12s}button:hover{opacity:.88}}
`;

/** The style sheet of the pages. */
export const style = `${typeface}${plainStyle}`;

const hashes = new Map<string, string>();

/** The hash that allows exactly this style sheet in the content security policy; hashed once, as there are few. */
export function hashOf(sheet: string): string {
  const known = hashes.get(sheet);
  if (known !== undefined) return known;
  const hash = `sha256-${createHash('sha256').update(sheet).digest('base64')}`;
  hashes.set(sheet, hash);
  return hash;
}
