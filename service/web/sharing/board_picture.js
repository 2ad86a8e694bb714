/**
 * A board of the page as part of a picture: its shapes are drawn again on a canvas, with the styles that they have on
 * the page. The policy of the page admits no images made by scripts, so the browser cannot draw the board as one.
 */

/** @typedef {CanvasRenderingContext2D} Context */
/** @typedef {{x: number, y: number, width: number, height: number}} Place */

const SHAPES = 'circle, line, path, rect, text';
/** Marks for the player who is to move. */
const MARKS = '.target-mark, .focus-ring, .hint-mark, .hit, .drawings, .refusal';

/** @type {Record<string, CanvasTextAlign>} */
const ALIGNMENTS = { start: 'left', middle: 'center', end: 'right' };

/**
 * Draw a board as large as possible in the middle of a place.
 * @param {Context} context
 * @param {SVGSVGElement} board
 * @param {Place} place
 */
export function drawBoard(context, board, { x, y, width, height }) {
  const box = board.viewBox.baseVal;
  const scale = Math.min(width / box.width, height / box.height);
  const outer = board.getScreenCTM()?.inverse();
  context.save();
  context.translate(x + (width - box.width * scale) / 2, y + (height - box.height * scale) / 2);
  context.scale(scale, scale);
  context.translate(-box.x, -box.y);
  for (const shape of shapesIn(board)) {
    const inner = shape.getScreenCTM();
    if (!outer || !inner || shape.closest(MARKS) || !shape.checkVisibility()) continue;
    const { a, b, c, d, e, f } = outer.multiply(inner);
    context.save();
    context.transform(a, b, c, d, e, f);
    drawShape(context, shape, opacityOf(shape, board));
    context.restore();
  }
  context.restore();
}

/**
 * @param {Element} element
 * @returns {Iterable<SVGGraphicsElement>}
 */
function shapesIn(element) {
  return element.querySelectorAll(SHAPES);
}

/**
 * The opacity of a shape with that of everything around it.
 * @param {Element} shape
 * @param {Element} board
 */
function opacityOf(shape, board) {
  let opacity = 1;
  for (let element = shape; element !== board && element.parentElement; element = element.parentElement)
    opacity *= Number(getComputedStyle(element).opacity);
  return opacity;
}

/**
 * @param {Context} context
 * @param {SVGGraphicsElement} shape
 * @param {number} opacity
 */
function drawShape(context, shape, opacity) {
  const style = getComputedStyle(shape);
  const path = shape instanceof SVGTextElement ? null : outlineOf(shape);
  if (style.fill !== 'none') {
    context.globalAlpha = opacity * Number(style.fillOpacity);
    const pattern = referenced(style.fill);
    if (pattern instanceof SVGPatternElement && path) drawPattern(context, pattern, path, shape.getBBox());
    else {
      context.fillStyle = pattern ? gradient(context, pattern, shape.getBBox()) : style.fill;
      if (path) context.fill(path);
      else drawText(context, shape, style);
    }
  }
  if (style.stroke === 'none' || !path) return;
  context.globalAlpha = opacity * Number(style.strokeOpacity);
  context.strokeStyle = style.stroke;
  context.lineWidth = parseFloat(style.strokeWidth);
  context.lineCap = /** @type {CanvasLineCap} */ (style.strokeLinecap);
  context.lineJoin = /** @type {CanvasLineJoin} */ (style.strokeLinejoin);
  context.setLineDash(style.strokeDasharray === 'none' ? [] : style.strokeDasharray.split(',').map(parseFloat));
  context.stroke(path);
}

/** @param {SVGGraphicsElement} shape */
function outlineOf(shape) {
  if (shape instanceof SVGPathElement) return new Path2D(shape.getAttribute('d') ?? '');
  const path = new Path2D();
  if (shape instanceof SVGCircleElement) {
    path.arc(shape.cx.baseVal.value, shape.cy.baseVal.value, shape.r.baseVal.value, 0, 2 * Math.PI);
  } else if (shape instanceof SVGRectElement) {
    const { x, y, width, height, rx } = shape;
    path.roundRect(x.baseVal.value, y.baseVal.value, width.baseVal.value, height.baseVal.value, rx.baseVal.value);
  } else if (shape instanceof SVGLineElement) {
    path.moveTo(shape.x1.baseVal.value, shape.y1.baseVal.value);
    path.lineTo(shape.x2.baseVal.value, shape.y2.baseVal.value);
  }
  return path;
}

/**
 * @param {Context} context
 * @param {Element} shape
 * @param {CSSStyleDeclaration} style
 */
function drawText(context, shape, style) {
  context.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  context.textAlign = ALIGNMENTS[style.textAnchor] ?? 'left';
  context.textBaseline = style.dominantBaseline === 'central' ? 'middle' : 'alphabetic';
  context.fillText(shape.textContent ?? '', Number(shape.getAttribute('x')), Number(shape.getAttribute('y')));
}

/**
 * The gradient or pattern that a fill names, or null if it is a colour.
 * @param {string} fill
 */
function referenced(fill) {
  const id = /^url\("?#([^")]+)/.exec(fill)?.[1];
  return id ? document.getElementById(id) : null;
}

/**
 * @param {Context} context
 * @param {Element} source
 * @param {Place} box of the shape, to which the numbers of the gradient refer
 */
function gradient(context, source, { x, y, width, height }) {
  const number = (/** @type {string} */ name, /** @type {number} */ usual) =>
    Number(source.getAttribute(name) ?? usual);
  const [cx, cy, r] = [x + width * number('cx', 0.5), y + height * number('cy', 0.5), width * number('r', 0.5)];
  const [x1, y1] = [x + width * number('x1', 0), y + height * number('y1', 0)];
  const [x2, y2] = [x + width * number('x2', 1), y + height * number('y2', 0)];
  const isLinear = source instanceof SVGLinearGradientElement;
  const made = isLinear
    ? context.createLinearGradient(x1, y1, x2, y2)
    : context.createRadialGradient(cx, cy, 0, cx, cy, r);
  for (const stop of source.querySelectorAll('stop')) {
    const { stopColor, stopOpacity } = getComputedStyle(stop);
    const [red, green, blue] = stopColor.match(/[\d.]+/g) ?? [];
    made.addColorStop(Number(stop.getAttribute('offset')), `rgb(${red} ${green} ${blue} / ${stopOpacity})`);
  }
  return made;
}

/**
 * @param {Context} context
 * @param {SVGPatternElement} pattern
 * @param {Path2D} path that is filled
 * @param {Place} box of the path
 */
function drawPattern(context, pattern, path, box) {
  const [width, height] = [pattern.width.baseVal.value, pattern.height.baseVal.value];
  context.save();
  context.clip(path);
  for (let x = Math.floor(box.x / width) * width; x < box.x + box.width; x += width)
    for (let y = Math.floor(box.y / height) * height; y < box.y + box.height; y += height) {
      context.save();
      context.translate(x, y);
      for (const shape of shapesIn(pattern)) drawShape(context, shape, Number(getComputedStyle(shape).opacity));
      context.restore();
    }
  context.restore();
}
