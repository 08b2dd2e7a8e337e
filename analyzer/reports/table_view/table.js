// The replay table of one hand. Every frame is here from the start, so a step asks no server anything.
// Data reaches the page as text nodes and attributes only: a name is never read as markup.

const SVG = "http://www.w3.org/2000/svg";

// Suits as shapes in a box of 24, drawn by us: fonts and phones disagree on ♠ ♣ ♦ ♥.
const SUITS = {
  S: "M12 2c3.6 5.2 9.5 8 9.5 12.8a4.5 4.5 0 0 1-8.3 2.3c.2 2 .9 3.6 2.5 4.9H8.3c1.6-1.3 2.3-2.9 2.5-4.9a4.5 4.5 0 0 1-8.3-2.3C2.5 10 8.4 7.2 12 2z",
  C: "M12 2a4.7 4.7 0 0 1 4 7.2 4.7 4.7 0 1 1-3 8c.2 1.9 1 3.5 2.6 4.8H8.4c1.6-1.3 2.4-2.9 2.6-4.8a4.7 4.7 0 1 1-3-8A4.7 4.7 0 0 1 12 2z",
  D: "M12 1.5 20 12l-8 10.5L4 12z",
  H: "M12 21.5C5 15.5 2 11.8 2 7.9 2 5 4.2 3 6.8 3c2.2 0 4.2 1.4 5.2 3.7C13 4.4 15 3 17.2 3 19.8 3 22 5 22 7.9c0 3.9-3 7.6-10 13.6z",
};
const MARKS = { error: "✗", warning: "!", info: "i", missed: "○", undecided: "?", chop: "⚔\uFE0E", forfeit: "₫" };
const KEYS = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last",
  f: "flagNext", F: "flagBack", m: "missNext", M: "missBack" };
