// The replay table of one hand. Every frame is here from the start, so a step asks no server anything.
// Data reaches the page as text nodes and attributes only: a name is never read as markup.

const SVG = "http://www.w3.org/2000/svg";

// Suits as shapes in a box of 24, drawn by us: fonts and phones disagree on ♠ ♣ ♦ ♥. Nobody remembers "?".
const SUITS = {
  S: "M12 2c3.6 5.2 9.5 8 9.5 12.8a4.5 4.5 0 0 1-8.3 2.3c.2 2 .9 3.6 2.5 4.9H8.3c1.6-1.3 2.3-2.9 2.5-4.9a4.5 4.5 0 0 1-8.3-2.3C2.5 10 8.4 7.2 12 2z",
  C: "M12 2a4.7 4.7 0 0 1 4 7.2 4.7 4.7 0 1 1-3 8c.2 1.9 1 3.5 2.6 4.8H8.4c1.6-1.3 2.4-2.9 2.6-4.8a4.7 4.7 0 1 1-3-8A4.7 4.7 0 0 1 12 2z",
  D: "M12 1.5 20 12l-8 10.5L4 12z",
  "?": "M7 8.5a5 5 0 1 1 7.9 4.1c-1.2.9-1.6 1.5-1.6 3.1h-2.8c0-2.9.9-4 2.5-5.2a2.2 2.2 0 1 0-3.2-2zM12 17.6a1.9 1.9 0 1 1 0 3.8 1.9 1.9 0 0 1 0-3.8z",
  H: "M12 21.5C5 15.5 2 11.8 2 7.9 2 5 4.2 3 6.8 3c2.2 0 4.2 1.4 5.2 3.7C13 4.4 15 3 17.2 3 19.8 3 22 5 22 7.9c0 3.9-3 7.6-10 13.6z",
};

function make(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) if (value != null) node.setAttribute(name, value);
  node.append(...children.filter((child) => child != null && child !== false));
  return node;
}
const h = (tag, attributes = {}, ...children) => make(document.createElement(tag), attributes, children);
const s = (tag, attributes = {}, ...children) => make(document.createElementNS(SVG, tag), attributes, children);

// -- where things lie ---------------------------------------------------------------------------

/** Boxes of the seats (seat 0 nearest to the reader, the others counter-clockwise), centre and arrows. */
function layoutOf(seats, narrow) {
  const [width, card, head, gap] = narrow ? [366, 36, 26, 6] : [760, 44, 30, 10];
  const one = head + card * 1.4 + 8;
  const two = one + card * 1.4 + 4;
  const wide = narrow ? width - 2 * gap : 12 * 31 + card + 16;
  const side = narrow ? (width - 3 * gap) / 2 : 6 * 31 + card + 16;
  const x = (width - wide) / 2;
  const top = seats === 3 ? gap : one + 2 * gap;
  const middle = narrow ? 158 : 340;
  const centreTop = top + (narrow && seats > 2 ? two + gap : 0);
  const bottom = centreTop + middle + gap;
  const sideTop = narrow ? top : top + (middle - two) / 2;
  const sideEnd = sideTop + two + 12;
  const south = { x, y: bottom, w: wide, h: one, rows: 1 };
  const north = { ...south, y: gap };
  const east = { x: width - gap - side, y: sideTop, w: side, h: two, rows: 2 };
  const west = { ...east, x: gap };
  const inset = narrow ? 30 : side + 2 * gap;
  const centre = { x: inset, y: centreTop, w: width - 2 * inset, h: middle };
  const [left, right] = narrow ? [16, width - 16] : [70, width - 70];
  const [low, high] = narrow ? [bottom - 10, centreTop + 10] : [bottom + one / 2, gap + one / 2];
  // Each arrow bends from one seat to the next, counter-clockwise: start, bend, end.
  const arrows = narrow
    ? [[right, low, right, middle, right, high], [left, high, left, middle, left, low]]
    : [[x + wide + 12, low, right, low, right, sideEnd], [left, sideEnd, left, low, x - 12, low]];
  if (narrow) for (const arrow of arrows) arrow[3] = (low + high) / 2;
  else if (seats === 3) arrows.push([right, sideTop - 12, width / 2, gap - 60, left, sideTop - 12]);
  else arrows.push([right, sideTop - 12, right, high, x + wide + 12, high], [x - 12, high, left, high, left, sideTop - 12]);
  const mats = { 2: [south, north], 3: [south, east, west], 4: [south, east, north, west] }[seats];
  const title = narrow ? 17 : seats === 3 ? 56 : 27;
  return { narrow, title, width, height: bottom + one + gap + 8, card, head, mats, centre, arrows };
}

// -- cards --------------------------------------------------------------------------------------

/** One card; `strip` is the part of its width that the next card leaves free. */
function drawCard(code, x, y, width, strip, state) {
  const height = width * 1.4;
  const face = s("rect", { x, y, width, height, rx: width * 0.13, class: "tl-face" });
  if (code === "??") {
    const [inset, w, x2] = [width * 0.12, width * 0.18, x + Math.min(strip, width) / 2];
    return s("g", { class: `tl-card tl-back ${state}` }, face,
      s("rect", { x: x + inset, y: y + inset, width: width - 2 * inset, height: height - 2 * inset, rx: width * 0.08 }),
      s("path", { d: `M${x2} ${y + height * 0.3}l${w} ${height * 0.2}-${w} ${height * 0.2}-${w}-${height * 0.2}z` }));
  }
  const middle = x + Math.min(strip, width) / 2;
  const pip = Math.min(width * 0.44, strip * 0.72);
  const ten = code.length > 2;
  return s("g", { class: `tl-card tl-${code.endsWith("?") ? "open" : code.at(-1)} ${state}` }, face,
    s("text", { x: middle, y: y + height * 0.41, "font-size": width * 0.5, "text-anchor": "middle",
      ...(ten && { textLength: Math.min(width * 0.52, strip - 2), lengthAdjust: "spacingAndGlyphs" }) }, code.slice(0, -1)),
    s("path", { d: SUITS[code.at(-1)],
      transform: `translate(${middle - pip / 2} ${y + height * 0.5}) scale(${pip / 24})` }));
}

/** Cards in rows within a box, never wider than it; `state(code)` marks a card. */
function drawCards(codes, box, { width, pitch, rows = 1, centred = false, state = () => "" }) {
  const row = Math.max(Math.ceil(codes.length / rows), centred ? 1 : 7);
  const step = Math.min(pitch, row > 1 ? (box.w - width) / (row - 1) : pitch);
  return codes.map((code, index) => {
    const column = index % row;
    const last = Math.min(row, codes.length - index + column) - 1;
    const left = box.x + (centred ? (box.w - step * last - width) / 2 : 0) + column * step;
    const mark = state(code);
    const top = box.y + Math.floor(index / row) * (width * 1.4 + 4) - (mark === "tl-lifted" ? width * 0.09 : 0);
    return drawCard(code, left, top, width, column === last ? width * 0.72 : step, mark);
  });
}

/** A few cards as a small picture of their own, for the panel. */
function cardStrip(codes, kind) {
  const total = 22 * (codes.length - 1) + 29;
  return s("svg", { class: `tl-strip ${kind || ""}`, viewBox: `0 0 ${total} 40`, width: total, height: 40, role: "img", "aria-label": codes.join(" ") },
    ...drawCards(codes, { x: 1, y: 1, w: total - 2 }, { width: 27, pitch: 22, centred: true }));
}
