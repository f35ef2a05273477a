/* Runs in the page that is examined, in a world of its own. What it returns is a list of plain objects. */
async (options) => {
  const { view, mostPerKind } = options;
  const found = [];
  const counts = {};
  const clean = (text) => (text || '').replace(/\s+/g, ' ').trim();
  const wordsOf = (element) => clean(element.innerText ?? element.textContent).slice(0, 60);

  const nameOf = (element) => {
    const part = (one) => {
      const tag = one.tagName.toLowerCase();
      if (one.id) return `${tag}#${one.id}`;
      const classes = [...one.classList].slice(0, 2).map((name) => `.${name}`).join('');
      const twins = one.parentElement ? [...one.parentElement.children].filter((each) => each.tagName === one.tagName) : [one];
      return tag + classes + (twins.length > 1 ? `:nth-of-type(${twins.indexOf(one) + 1})` : '');
    };
    const parts = [];
    for (let one = element; one && one !== document.body && one.nodeType === 1 && parts.length < 3; one = one.parentElement) {
      parts.unshift(part(one));
      if (one.id) break;
    }
    return parts.join(' > ').slice(0, 120) || 'body';
  };

  const add = (kind, element, text, rect) => {
    counts[kind] = (counts[kind] ?? 0) + 1;
    if (counts[kind] > mostPerKind) return;
    const sheet = element.closest?.('.slide, .sheet');
    const sheets = [...document.querySelectorAll('.slide, .sheet')];
    const box = rect ?? element.getBoundingClientRect();
    found.push({
      kind,
      element: nameOf(element),
      words: wordsOf(element),
      text,
      sheet: sheet ? sheets.indexOf(sheet) + 1 : null,
      y: Math.round(box.top + scrollY),
    });
  };

  const styles = new Map();
  const styleOf = (element) => {
    let style = styles.get(element);
    if (!style) styles.set(element, (style = getComputedStyle(element)));
    return style;
  };
  const isShown = (element) => {
    for (let one = element; one; one = one.parentElement) {
      const { display, visibility, opacity, contentVisibility } = styleOf(one);
      if (display === 'none' || (one === element && visibility !== 'visible') || Number(opacity) < 0.05) return false;
      if (one !== element && contentVisibility === 'hidden') return false;
      /* What is folded keeps its boxes. */
      const outer = one.parentElement;
      if (outer?.localName === 'details' && !outer.open && one !== outer.querySelector(':scope > summary')) return false;
    }
    return true;
  };
  /* Text for screen readers only is clipped on purpose. */
  const isForReadersOnly = (element) => {
    for (let one = element; one && one !== document.body; one = one.parentElement) {
      const { clip, clipPath, position } = styleOf(one);
      if (position === 'absolute' && (clip !== 'auto' || /inset\(50%|inset\(100%/.test(clipPath))) return true;
      const box = one.getBoundingClientRect();
      if (box.width <= 1.5 && box.height <= 1.5) return true;
    }
    return false;
  };

  /* The lines of text, as boxes. */
  const lines = [];
  const walker = document.createTreeWalker(document.body ?? document.documentElement, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = walker.nextNode(); node && lines.length < 6000; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!parent || clean(node.data) === '' || /^(script|style|noscript|template|title|desc|option)$/i.test(parent.tagName)) continue;
    if (!isShown(parent) || isForReadersOnly(parent)) continue;
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) {
      if (rect.width > 1 && rect.height > 1) lines.push({ element: parent, rect });
    }
  }

  const clips = (style, axis) => /hidden|clip|scroll|auto/.test(axis === 'x' ? style.overflowX : style.overflowY);
  const scrolls = (style, axis) => /scroll|auto/.test(axis === 'x' ? style.overflowX : style.overflowY);

  /* Text that its own box or an outer one cuts off. */
  const cut = new Set();
  for (const { element, rect } of lines) {
    if (cut.has(element)) continue;
    for (let box = element; box && box !== document.body && box !== document.documentElement; box = box.parentElement) {
      const style = styleOf(box);
      if (style.display === 'inline') continue;
      const across = clips(style, 'x') && (view === 'paper' || !scrolls(style, 'x'));
      const down = clips(style, 'y') && (view === 'paper' || !scrolls(style, 'y'));
      if (across || down) {
        const edge = box.getBoundingClientRect();
        const missingX = across ? Math.max(rect.right - edge.right, edge.left - rect.left) : 0;
        const missingY = down ? Math.max(rect.bottom - edge.bottom, edge.top - rect.top) : 0;
        /* A line is taller than its letters. */
        if (missingX > 2 || missingY > rect.height * 0.3) {
          cut.add(element);
          const side = missingX > 2 ? 'at its side' : 'below';
          const by = Math.round(Math.max(missingX, missingY));
          add('cut', element, `is cut off ${side} by ${by} px: ${nameOf(box)} is too small for it`, rect);
          break;
        }
      }
      if (style.position === 'fixed') break;
    }
  }

  /* What sticks out of a slide, of a fixed sheet, or of the page's width. */
  const width = document.documentElement.clientWidth;
  const stuck = new Set();
  for (const { element, rect } of lines) {
    const sheet = element.closest('.slide, .sheet');
    if (!sheet || cut.has(element) || stuck.has(element)) continue;
    const edge = sheet.getBoundingClientRect();
    if (rect.bottom > edge.bottom + 2 || rect.right > edge.right + 2 || rect.left < edge.left - 2 || rect.top < edge.top - 2) {
      stuck.add(element);
      add('cut', element, 'sticks out of its slide: shorten it or make it smaller', rect);
    }
  }
  const wide = new Set();
  const scrolledAcross = (element) => {
    for (let box = element.parentElement; box && box !== document.documentElement; box = box.parentElement) {
      if (clips(styleOf(box), 'x')) return true;
    }
    return false;
  };
  for (const element of document.querySelectorAll('table, pre, img, svg, canvas, video, iframe, figure, h1, h2, p, ul, div')) {
    const rect = element.getBoundingClientRect();
    if (rect.width === 0 || rect.right <= width + 2 || !isShown(element) || element.closest('.slide')) continue;
    if ([...wide].some((outer) => outer.contains(element)) || scrolledAcross(element)) continue;
    if (/^(absolute|fixed)$/.test(styleOf(element).position) && clean(element.textContent) === '') continue;
    const inner = [...element.querySelectorAll('table, pre, img, svg')].find((each) => each.getBoundingClientRect().right > width + 2);
    wide.add(element);
    const over = Math.round(rect.right - width);
    add('wide', inner ?? element, `is ${over} px wider than the ${view === 'paper' ? 'page' : 'window'} of ${width} px`, rect);
  }
  for (const element of document.querySelectorAll('table, pre')) {
    const box = element.parentElement;
    if (view !== 'paper' || !box || wide.has(element) || !isShown(element)) continue;
    const over = element.getBoundingClientRect().width - box.getBoundingClientRect().width;
    if (over > 3 && clips(styleOf(box), 'x')) add('wide', element, `is ${Math.round(over)} px wider than its place and cut off there`);
  }

  /* Lines of text on top of each other. */
  const rows = new Map();
  lines.forEach((line) => {
    for (let row = Math.floor(line.rect.top / 40); row <= Math.floor(line.rect.bottom / 40); row++) {
      if (!rows.has(row)) rows.set(row, []);
      rows.get(row).push(line);
    }
  });
  const touching = new Set();
  for (const row of rows.values()) {
    for (let at = 0; at < Math.min(row.length, 200); at++) {
      for (let next = at + 1; next < Math.min(row.length, 200); next++) {
        const [a, b] = [row[at], row[next]];
        if (a.element === b.element || a.element.contains(b.element) || b.element.contains(a.element)) continue;
        const across = Math.min(a.rect.right, b.rect.right) - Math.max(a.rect.left, b.rect.left);
        const down = Math.min(a.rect.bottom, b.rect.bottom) - Math.max(a.rect.top, b.rect.top);
        const lower = Math.min(a.rect.height, b.rect.height);
        if (across < 3 || down < lower * 0.45 || touching.has(b.element) || cut.has(a.element) || cut.has(b.element)) continue;
        touching.add(b.element);
        add('overlap', b.element, `lies on the text of ${nameOf(a.element)} "${wordsOf(a.element).slice(0, 40)}"`, b.rect);
      }
    }
  }

  /* Slides whose words and pictures cover little of what is below their heading, wherever they stand; one of large letters says what it has to. */
  const leastCovered = 0.08;
  const largeLetters = 0.11;
  const judgedSlides = view === 'paper' ? document.querySelectorAll('.slide:not(.cover, .section, .closing, .picture)') : [];
  for (const slide of judgedSlides) {
    const edge = slide.getBoundingClientRect();
    const heading = slide.querySelector('h1, h2');
    const top = heading?.getBoundingClientRect().bottom ?? edge.top;
    if (!isShown(slide) || top > edge.top + edge.height * 0.35 || /url\(/.test(styleOf(slide).backgroundImage)) continue;
    const words = lines.filter(({ element }) => slide.contains(element) && !heading?.contains(element) && !element.closest('.source'));
    if (words.some(({ rect }) => rect.height > edge.height * largeLetters)) continue;
    const pictures = [...slide.querySelectorAll('img, svg, canvas, video, iframe, object, table, .placeholder')].filter(isShown);
    const cell = edge.width / 32;
    const count = Math.round((edge.bottom - top) / cell);
    const covered = new Set();
    for (const box of [...words.map(({ rect }) => rect), ...pictures.map((one) => one.getBoundingClientRect())]) {
      for (let row = Math.max(0, Math.floor((box.top - top) / cell)); row < Math.min(count, (box.bottom - top) / cell); row++) {
        for (let column = Math.max(0, Math.floor((box.left - edge.left) / cell)); column < Math.min(32, (box.right - edge.left) / cell); column++)
          covered.add(row * 32 + column);
      }
    }
    const part = covered.size / (count * 32);
    const text = `is nearly empty: words and pictures cover ${Math.round(part * 100)} % of it below its heading. Add what proves the heading, or join it with another`;
    if (part < leastCovered) add('empty', slide, text, edge);
  }

  /* Contrast, by WCAG 2.2 (1.4.3): of a gradient its least readable color counts; what lies on a picture is not judged. */
  const canvas = document.createElementNS('http://www.w3.org/1999/xhtml', 'canvas').getContext('2d', { willReadFrequently: true });
  const parsed = new Map();
  const parse = (color) => {
    if (!parsed.has(color)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
      parsed.set(color, [r, g, b, a / 255]);
    }
    return parsed.get(color);
  };
  const over = ([r, g, b, a], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a), 1];
  const luminance = (color) => {
    const [r, g, b] = color.slice(0, 3).map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a, b) => {
    const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
    return (light + 0.05) / (dark + 0.05);
  };
  const canvasColor = /dark/.test(styleOf(document.documentElement).colorScheme) && options.scheme === 'dark' ? [18, 18, 18, 1] : [255, 255, 255, 1];
  /* On paper the ground is that of the page, which page rules give. */
  const paperColor = () => {
    const probe = document.createElement('div');
    document.documentElement.append(probe);
    let color = canvasColor;
    const visit = (rules) => {
      for (const rule of rules) {
        if (rule.type === 6 && rule.selectorText === '' && rule.style.background + rule.style.backgroundColor !== '') {
          probe.style.background = rule.style.background || rule.style.backgroundColor;
          const [r, g, b, a] = parse(getComputedStyle(probe).backgroundColor);
          if (a > 0.5) color = [r, g, b, 1];
        } else if (rule.styleSheet) visit(rule.styleSheet.cssRules);
        else if (rule.cssRules && (!rule.media || matchMedia(rule.media.mediaText).matches)) visit(rule.cssRules);
      }
    };
    for (const sheet of document.styleSheets) {
      try {
        visit(sheet.cssRules);
      } catch {}
    }
    probe.remove();
    return color;
  };
  const lowest = view === 'paper' ? paperColor() : canvasColor;
  const groundsOf = (element) => {
    const layers = [];
    for (let one = element; one; one = one.parentElement) {
      const style = styleOf(one);
      /* What lies on a picture or on a drawing of several layers is not judged. */
      if (/url\(|radial|conic|repeating|gradient\(.*gradient\(/.test(style.backgroundImage)) return null;
      const stops = style.backgroundImage === 'none' ? [] : (style.backgroundImage.match(/(?:rgba?|color|oklch|oklab|lab|lch|hsla?)\([^)]*\)/g) ?? []);
      if (stops.length > 0) layers.push(stops.map(parse));
      const color = parse(style.backgroundColor);
      if (color[3] > 0) layers.push([color]);
      if (color[3] > 0.99) break;
      if (/^(absolute|fixed)$/.test(style.position) && layers.length === 0 && one !== element) {
        /* Its ground may be a sibling that lies below it. */
        const offset = one.offsetParent;
        if (offset && [...offset.querySelectorAll(':scope > img, :scope > svg, :scope > video, :scope > canvas')].length > 0) return null;
      }
    }
    return layers.reverse().reduce((grounds, stops) => grounds.flatMap((ground) => stops.map((stop) => over(stop, ground))).slice(0, 32), [lowest]);
  };
  const judged = new Set();
  for (const { element, rect } of lines) {
    if (judged.has(element)) continue;
    judged.add(element);
    const style = styleOf(element);
    const isDrawing = element.namespaceURI === 'http://www.w3.org/2000/svg';
    if (style.webkitTextFillColor === 'rgba(0, 0, 0, 0)' || (isDrawing && style.fill === 'none')) continue;
    if (element.closest('[disabled], [aria-disabled=true]')) continue;
    if (isDrawing) continue;
    const grounds = groundsOf(element);
    if (grounds === null) continue;
    const ink = parse(style.color);
    const least = Math.min(...grounds.map((ground) => contrast(over(ink, ground), ground)));
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const needed = isLarge ? 3 : 4.5;
    if (least < needed - 0.05) add('contrast', element, `has a contrast of ${least.toFixed(1)} : 1; ${needed} : 1 is needed`, rect);
  }

  /* Pictures, links, fonts. */
  for (const picture of document.querySelectorAll('img')) {
    const source = picture.getAttribute('src') ?? '';
    if (source.startsWith('data:') ? picture.complete && picture.naturalWidth === 0 : picture.complete && picture.naturalWidth === 0) {
      add('picture', picture, `shows nothing: "${source.slice(0, 100)}" is missing or no picture`);
    }
    if (!picture.hasAttribute('alt') && picture.getAttribute('role') !== 'presentation') add('unnamed', picture, `has no alt text ("${source.slice(0, 60)}")`);
  }
  /* Texts of drawings shrink with them. */
  for (const picture of document.querySelectorAll('img[src$=".svg" i]')) {
    const shown = picture.currentSrc || picture.src;
    if (!shown.startsWith(location.origin) || picture.naturalWidth === 0) continue;
    const source = await fetch(shown).then((answer) => answer.text()).catch(() => '');
    const drawing = source.replace(/;base64,[\w+/=]+/g, '');
    const own = Number(/viewBox="[\d.-]+[ ,]+[\d.-]+[ ,]+([\d.]+)/.exec(drawing.slice(0, 4_000))?.[1] ?? picture.naturalWidth);
    const sizes = [...drawing.slice(0, 1_000_000).matchAll(/font-size[:=]["' ]*([\d.]+)(?:px)?/g)].map(([, size]) => Number(size));
    if (sizes.length === 0) continue;
    const scale = picture.getBoundingClientRect().width / own;
    const smallest = sizes.reduce((least, size) => Math.min(least, size)) * scale;
    const isNarrow = view === 'screen' && width < 500;
    const least = picture.closest('.slide') ? 14 : isNarrow ? 10 : 8;
    const remedy = isNarrow ? ', and show it there by <picture><source media="(max-width: 44rem)" srcset="…">' : ', or with larger texts (scale of make_chart)';
    if (smallest < least) add('small', picture, `has texts of ${Math.round(smallest)} px: draw it ${Math.round(own * scale)} wide${remedy}`);
  }
  /* Marks in tables and texts that are squeezed. */
  const squeezed = new Set();
  for (const bar of document.querySelectorAll('.bar')) {
    const place = bar.parentElement.getBoundingClientRect();
    const table = bar.closest('table') ?? bar.parentElement;
    if (place.width === 0 || place.width >= 48 || squeezed.has(table) || !isShown(bar)) continue;
    squeezed.add(table);
    add('small', bar, `stands in a place of ${Math.round(place.width)} px, in which bars cannot be compared: give its column more, or leave another column out`);
  }
  for (const badge of document.querySelectorAll('.badge')) {
    const rows = new Set([...badge.getClientRects()].map(({ top }) => Math.round(top))).size;
    const high = badge.getBoundingClientRect().height / (parseFloat(styleOf(badge).lineHeight) || parseFloat(styleOf(badge).fontSize) * 1.5);
    if ((rows > 1 || high > 1.9) && isShown(badge)) add('small', badge, 'is a label of several lines: shorten it, or write it as text');
  }
  const links = [];
  for (const link of document.querySelectorAll('a[href]')) {
    const target = link.getAttribute('href');
    if (target === '#' || target === '#top') continue;
    if (target.startsWith('#')) {
      let id = target.slice(1);
      try {
        id = decodeURIComponent(id);
      } catch {}
      if (!document.getElementById(id) && document.getElementsByName(id).length === 0) add('link', link, `leads to "${target.slice(0, 80)}", which is not on the page`);
    } else if (link.origin === location.origin) {
      if (links.length < 400) links.push({ path: link.pathname, element: nameOf(link), words: wordsOf(link), target: target.slice(0, 100) });
    }
  }
  if (document.documentElement.tagName === 'HTML') {
    if (clean(document.title) === '') add('unnamed', document.documentElement, 'has no title');
    if (!document.documentElement.lang) add('unnamed', document.documentElement, 'does not say its language (lang)');
  }
  const generic = /^(serif|sans-serif|monospace|cursive|fantasy|system-ui|ui-\w+(-\w+)?|math|emoji|inherit|initial|-apple-system|BlinkMacSystemFont)$/i;
  const measured = new Map();
  const isInstalled = (family) => {
    if (!measured.has(family)) {
      const text = 'mmmmmmmmmmlliWQ@&0159 Ђшыфж αβγ';
      const extent = (stack) => {
        canvas.font = `40px ${stack}`;
        return canvas.measureText(text).width;
      };
      const differs = ['serif', 'sans-serif', 'monospace'].some((base) => extent(`"${family}", ${base}`) !== extent(base));
      measured.set(family, differs || [...document.fonts].some((face) => face.family.replace(/^["']|["']$/g, '') === family && face.status === 'loaded'));
    }
    return measured.get(family);
  };
  const named = new Set();
  const stand = /^(Arial|Helvetica|Helvetica Neue|Times|Times New Roman|Courier|Courier New|Georgia|Segoe UI|Roboto|SF Pro.*|SFMono-Regular|Menlo|Consolas|Monaco|Cambria|Calibri|Verdana|Tahoma)$/i;
  for (const { element, rect } of lines) {
    const stack = styleOf(element).fontFamily;
    if (named.has(stack) || named.size > 40) continue;
    named.add(stack);
    const families = stack.split(',').map((family) => family.trim().replace(/^["']|["']$/g, ''));
    const [first] = families;
    if (generic.test(first) || isInstalled(first)) continue;
    /* Stacks of names that systems have are meant to fall through. */
    if (stand.test(first)) continue;
    add('font', element, `asks for the font "${first}", which was not found; it is set in another`, rect);
  }
  /* Characters that no font has are drawn like one that nobody has. */
  const drawn = (character) => {
    canvas.clearRect(0, 0, 24, 24);
    canvas.fillText(character, 2, 18);
    return canvas.getImageData(0, 0, 24, 24).data.join();
  };
  canvas.fillStyle = '#000';
  const unknowns = new Map();
  const isLacking = (character, stack) => {
    canvas.font = `14px ${stack}`;
    if (!unknowns.has(stack)) unknowns.set(stack, drawn('\uE0F7'));
    return drawn(character) === unknowns.get(stack);
  };
  const tried = new Set();
  const lacking = [];
  let firstLacking = null;
  for (const { element } of lines) {
    for (const node of element.childNodes) {
      if (node.nodeType !== 3) continue;
      for (const character of node.data) {
        if (character < '\u0530' || tried.size > 500 || tried.has(character) || /\p{M}|\p{Z}|\p{C}/u.test(character)) continue;
        tried.add(character);
        if (!isLacking(character, styleOf(element).fontFamily)) continue;
        lacking.push(character);
        firstLacking ??= element;
      }
    }
  }
  if (firstLacking) add('glyph', firstLacking, `has characters that no font here can show: ${lacking.slice(0, 12).join(' ')}`);
  for (const face of document.fonts) {
    if (face.status === 'error') add('font', document.documentElement, `the font file of ${face.family} could not be loaded`);
  }
  /* Up to the first page number, which is not known yet. */
  const contents = document.querySelector('.toc');
  const opening = contents ? [contents.querySelector('h1, h2, h3'), contents.querySelector('a > :first-child, a')] : [];
  return { found, contents: opening.map((one) => (one ? wordsOf(one) : '')).join(' ').trim(), more: Object.fromEntries(Object.entries(counts).filter(([, count]) => count > mostPerKind).map(([kind, count]) => [kind, count - mostPerKind])), links };
}
