/* Runs in the page, in a world of its own, before its slides are read: fonts of office files, marks for what is read, roles of colors. */
(options) => {
  const mostSlides = 200;
  const mostShots = 300;
  const marked = [...document.querySelectorAll('.slide')];
  const sections = [...document.querySelectorAll('section')].filter((one) => !one.parentElement.closest('section'));
  const slides = (marked.length > 0 ? marked : sections).filter((one) => {
    const { width, height } = one.getBoundingClientRect();
    return width > 50 && height > 50;
  });
  if (slides.length === 0) return { problem: 'it has no slides: write each as <section class="slide">' };
  if (slides.length > mostSlides) return { problem: `it has more than ${mostSlides} slides` };

  slides.forEach((slide, index) => (slide.dataset.pressSlide = String(index)));
  const { width, height } = slides[0].getBoundingClientRect();
  const rules = document.createElement('style');
  rules.textContent = `@page { size: ${width}px ${height}px; margin: 0 } [data-press-slide] { break-after: page; break-inside: avoid; overflow: hidden !important } [data-press-slide]:last-of-type { break-after: auto }
    [data-press-slide] aside.notes { display: none !important }`;
  document.documentElement.append(rules);

  /* Families that offices have on every system, or others of the same widths; all characters of East Asia have one width. */
  const eastAsian = getComputedStyle(document.documentElement).getPropertyValue('--east-asian') || '"Noto Sans SC Variable", "Noto Sans CJK SC"';
  const families = {
    sans: `Arial, "Liberation Sans", Arimo, ${eastAsian}, sans-serif`,
    serif: `"Times New Roman", "Liberation Serif", Tinos, "Noto Serif CJK SC", ${eastAsian}, serif`,
    mono: `"Courier New", "Liberation Mono", Cousine, ${eastAsian}, monospace`,
  };
  const kindOf = (stack) => {
    const names = stack.toLowerCase().split(',').map((name) => name.trim().replace(/^["']|["']$/g, ''));
    for (const name of names) {
      if (/mono|courier|consol|menlo|code/.test(name)) return 'mono';
      if (/sans|arial|helvetica|grotesk|inter|manrope|nunito|system-ui|roboto|verdana|calibri/.test(name)) return 'sans';
      if (/serif|times|georgia|garamond|fraunces|cambria|palatino|lora|merriweather|playfair/.test(name)) return 'serif';
    }
    return 'sans';
  };
  const kinds = new Map();
  for (const slide of slides) for (const one of [slide, ...slide.querySelectorAll('*')]) kinds.set(one, kindOf(getComputedStyle(one).fontFamily));
  const headOf = slides.map((one) => one.querySelector('h1, h2')).find((one) => one);
  const nameOf = (kind) => ({ sans: 'Arial', serif: 'Times New Roman', mono: 'Courier New' })[kind];
  const fonts = { head: nameOf(kinds.get(headOf) ?? kinds.get(slides[0])), text: nameOf(kinds.get(slides[0])) };
  if (options.isForOffice) {
    rules.textContent += '[data-press-slide]::before, [data-press-slide]::after, [data-press-slide] *::before, [data-press-slide] *::after { font-family: inherit !important }';
    /* Offices fill each line as far as it goes; what was balanced they break alike in a narrower frame. */
    const pretty = [...kinds.keys()].filter((one) => getComputedStyle(one).textWrapStyle === 'pretty');
    for (const one of pretty) one.style?.setProperty('text-wrap-style', 'auto', 'important');
    for (const [one, kind] of kinds) one.style?.setProperty('font-family', families[kind], 'important');
  }

  const colors = {};
  const probe = document.createElement('span');
  slides.find((one) => !one.matches('.cover, .section, .picture'))?.append(probe) ?? slides[0].append(probe);
  for (const role of ['ground', 'surface', 'ink', 'soft', 'line', 'accent', 'chart-1', 'chart-2', 'chart-3', 'chart-4', 'chart-5', 'chart-6']) {
    probe.style.color = '';
    probe.style.setProperty('color', `var(--${role}, transparent)`);
    const color = getComputedStyle(probe).color;
    if (color !== 'rgba(0, 0, 0, 0)') colors[role] = color;
  }
  probe.remove();

  /* Notes: a paragraph a line. */
  const notes = slides.map((slide) =>
    [...slide.querySelectorAll('aside.notes')]
      .map((one) => (one.querySelector('p, li') ? [...one.querySelectorAll('p, li')].map((each) => each.textContent.replace(/\s+/g, ' ').trim()).join('\n') : one.textContent.replace(/\s+/g, ' ').trim()))
      .join('\n')
      .slice(0, 20000),
  );

  const pathOf = (address) => {
    try {
      return decodeURIComponent(new URL(address).pathname.slice(1)).slice(0, 500);
    } catch {
      return '';
    }
  };
  const shots = [];
  const frameOf = (one) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    return { x: left + scrollX, y: top + scrollY, width, height };
  };
  const whole = 'img, svg, canvas, video, iframe, object, embed, meter, progress, input, select, textarea';
  const isSimple = (image) => image === 'none' || (/^linear-gradient\(/.test(image) && !/url\(|gradient\(.*gradient\(/.test(image));
  const mark = (one, slide, isWhole) => {
    const frame = frameOf(one);
    const edge = frameOf(slide);
    const left = Math.max(frame.x, edge.x);
    const top = Math.max(frame.y, edge.y);
    const clipped = { x: left, y: top, width: Math.min(frame.x + frame.width, edge.x + edge.width) - left, height: Math.min(frame.y + frame.height, edge.y + edge.height) - top };
    if (clipped.width <= 1 || clipped.height <= 1 || shots.length >= mostShots) return;
    const { borderRadius, objectFit } = getComputedStyle(one);
    const source = one.currentSrc ?? '';
    const isOpaque = (/\.jpe?g$/i.test(source.split(/[?#]/)[0]) && borderRadius === '0px' && /^(fill|cover)$/.test(objectFit)) || (one === slide);
    one.dataset.pressShot = String(shots.length);
    if (isWhole) one.dataset.pressWhole = '';
    const own = source.startsWith(`${location.origin}/`) ? pathOf(source) : '';
    const chart = one.tagName === 'svg' ? (one.querySelector('metadata')?.textContent ?? '').slice(0, 100000) : '';
    shots.push({ frame: clipped, isOpaque, chart, source: own, description: (one.getAttribute('alt') ?? one.getAttribute('aria-label') ?? '').slice(0, 500) });
  };
  /* A picture before the content, such as the logo of a brand, becomes an element: what is no element has no frame that can be read. */
  const copied = ['display', 'order', 'position', 'inset', 'box-sizing', 'width', 'height', 'margin', 'padding', 'flex', 'align-self', 'border-radius', 'background'];
  const placePicture = (one) => {
    const style = getComputedStyle(one, '::before');
    if (style.content !== '""' || !/url\(/.test(style.backgroundImage)) return;
    const picture = document.createElement('span');
    for (const name of copied) picture.style.setProperty(name, style.getPropertyValue(name), 'important');
    one.classList.add('press-placed');
    one.prepend(picture);
  };
  rules.textContent += '.press-placed::before { content: none !important }';
  for (const slide of slides) for (const one of [slide, ...slide.querySelectorAll('.title-block')]) placePicture(one);

  for (const slide of slides) {
    if (!isSimple(getComputedStyle(slide).backgroundImage)) mark(slide, slide, false);
    for (const one of slide.querySelectorAll('*')) {
      if (one.closest('[data-press-whole]') || getComputedStyle(one).visibility !== 'visible') continue;
      const isMasked = (getComputedStyle(one).maskImage || 'none') !== 'none';
      if (one.matches(whole) || isMasked) {
        if (!(one.tagName === 'IMG' && one.naturalWidth === 0)) mark(one, slide, true);
      } else if (!isSimple(getComputedStyle(one).backgroundImage)) mark(one, slide, false);
    }
  }
  return {
    title: (document.title || '').replace(/\s+/g, ' ').trim().slice(0, 300),
    language: (document.documentElement.lang || '').slice(0, 35),
    width,
    height,
    colors,
    fonts,
    notes,
    shots,
  };
}