const NARROW = 560;

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
  return s("g", { class: `tl-card tl-${code.at(-1)} ${state}` }, face,
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
function cardStrip(codes) {
  const total = 22 * (codes.length - 1) + 29;
  return s("svg", { class: "tl-strip", viewBox: `0 0 ${total} 40`, width: total, height: 40, role: "img", "aria-label": codes.join(" ") },
    ...drawCards(codes, { x: 1, y: 1, w: total - 2 }, { width: 27, pitch: 22, centred: true }));
}

// -- the component ------------------------------------------------------------------------------

/**
 * Draws `view` into `root`, which holds table.html, at `event` (-1: the deal) in `lang`.
 * Calls `onEvent(k)` whenever the reader moves. Returns {go, show, destroy}.
 */
export function mountTable(root, view, { lang = "vi", event = -1, labels = {}, onEvent = () => {} } = {}) {
  const part = Object.fromEntries([...root.querySelectorAll("[data-part]")].map((node) => [node.dataset.part, node]));
  const buttons = [...part.controls.querySelectorAll("[data-go]")];
  const end = view.events.length - 1;
  const seats = view.players.length;
  const life = new AbortController();
  const clamp = (k) => Math.max(-1, Math.min(end, Number.isFinite(k) ? Math.trunc(k) : -1));
  let at = clamp(event);
  let layout;

  const isError = (flag) => flag.severity === "error";
  const positions = (test, atDeal, atEnd) =>
    [...new Set([...(atDeal ? [-1] : []), ...view.events.filter(test).map((act) => act.index), ...(atEnd ? [end] : [])])];
  const flagged = positions((act) => act.flags.length || act.forfeit, view.deal_flags.length, view.end_flags.length);
  const missed = positions((act) => act.missed || act.undecided);
  const disputedBy = view.events.findIndex((act) => act.flags.some(isError));

  const targets = {
    first: () => (at > -1 ? -1 : undefined),
    back: () => (at > -1 ? at - 1 : undefined),
    next: () => (at < end ? at + 1 : undefined),
    last: () => (at < end ? end : undefined),
    flagBack: () => flagged.findLast((k) => k < at),
    flagNext: () => flagged.find((k) => k > at),
    missBack: () => missed.findLast((k) => k < at),
    missNext: () => missed.find((k) => k > at),
  };

  function go(k) {
    if (k === undefined || clamp(k) === at) return;
    at = clamp(k);
    drawStep();
    onEvent(at);
  }

  // -- words --------------------------------------------------------------------------------------

  const t = (both) => both?.[lang] ?? "";
  const say = (key, values = {}) => t(labels[key]).replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
  const nameOf = (seat) => view.players[seat]?.name ?? "";

  const ruler = document.createElement("canvas").getContext("2d");
  const family = getComputedStyle(part.app).fontFamily;
  const widths = new Map();

  function measure(text, size) {
    ruler.font = `700 100px ${family}`;
    if (!widths.has(text)) widths.set(text, ruler.measureText(text).width / 100);
    return widths.get(text) * size;
  }

  function fitted(text, size, room) {
    if (measure(text, size) <= room) return text;
    // By what people see as one letter, so that no accent is torn off.
    const start = text.slice(0, 60);
    const letters = Intl.Segmenter ? Array.from(new Intl.Segmenter(lang).segment(start), (each) => each.segment) : [...start];
    while (letters.length && measure(`${letters.join("")}…`, size) > room) letters.pop();
    return letters.length ? `${letters.join("")}…` : "";
  }

  /** A name without its first words where there is no room: people are called by the last (the given name). */
  function shortName(name, size, room) {
    const words = name.split(" ");
    while (words.length > 1 && measure(words.join(" "), size) > room) words.shift();
    return fitted(words.join(" "), size, room);
  }

  // -- the table ----------------------------------------------------------------------------------

  function drawTable(act, frame) {
    part.table.classList.toggle("tl-disputed", Boolean(act?.disputed));
    layout.slots.forEach((slot, seat) => {
      const acted = act?.seat === seat && act;
      const badges = badgesOf(seat, frame);
      // A seat that looks as before is left alone: most of them, at most steps.
      const looks = JSON.stringify([frame.holdings[seat], badges, acted.index, frame.over, lang]);
      if (slot.looks === looks) return;
      slot.looks = looks;
      const bad = acted && act.flags.some(isError);
      slot.setAttribute("class", `tl-seat ${frame.turn === seat ? "tl-turn" : ""} ${acted ? "tl-acted" : ""} ${bad ? "tl-bad" : ""}`);
      slot.replaceChildren(...drawSeat(seat, layout.mats[seat], frame, badges, acted, bad));
    });
    layout.centreSlot.replaceChildren(...drawCentre(frame, act));
  }

  function drawSeat(seat, box, frame, badges, acted, bad) {
    const size = layout.head * 0.54;
    const middle = box.y + layout.head / 2 + 1;
    const low = box.y + box.h;
    const playable = new Set(acted ? [...(acted.missed?.options.flat() ?? []), ...acted.cards] : []);
    const parts = [
      s("rect", { x: box.x, y: box.y, width: box.w, height: box.h, rx: 10, class: "tl-mat" }),
      ...drawCards(frame.holdings[seat], { x: box.x + 8, y: box.y + layout.head, w: box.w - 16 },
        { width: layout.card, pitch: 31, rows: box.rows, state: (code) => (playable.has(code) ? "tl-lifted" : "") }),
    ];
    let right = box.x + box.w - 7;
    for (const [kind, text] of badges) {
      parts.push(pill(kind, text, size * 0.9, middle, { right }));
      right -= measure(text, size * 0.9) + size * 0.9 + 4;
    }
    const count = String(frame.counts[seat]);
    const left = box.x + measure(count, size) + size + 13;
    const room = Math.max(right - left - 4, 0);
    parts.push(
      pill("count", count, size, middle, { left: box.x + 7 }),
      // An svg of its own clips whatever a name may be made of.
      s("svg", { x: left, y: box.y, width: room, height: layout.head }, s("title", {}, nameOf(seat)),
        s("text", { y: layout.head / 2 + 1 + size * 0.36, "font-size": size }, shortName(nameOf(seat), size, room))));
    if (frame.over) parts.push(pill("net", t(view.net[seat]?.text), size, low, { right: box.x + box.w - 10 }));
    // What was done without putting cards on the table, on the edge of the mat that faces the centre.
    if (acted && acted.type !== "play" && labels[acted.type] && !(frame.over && acted.type === "show"))
      parts.push(pill("act", (bad ? "✗ " : "") + say(acted.type), size, seat ? low : box.y - size * 0.5, { left: box.x + 10 }));
    return parts;
  }

  function pill(kind, text, size, middle, { left, right }) {
    const width = measure(text, size) + size;
    const x = left ?? right - width;
    return s("g", { class: `tl-pill tl-${kind}` },
      s("rect", { x, y: middle - size * 0.85, width, height: size * 1.7, rx: size * 0.85 }),
      s("text", { x: x + width / 2, y: middle + size * 0.36, "text-anchor": "middle", "font-size": size }, text));
  }

  function badgesOf(seat, frame) {
    const badges = [];
    const out = frame.out.indexOf(seat);
    const place = view.places ? view.places.indexOf(seat) : out;
    if (frame.left.includes(seat)) badges.push(["gone", say("left")]);
    if (place >= 0 && (out >= 0 || frame.over)) badges.push([`place${place || "First"}`, say(place === seats - 1 ? "placeLast" : `place${place + 1}`)]);
    if (frame.frozen.includes(seat)) badges.push(["frozen", `❄\uFE0E ${say("frozen")}`]);
    else if (frame.passed.includes(seat) && !frame.over) badges.push(["passed", say("passed")]);
    if (frame.turn === seat) badges.push(["turning", say("turn")]);
    return badges;
  }

  /** What lies in the middle: the cards just played over what they had to beat, or the top of the trick. */
  function drawCentre(frame, act) {
    const { narrow, centre } = layout;
    const size = narrow ? 13 : 15;
    const line = (text, offset, kind = "") =>
      s("text", { x: centre.x + centre.w / 2, y: centre.y + offset, "text-anchor": "middle", "font-size": size, class: `tl-line ${kind}` },
        fitted(text, size, narrow ? centre.w : 440));
    const before = view.frames[at] && !view.frames[at].closed ? view.frames[at].top : [];
    const played = act?.type === "play" ? act.cards : null;
    const stands = played?.join() === frame.top.join();
    const under = !played ? [] : !stands ? frame.top : before.join() === frame.top.join() ? [] : before;
    const shown = played ?? frame.top;
    const owner = played ? act.seat : frame.owner;
    const width = narrow ? 44 : 62;
    const rows = shown.length * width * 0.6 > centre.w ? 2 : 1;
    const little = width * 0.62;
    const over = under.length ? little * 1.4 + (narrow ? 4 : 12) : 0;
    const y = centre.y + (centre.h - rows * (width * 1.4 + 4) - over) / 2;
    const mark = !played ? "" : act.flags.some(isError) ? "tl-wrong" : "tl-played";
    const title = [frame.trick && say("trick", { n: frame.trick }), shown.length && owner != null && say("of", { player: nameOf(owner) })];
    const status = frame.over ? say("over") : !frame.closed ? "" :
      frame.turn == null ? say("closed") : say("leads", { player: nameOf(frame.turn) });
    return [
      line(title.filter(Boolean).join(" · "), layout.title),
      s("g", { class: "tl-under" }, ...drawCards(under, { ...centre, y }, { width: little, pitch: little * 0.7, centred: true })),
      s("g", { class: frame.closed && !played ? "tl-under" : "" },
        ...drawCards(shown, { ...centre, y: y + over }, { width, pitch: width + 4, rows, centred: true, state: () => mark })),
      line(shown.length ? "" : say("empty"), centre.h / 2),
      line(status, centre.h - (narrow ? 20 : 14), "tl-status"),
    ];
  }

  function drawArrow([x1, y1, bx, by, x2, y2]) {
    const [x, y] = view.direction === "clockwise" ? [x1, y1] : [x2, y2];
    const turned = (Math.atan2(y - by, x - bx) * 180) / Math.PI;
    return s("g", { class: "tl-arrow" }, s("title", {}, say(view.direction)), s("path", { d: `M${x1} ${y1}Q${bx} ${by} ${x2} ${y2}` }),
      s("path", { d: "M-7-6 0 0-7 6", transform: `translate(${x} ${y}) rotate(${turned})` }));
  }

  // -- the panel ----------------------------------------------------------------------------------

  const stepLink = (k, ...children) => h("button", { type: "button", class: "tl-link", "data-step": k }, ...children);
  const mark = (kind) => h("span", { class: `tl-mark tl-${kind}`, title: say(kind === "missed" ? "missedShort" : kind) }, MARKS[kind]);
  const heading = (kind, text) => h("p", { class: "tl-kind" }, mark(kind), ` ${text}`);
  const item = (kind, title, ...children) => h("article", { class: `tl-item tl-${kind}` }, heading(kind, title), ...children);
  const marksOf = (act) =>
    [...new Set(act.flags.map((flag) => flag.severity)), act.missed && "missed", act.undecided && "undecided",
      act.chops.length && "chop", act.forfeit && "forfeit"].filter(Boolean).map(mark);

  function drawRuling(act) {
    const items = [];
    const flags = [...(act?.flags ?? view.deal_flags), ...(at === end ? view.end_flags : [])];
    for (const flag of flags) items.push(ruling(flag.severity, say(flag.severity), flag, flag.message));
    if (act?.forfeit && view.forfeit) {
      const forfeit = ruling("forfeit", say("forfeit"), view.forfeit, view.forfeit.text);
      if (!act.missed) forfeit.append(plays(view.forfeit.options, view.forfeit.options.length) || "");
      items.push(forfeit);
    }
    if (act?.missed)
      items.push(item("missed", say("missed", { player: nameOf(act.missed.seat) }), plays(act.missed.options, act.missed.count)));
    if (act?.undecided) items.push(item("undecided", say("undecided")));
    if (act?.chops.length) items.push(item("chop", say("chop"), ...act.chops.map((chop) => h("p", {}, t(chop)))));
    const paid = act ? view.transfers.filter((transfer) => transfer.event === at) : [];
    if (paid.length) items.push(item("forfeit", say("settledHere"), h("ul", {}, ...paid.map((one) => h("li", {}, t(one.text))))));
    const next = flagged.find((k) => k > at);
    if (!items.length)
      items.push(h("p", { class: "tl-muted" }, say("clean"), " ", next !== undefined && stepLink(next, say("nearest", { n: next }))));
    part.ruling.replaceChildren(h("h3", {}, say("ruling")),
      act?.disputed ? h("p", { class: "tl-note" }, say("disputedFrom", { n: disputedBy })) : "", ...items);
  }

  function ruling(kind, title, { certainty, ground }, message) {
    const row = (key, ...value) => [h("dt", {}, say(key)), h("dd", {}, ...value)];
    return item(kind, `${title} · ${say(certainty)}`, h("p", { class: "tl-message" }, t(message)),
      h("dl", {},
        ...row("rule", t(ground.name), " ", h("code", {}, ground.rule)),
        ...(ground.value ? row("value", t(ground.value)) : []),
        ...row("ground", t(ground.cite)),
        ...(ground.because ? row("because", ground.because) : [])));
  }

  const plays = (options, count) => count > 0 &&
    h("div", { class: "tl-plays" }, h("p", {}, say("plays", { n: count })), ...options.map(cardStrip),
      count > options.length && h("span", { class: "tl-muted" }, say("more", { n: count - options.length })));

  function drawEvents() {
    const rows = [h("li", {}, stepLink(-1, h("i", {}, "–"), h("span", {}, say("dealt")), ...view.deal_flags.map((flag) => mark(flag.severity))))];
    let trick = 0;
    for (const act of view.events) {
      const now = view.frames[act.index + 1].trick;
      if (now !== trick) rows.push(h("li", { class: "tl-trick" }, say("trick", { n: now })));
      trick = now;
      rows.push(h("li", { class: act.disputed ? "tl-disputed" : "" },
        stepLink(act.index, h("i", {}, act.index), h("span", {}, t(act.text)), ...marksOf(act))));
    }
    part.events.replaceChildren(h("h3", {}, say("events")), h("ol", {}, ...rows));
  }

  function drawMoney() {
    const totals = view.net.map(({ value, text }, seat) =>
      h("div", { class: value > 0 ? "tl-plus" : value < 0 ? "tl-minus" : "" }, h("dt", {}, nameOf(seat)), h("dd", {}, t(text))));
    const lines = view.transfers.map(({ text, grounds, event: from }) => h("li", { "data-event": from },
      h("p", {}, t(text), " ", from != null && stepLink(from, `→ ${from}`)),
      ...grounds.map(({ name, rule, value, cite }) =>
        h("p", { class: "tl-muted" }, t(name), " ", h("code", {}, rule), value ? ` = ${t(value)}` : "", ` · ${t(cite)}`))));
    part.money.replaceChildren(h("h3", {}, say("settlement")), h("p", {}, t(view.outcome)), h("dl", { class: "tl-totals" }, ...totals),
      lines.length ? h("ul", {}, ...lines) : h("p", { class: "tl-muted" }, say("nobodyPays")));
  }

  // -- drawing it all -----------------------------------------------------------------------------

  /** What changes with the step. */
  function drawStep() {
    const act = view.events[at];
    const sentence = act ? t(act.text) : `${say("dealt")}. ${t(view.lead)}`;
    part.sentence.replaceChildren(h("b", {}, act ? `${at}. ` : ""), h("bdi", {}, sentence), ...(act ? marksOf(act) : []),
      act?.disputed ? h("span", { class: "tl-tag" }, say("disputed")) : "");
    part.table.setAttribute("aria-label", sentence);
    part.slider.value = at;
    part.slider.setAttribute("aria-valuetext", sentence);
    part.position.textContent = `${act ? at : "–"} / ${end < 0 ? "–" : end}`;
    // aria-disabled and not disabled: a disabled button would lose the keyboard's focus under the reader.
    for (const button of buttons) button.setAttribute("aria-disabled", targets[button.dataset.go]() === undefined);
    drawTable(act, view.frames[at + 1]);
    drawRuling(act);
    for (const line of part.money.querySelectorAll("[data-event]")) line.classList.toggle("tl-now", line.dataset.event === String(at));
    const list = part.events.querySelector("ol");
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const row = list.querySelector(`[data-step="${at}"]`);
    row.setAttribute("aria-current", "step");
    // Scrolls the list only (scrollIntoView would move the page), and last, for it asks where things lie.
    if (row.offsetTop < list.scrollTop || row.offsetTop + row.offsetHeight > list.scrollTop + list.clientHeight)
      list.scrollTop = row.offsetTop - list.clientHeight / 2;
  }

  /** What changes with the language. */
  function drawWords() {
    part.app.lang = lang;
    part.controls.setAttribute("aria-label", say("controls"));
    part.slider.setAttribute("aria-label", say("slider"));
    part.slider.max = end;
    part.keys.textContent = say("keys");
    for (const button of buttons) {
      button.title = say(button.dataset.go);
      button.setAttribute("aria-label", button.title);
    }
    const { rules, stake, hand_id: id } = view.hand;
    part.hand.replaceChildren(h("b", {}, t(rules.title)), ` · ${say("stake", { stake: t(stake) })} · `, h("bdi", {}, id));
    drawEvents();
    drawMoney();
    drawFelt();
  }

  /** What changes with the room there is. */
  function drawFelt() {
    layout = layoutOf(seats, part.board.clientWidth < NARROW);
    layout.slots = layout.mats.map(() => s("g"));
    layout.centreSlot = s("g");
    part.table.setAttribute("viewBox", `0 0 ${layout.width} ${layout.height}`);
    part.table.replaceChildren(...layout.arrows.map(drawArrow), layout.centreSlot, ...layout.slots);
    drawStep();
  }

  // -- what the reader does -----------------------------------------------------------------------

  function onKey(press) {
    const name = KEYS[press.key];
    if (!name || press.ctrlKey || press.altKey || press.metaKey || press.defaultPrevented) return;
    const target = press.composedPath()[0];
    const typing = "input, textarea, select, [contenteditable], [role=listbox], [role=slider], [role=tab]";
    if (target !== part.slider && target.closest?.(typing)) return;
    press.preventDefault();
    go(targets[name]());
  }

  const listen = (node, type, listener) => node.addEventListener(type, listener, { signal: life.signal });
  listen(window, "keydown", onKey);
  listen(part.slider, "input", () => go(Number(part.slider.value)));
  listen(part.app, "click", (click) => {
    const { go: name, step } = click.target.closest("[data-go], [data-step]")?.dataset ?? {};
    go(name ? targets[name]() : step && Number(step));
  });
  drawWords();
  const observer = new ResizeObserver(() => part.board.clientWidth < NARROW !== layout.narrow && drawFelt());
  observer.observe(part.board);
  life.signal.addEventListener("abort", () => observer.disconnect());
  return {
    go,
    show(language, k = at) {
      lang = language;
      at = clamp(k);
      drawWords();
    },
    destroy: () => life.abort(),
  };
}
