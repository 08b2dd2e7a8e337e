// -- the felt -----------------------------------------------------------------------------------

const NARROW = 560;
const isError = (flag) => flag.severity === "error";

/** The table as a picture: the seats with their cards, around what was played last. */
function feltOf({ view, reader, sight, part, labels, t, say, nameOf }) {
  const seats = view.players.length;
  let layout;

  // Seat 0 is the nearest, or the seat whose view this is.
  const sideOf = (seat) => (seat - (reader.seat ?? 0) + seats) % seats;

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
    const letters = Intl.Segmenter ? Array.from(new Intl.Segmenter(reader.lang).segment(start), (each) => each.segment) : [...start];
    while (letters.length && measure(`${letters.join("")}…`, size) > room) letters.pop();
    return letters.length ? `${letters.join("")}…` : "";
  }

  /** A name without its first words where there is no room: people are called by the last (the given name). */
  function shortName(name, size, room) {
    const words = name.split(" ");
    while (words.length > 1 && measure(words.join(" "), size) > room) words.shift();
    return fitted(words.join(" "), size, room);
  }

  /** What changes with the step. */
  function draw() {
    const act = view.events[reader.at];
    const frame = view.frames[reader.at + 1];
    part.table.classList.toggle("tl-disputed", Boolean(act?.disputed));
    layout.slots.forEach((slot, seat) => {
      const acted = act?.seat === seat && act;
      const badges = badgesOf(seat, frame);
      // A seat that looks as before is left alone: most of them, at most steps.
      const looks = JSON.stringify([sight.holding(seat, reader.at + 1), badges, acted.index, frame.over]);
      if (slot.looks === looks) return;
      slot.looks = looks;
      const bad = acted && sight.told(act).flags.some(isError);
      slot.setAttribute("class", `tl-seat ${frame.turn === seat ? "tl-turn" : ""} ${acted ? "tl-acted" : ""} ${bad ? "tl-bad" : ""}`);
      slot.replaceChildren(...drawSeat(seat, layout.mats[sideOf(seat)], frame, badges, acted, bad));
      if (acted) part.table.append(slot); // what was done stands on the edge, over the seat beyond it
    });
    layout.centreSlot.replaceChildren(...drawCentre(frame, act));
  }

  function drawSeat(seat, box, frame, badges, acted, bad) {
    const size = layout.head * 0.54;
    const middle = box.y + layout.head / 2 + 1;
    const low = box.y + box.h;
    const playable = new Set(acted ? [...(sight.told(acted).missed?.options.flat() ?? []), ...acted.cards] : []);
    const parts = [
      s("rect", { x: box.x, y: box.y, width: box.w, height: box.h, rx: 10, class: "tl-mat" }),
      ...drawCards(sight.holding(seat, reader.at + 1), { x: box.x + 8, y: box.y + layout.head, w: box.w - 16 },
        { width: layout.card, pitch: 31, rows: box.rows, state: (code) => (playable.has(code) ? "tl-lifted" : "") }),
    ];
    const count = String(frame.counts[seat]);
    const left = box.x + measure(count, size) + size + 13;
    const edge = box.x + box.w - 7;
    const widthOf = ([, text]) => measure(text, size * 0.9) + size * 0.9 + 4;
    const given = Math.min(measure(nameOf(seat).split(" ").at(-1), size), size * 4);
    // Badges beside which the given name would not be whole stand below the cards.
    const beside = [...badges];
    const start = () => edge - beside.reduce((sum, badge) => sum + widthOf(badge), 0);
    while (beside.length && start() - left - 4 < given) beside.pop();
    const below = badges.slice(beside.length);
    const room = Math.max(start() - left - 4, 0);
    let right = edge;
    for (const badge of beside) {
      parts.push(pill(...badge, size * 0.9, middle, { right }));
      right -= widthOf(badge);
    }
    let under = frame.over ? box.x + 10 : edge; // the money stands on the right of it
    for (const badge of below) {
      if (badge[0] === "passed" && acted?.type === "pass") continue; // that is what it has just done
      parts.push(pill(...badge, size * 0.9, low, frame.over ? { left: under } : { right: under }));
      under += frame.over ? widthOf(badge) : -widthOf(badge);
    }
    parts.push(
      pill("count", count, size, middle, { left: box.x + 7 }),
      // An svg of its own clips whatever a name may be made of.
      s("svg", { x: left, y: box.y, width: room, height: layout.head }, s("title", {}, nameOf(seat)),
        s("text", { y: layout.head / 2 + 1 + size * 0.36, "font-size": size }, shortName(nameOf(seat), size, room))));
    if (frame.over) parts.push(pill("net", t(view.net[seat]?.text), size, low, { right: box.x + box.w - 10 }));
    // What was done without putting cards on the table, on the edge of the mat that faces the centre.
    if (acted && acted.type !== "play" && labels[acted.type] && !(frame.over && acted.type === "show"))
      parts.push(pill("act", (bad ? "✗ " : "") + say(acted.type), size, sideOf(seat) ? low : box.y - size * 0.5, { left: box.x + 10 }));
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
    const before = view.frames[reader.at] && !view.frames[reader.at].closed ? view.frames[reader.at].top : [];
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
    const mark = !played ? "" : sight.told(act).flags.some(isError) ? "tl-wrong" : "tl-played";
    const title = [frame.trick && say("trickN", { n: frame.trick }), shown.length && owner != null && say("of", { player: nameOf(owner) })];
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

  /** What changes with the room there is, the language and the seat nearest to the reader. */
  function fit() {
    layout = layoutOf(seats, part.board.clientWidth < NARROW);
    layout.slots = layout.mats.map(() => s("g"));
    layout.centreSlot = s("g");
    part.table.setAttribute("viewBox", `0 0 ${layout.width} ${layout.height}`);
    part.table.replaceChildren(...layout.arrows.map(drawArrow), layout.centreSlot, ...layout.slots);
  }

  return { fit, draw, fits: () => layout.narrow === part.board.clientWidth < NARROW };
}
