// -- what happened so far, and what it comes to -------------------------------------------------

const MARKED = { error: "✗", warning: "!", info: "i", missed: "○", undecided: "?", chop: "⚔\uFE0E", forfeit: "₫" };

/** The list of acts, the flags in words, the money, and what another way to play it changes. */
function recordOf({ say, t }) {
  const mark = (kind) => h("span", { class: `tl-mark tl-${kind}`, title: say(kind === "missed" ? "missedShort" : kind) }, MARKED[kind]);
  const ruleOf = ({ ground }) => `${t(ground.name)}${ground.value ? ` = ${t(ground.value)}` : ""} · ${t(ground.cite)}`;
  const flagItem = (flag) => h("article", { class: `tl-item tl-${flag.severity}` },
    h("p", { class: "tl-kind" }, mark(flag.severity), ` ${say(flag.severity)}${flag.certainty === "certain" ? "" : ` · ${say(flag.certainty)}`}`),
    h("p", { class: "tl-message" }, t(flag.message)), h("p", { class: "tl-muted" }, ruleOf(flag)));

  function saidOf(page, act) {
    const told = act.flags.map((flag) => [flag.severity, `${t(flag.message)} (${t(flag.ground.name)})`]);
    if (act.missed) told.push(["missed", say("missed", { player: page.players[act.missed.seat].name })]);
    for (const chop of act.chops) told.push(["chop", t(chop)]);
    if (act.forfeit && page.forfeit) told.push(["forfeit", t(page.forfeit.text)]);
    return told;
  }

  /** What is to be said right now: of the deal before the first act, of the last act after it. */
  function flash(page) {
    const act = page.events[page.cursor - 1];
    const flags = [...(act ? act.flags : page.deal_flags), ...(page.cursor === page.events.length ? page.end_flags : [])];
    const chops = act?.chops ?? [];
    return [...flags.map(flagItem), ...chops.map((chop) => h("p", {}, mark("chop"), ` ${t(chop)}`)),
      act?.missed && h("p", { class: "tl-muted" }, mark("missed"), ` ${say("missed", { player: page.players[act.missed.seat].name })}`)].filter(Boolean);
  }

  function list(page, atEnd, first) {
    const rows = page.deal_flags.map((flag) => h("li", {}, h("p", { class: `tl-${flag.severity}` }, mark(flag.severity), ` ${t(flag.message)}`)));
    let trick = 0;
    for (const act of page.events) {
      if (act.trick !== trick) rows.push(h("li", { class: "tl-trick" }, say("trickN", { n: (trick = act.trick) })));
      const here = !atEnd && act.index === page.cursor;
      const told = saidOf(page, act);
      rows.push(h("li", {},
        h("button", { type: "button", class: "te-act", "data-cursor": act.index < first ? null : act.index, "data-id": `act-${act.index}`, "aria-current": here ? "step" : null },
          h("i", {}, act.index + 1), h("span", {}, t(act.text)), ...[...new Set(told.map(([kind]) => kind))].map(mark)),
        ...told.filter(([kind]) => kind !== "missed" || here).map(([kind, text]) => h("p", { class: `tl-${kind}` }, text)),
        here && h("div", { class: "te-row" }, h("button", { type: "button", "data-do": "drop", "data-id": "drop" }, say("drop")),
          h("button", { type: "button", "data-do": "toEnd", "data-id": "toEnd" }, say("toEnd")))));
    }
    return [h("h3", {}, say("record")), rows.length ? h("ol", {}, ...rows) : h("p", { class: "tl-muted" }, say("noActs")),
      !atEnd && h("p", { class: "tl-note" }, say("inserting", { n: page.cursor + 1 }))].filter(Boolean);
  }

  function money(page) {
    const totals = page.net.map(({ value, text }, seat) =>
      h("div", { class: value > 0 ? "tl-plus" : value < 0 ? "tl-minus" : "" }, h("dt", {}, page.players[seat].name), h("dd", { "data-net": seat }, t(text))));
    return [h("h3", {}, say(page.finished ? "settlement" : "moneySoFar")), page.finished ? h("p", {}, t(page.outcome)) : "", h("dl", { class: "tl-totals" }, ...totals),
      page.transfers.length ? h("ul", {}, ...page.transfers.map(({ text }) => h("li", {}, t(text)))) : h("p", { class: "tl-muted" }, say("nobodyPays")),
      page.hanging.length && h("ul", {}, ...page.hanging.map((text) => h("li", {}, t(text))))].filter(Boolean);
  }

  function tried(page) {
    const told = page.tried;
    if (!told) return [];
    const place = (n) => (n === null ? "–" : n);
    const side = ({ value }) => (value > 0 ? "te-up" : value < 0 ? "te-down" : "");
    return [h("h3", {}, say("tried")),
      ...told.players.map((one, seat) => h("div", { class: "te-tried", "data-tried": seat }, h("b", {}, one.name),
        h("span", {}, say("place"), ` ${one.places.map(place).join(" → ")}`),
        h("span", {}, one.net.map(t).join(" → ")), h("b", { class: side(one) }, t(one.change)))),
      page.finished ? "" : h("p", { class: "tl-note" }, say("goOn")),
      h("p", { class: "tl-muted" }, say("before"), `: ${t(told.outcome[0])}`),
      page.finished && h("p", { class: "tl-muted" }, say("after"), `: ${t(told.outcome[1])}`),
      told.forfeit && h("p", {}, mark("forfeit"), ` ${told.forfeit.map((text) => (text ? t(text) : say("none"))).join(" → ")}`),
      ...told.gone.map((flag) => h("p", {}, mark(flag.severity), " ", h("s", {}, t(flag.message)))),
      ...told.new.map(flagItem)].filter(Boolean);
  }

  return { flash, list, money, tried };
}
