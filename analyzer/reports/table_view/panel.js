// -- the panel ----------------------------------------------------------------------------------

const MARKS = { error: "✗", warning: "!", info: "i", missed: "○", undecided: "?", chop: "⚔\uFE0E", forfeit: "₫" };

/** What stands beside and below the table: ruling, legal plays, the state before, the list, the money. */
function panelOf({ view, reader, sight, part, t, say, nameOf }) {
  const end = view.events.length - 1;
  const disputedBy = view.events.findIndex((act) => act.flags.some(isError));

  const stepLink = (k, ...children) => h("button", { type: "button", class: "tl-link", "data-step": k }, ...children);
  const forfeitName = view.forfeit?.dismissed ? "forfeitDismissed" : "forfeit";
  const mark = (kind) => h("span", { class: `tl-mark tl-${kind}`, title: say(kind === "missed" ? "missedShort" : kind === "forfeit" ? forfeitName : kind) }, MARKS[kind]);
  const item = (kind, title, ...children) =>
    h("article", { class: `tl-item tl-${kind}` }, h("p", { class: "tl-kind" }, mark(kind), ` ${title}`), ...children);
  const muted = (...children) => h("p", { class: "tl-muted" }, ...children);
  const rows = (...pairs) => h("dl", {}, ...pairs.flatMap(([key, ...value]) => [h("dt", {}, say(key)), h("dd", {}, ...value)]));
  const strips = (plays, chosen) => plays.map((cards) => cardStrip(cards, chosen === cards.join() && "tl-chosen"));

  function marksOf(act) {
    const { flags, missed, undecided, chops, forfeit } = sight.told(act);
    return [...new Set(flags.map((flag) => flag.severity)), missed && "missed", undecided && "undecided",
      chops.length && "chop", forfeit && "forfeit"].filter(Boolean).map(mark);
  }

  const groundRows = (ground) => rows(
    ["rule", t(ground.name), " ", h("code", {}, ground.rule)],
    ...(ground.value ? [["value", t(ground.value)]] : []),
    ["ground", t(ground.cite)],
    ...(ground.because ? [["because", t(ground.because)]] : []));

  const groundLine = ({ name, rule, value, cite }) =>
    muted(t(name), " ", h("code", {}, rule), value ? ` = ${t(value)}` : "", ` · ${t(cite)}`);

  const ruling = (kind, title, { certainty, ground }, message) =>
    item(kind, `${title} · ${say(certainty)}`, h("p", { class: "tl-message" }, t(message)), groundRows(ground));

  /** What the rules say of the act, each with its source. */
  function drawRuling(act, next) {
    const said = act && sight.told(act);
    const items = [];
    const flags = [...(said ? said.flags : sight.dealFlags()), ...(reader.at === end ? view.end_flags : [])];
    for (const flag of flags) items.push(ruling(flag.severity, say(flag.severity), flag, flag.message));
    if (said?.forfeit && view.forfeit) {
      const forfeit = ruling("forfeit", say(forfeitName), view.forfeit, view.forfeit.text);
      if (!said.missed && view.forfeit.options.length) forfeit.append(h("div", { class: "tl-plays" }, ...strips(view.forfeit.options)));
      items.push(forfeit);
    }
    if (said?.missed) items.push(item("missed", say("missed", { player: nameOf(said.missed.seat) })));
    if (said?.undecided) items.push(item("undecided", say("undecided")));
    if (said?.chops.length) items.push(item("chop", say("chop"), ...said.chops.map((chop) => h("p", {}, t(chop)))));
    const paid = act && !sight.veiled() ? view.transfers.filter((transfer) => transfer.event === reader.at) : [];
    if (paid.length) {
      const shown = said.forfeit ? [view.forfeit.ground.rule] : [];
      const grounds = paid.flatMap((one) => one.grounds).filter(({ rule }) => !shown.includes(rule) && shown.push(rule));
      items.push(item("forfeit", say("settledHere"), h("ul", {}, ...paid.map((one) => h("li", {}, t(one.text)))), ...grounds.map(groundLine)));
    }
    if (!items.length) {
      items.push(muted(say("clean"), " ", next !== undefined && stepLink(next, say("nearest", { n: next }))));
      const rule = act?.choice && (act.type === "pass" ? "pass" : act.choice.lead ? "lead" : "answer");
      if (rule) items.push(groundRows(view.plain_rules[rule]));
    }
    part.ruling.replaceChildren(h("h3", {}, say("ruling")),
      act?.disputed ? h("p", { class: "tl-note" }, say("disputedFrom", { n: disputedBy + 1 })) : "", ...items);
  }

  /** The legal plays there were, the one that was made marked. */
  function drawChoice(act) {
    const { choice, hidden } = act ? sight.told(act) : {};
    const title = h("h3", {}, choice ? say(choice.whole ? "plays" : "playsKnown", { n: choice.count }) : say("legal"));
    part.choice.hidden = !act;
    if (!choice) return part.choice.replaceChildren(title, muted(say(hidden ? "hiddenPlays" : "noChoice")));
    const none = choice.whole ? "hadToPass" : "onlyUnknown";
    part.choice.replaceChildren(title, h("div", { class: "tl-plays" }, ...strips(choice.plays, act.cards.join()),
      choice.count > choice.plays.length && h("span", { class: "tl-muted" }, say("more", { n: choice.count - choice.plays.length }))),
      choice.count ? "" : muted(say(none)));
  }

  /** The table as the seat found it. */
  function drawBefore(act) {
    const frame = act && view.frames[reader.at];
    part.before.hidden = !act || act.seat == null;
    if (part.before.hidden) return;
    const leads = frame.closed || !frame.top.length;
    const others = view.players.filter(({ seat }) => seat !== act.seat).map(({ seat }) => {
      const how = frame.frozen.includes(seat) ? "frozen" : frame.passed.includes(seat) && !frame.closed ? "passed" : null;
      return h("li", {}, h("bdi", {}, nameOf(seat)), `: ${frame.counts[seat]}`, how && ` (${say(how)})`);
    });
    part.before.replaceChildren(h("h3", {}, say("before")), rows(
      ["toAct", frame.turn == null ? "–" : nameOf(frame.turn)],
      ["toBeat", leads ? say("aLead") : cardStrip(frame.top), !leads && frame.owner != null && ` ${nameOf(frame.owner)}`],
      ["others", h("ul", {}, ...others)]),
      muted(say("holding", { player: nameOf(act.seat) })), cardStrip(sight.holding(act.seat, reader.at)));
  }

  function drawEvents() {
    const listed = [h("li", { "data-at": -1 }, stepLink(-1, h("i", {}, "–"), h("span", {}, say("dealt")), ...sight.dealFlags().map((flag) => mark(flag.severity))))];
    let trick = 0;
    for (const act of view.events) {
      const now = view.frames[act.index + 1].trick;
      if (now !== trick) listed.push(h("li", { class: "tl-trick", "data-at": act.index }, say("trickN", { n: now })));
      trick = now;
      listed.push(h("li", { class: act.disputed ? "tl-disputed" : "", "data-at": act.index },
        stepLink(act.index, h("i", {}, act.index + 1), h("span", {}, t(act.text)), ...marksOf(act))));
    }
    part.events.replaceChildren(h("h3", {}, say("events")), h("ol", {}, ...listed));
  }

  function drawMoney() {
    const totals = view.net.map(({ value, text }, seat) =>
      h("div", { class: value > 0 ? "tl-plus" : value < 0 ? "tl-minus" : "" }, h("dt", {}, nameOf(seat)), h("dd", {}, t(text))));
    const lines = view.transfers.map(({ text, grounds, event: from }) => h("li", { "data-event": from },
      h("p", {}, t(text), " ", from != null && stepLink(from, `→ ${from + 1}`)), ...grounds.map(groundLine)));
    part.money.replaceChildren(h("h3", {}, say("settlement")), h("p", {}, t(view.outcome)), h("dl", { class: "tl-totals" }, ...totals),
      lines.length ? h("ul", {}, ...lines) : muted(say("nobodyPays")),
      ...(view.hanging.length ? [h("h4", {}, say("hanging")), h("ul", {}, ...view.hanging.map((text) => h("li", {}, h("p", {}, t(text)))))] : []));
  }

  /** What changes with the step; `next` is the next flag, if it may be told. */
  function draw(next) {
    const act = view.events[reader.at];
    drawRuling(act, next);
    drawChoice(act);
    drawBefore(act);
    const veiled = sight.veiled();
    part.money.hidden = veiled;
    for (const line of part.money.querySelectorAll("[data-event]")) line.classList.toggle("tl-now", line.dataset.event === String(reader.at));
    const list = part.events.querySelector("ol");
    for (const line of list.children) line.hidden = veiled && Number(line.dataset.at) > reader.at;
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const row = list.querySelector(`[data-step="${reader.at}"]`);
    row.setAttribute("aria-current", "step");
    // Scrolls the list only (scrollIntoView would move the page), and last, for it asks where things lie.
    if (row.offsetTop < list.scrollTop || row.offsetTop + row.offsetHeight > list.scrollTop + list.clientHeight)
      list.scrollTop = row.offsetTop - list.clientHeight / 2;
  }

  /** What changes with the language and the view. */
  function drawWords() {
    drawEvents();
    drawMoney();
  }

  return { draw, drawWords, marksOf };
}
