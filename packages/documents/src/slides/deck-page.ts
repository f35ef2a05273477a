/** Styles of a deck. Without its script it is a column of slides; with it, one slide fills the window. In print, each slide is a page. */
export const deckStyle = `*{box-sizing:border-box}
html,body{margin:0;background:#1a1d24;font-family:var(--font)}
main{display:flex;flex-direction:column;align-items:center;gap:24px;padding:24px}
section{position:relative}
.stage{position:relative;width:1280px;height:720px;overflow:hidden}
.stage>*{position:absolute;margin:0}
.text{display:flex;flex-direction:column;font-weight:400}
.text p,.text span{margin:0;position:relative;overflow-wrap:anywhere;line-height:1.28}
.text p>*,.text span>*{line-height:inherit}
.mark{position:absolute;top:.5em;width:.34em;height:.34em;border-radius:50%}
.stage a{color:inherit;text-decoration-color:currentcolor;text-underline-offset:.15em}
code{font-family:"Liberation Mono",ui-monospace,monospace;font-size:.9em}
table{border-collapse:collapse;table-layout:fixed}
th,td{padding:.2em 14px;text-align:left;border-bottom:1px solid var(--line);overflow-wrap:anywhere;line-height:1.25;font-weight:400}
th{font-weight:700}
.right{text-align:right;font-variant-numeric:tabular-nums}
aside{width:1280px;padding:16px 24px;background:#fff8dc;color:#222;font-size:18px;line-height:1.5;white-space:pre-wrap}
.live main{padding:0;gap:0;height:100vh;overflow:hidden;justify-content:center}
.live section{display:none}
.live section.on{display:block;flex:none;transform:scale(var(--scale,1))}
.live aside{display:none;position:absolute;left:0;right:0;bottom:0;max-height:40%;overflow:auto}
.live.notes aside{display:block}
nav{position:fixed;right:12px;bottom:12px;display:flex;gap:6px;align-items:center;opacity:0;transition:opacity .2s;font-size:14px;color:#fff}
nav[hidden]{display:none}
nav:hover,nav:focus-within{opacity:1}
nav output{background:#0008;padding:5px 8px;border-radius:6px}
nav button{border:0;border-radius:6px;background:#0008;color:#fff;font-size:18px;line-height:1;padding:5px 11px;cursor:pointer}
@media print{@page{size:1280px 720px;margin:0}
html,body{background:#fff}
main,.live main{display:block;padding:0;height:auto;overflow:visible}
section,.live section,.live section.on{display:block;transform:none;break-after:page;break-inside:avoid}
.stage{print-color-adjust:exact;-webkit-print-color-adjust:exact}
aside,.live aside,nav{display:none}}`;

/** Navigation: arrows, space, page keys, Home and End, swipes; n shows the notes, f toggles full screen. */
export const deckScript = `(() => {
  const root = document.documentElement;
  const slides = [...document.querySelectorAll('section')];
  const nav = document.querySelector('nav');
  const count = nav.querySelector('output');
  let at = 0;
  const fit = () => root.style.setProperty('--scale', String(Math.min(innerWidth / 1280, innerHeight / 720)));
  const show = (next) => {
    at = Math.max(0, Math.min(slides.length - 1, next));
    slides.forEach((slide, index) => slide.classList.toggle('on', index === at));
    count.textContent = (at + 1) + ' / ' + slides.length;
    try { history.replaceState(null, '', '#s' + (at + 1)); } catch {}
  };
  const read = () => Number((location.hash.match(/^#s(\\d+)$/) || [])[1] || 1) - 1;
  const keys = { ArrowRight: 1, ArrowDown: 1, PageDown: 1, ' ': 1, Enter: 1, ArrowLeft: -1, ArrowUp: -1, PageUp: -1, Backspace: -1 };
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest('a,button')) return;
    if (event.key in keys) show(at + keys[event.key]);
    else if (event.key === 'Home') show(0);
    else if (event.key === 'End') show(slides.length - 1);
    else if (event.key === 'n') root.classList.toggle('notes');
    else if (event.key === 'f' && root.requestFullscreen) void root.requestFullscreen().catch(() => undefined);
    else return;
    event.preventDefault();
  });
  let touch = null;
  addEventListener('touchstart', (event) => { touch = event.touches[0].clientX; }, { passive: true });
  addEventListener('touchend', (event) => {
    const moved = event.changedTouches[0].clientX - touch;
    if (Math.abs(moved) > 40) show(at + (moved < 0 ? 1 : -1));
  });
  nav.addEventListener('click', (event) => {
    const step = event.target.closest('button')?.dataset.go;
    if (step) show(at + Number(step));
  });
  addEventListener('hashchange', () => show(read()));
  addEventListener('resize', fit);
  root.classList.add('live');
  nav.hidden = false;
  fit();
  show(read());
})();`;
