// -- the table that is tapped, as it stands -----------------------------------------------------

const MOST_CHIPS = 48;
const OTHERS = ["sayPass", "sayPlay", "expose", "showEnd", "claim", "callLast", "callOut", "count", "takeBack", "steal", "putAway", "leave"];

/** Draws the parts of the table: `it` is what is seen and done by now, `part` and `doers` are the nodes. */
function drawnOf({ it, part, doers, say, t, name, who, called, chosen, atEnd, mended, dealtTo, openOf, record }) {
  function seats() {
    const { now, players } = it.page;
    const dealing = it.tab === "deal";
    const sets = dealtTo();
    part.lead.textContent = dealing ? say("dealHelp", { player: name(it.dealSeat) }) : it.page.events.length ? "" : t(it.page.lead);
    part.seats.setAttribute("aria-label", say("seats"));
    fill(part.seats, ...players.map((player, seat) => {
      const place = it.page.finished && atEnd() ? it.page.places?.indexOf(seat) ?? -1 : now.out.indexOf(seat);
      const state = dealing ? "" : place >= 0 ? say(["place1", "place2", "place3", "placeLast"][place === players.length - 1 ? 3 : place]) : now.frozen.includes(seat) ? say("frozen")
        : now.left.includes(seat) ? say("left") : now.turn === seat ? say("turn") : now.passed.includes(seat) && !now.closed ? say("passed") : "";
      const on = dealing ? seat === it.dealSeat : seat === who();
      const off = !dealing && (now.passed.includes(seat) && !now.closed || place >= 0);
      return h("button", { type: "button", role: "radio", class: `te-seat ${!dealing && now.turn === seat ? "te-turn" : ""} ${off ? "te-off" : ""}`, "data-seat": seat, "data-id": `seat-${seat}`, "aria-checked": on },
        h("b", { title: player.name }, called(player.name)), h("small", {}, dealing ? say("known", { n: sets[seat].size + openOf(seat).length, of: it.page.hand_size }) : say("cardsLeft", { n: now.counts[seat] })), h("small", {}, state || "\u00a0"));
    }));
    part.centre.hidden = dealing;
    const lying = now.top.length > 0;
    fill(part.centre, ...[lying && cardStrip(now.top), h("p", {}, now.over ? say("over") : now.closed || !lying
      ? (now.turn == null || !lying ? say(lying ? "closed" : "empty") : say("leads", { player: name(now.turn) })) : say("of", { player: name(now.owner) }))].filter(Boolean));
    part.flash.className = "te-flash";
    fill(part.flash, ...(dealing ? [] : record.flash(it.page)));
  }

  function board() {
    const dealing = it.tab === "deal";
    part.board.setAttribute("aria-label", say("board"));
    part.hold.hidden = !dealing;
    const gone = new Set(it.page.now.gone);
    const seat = dealing ? it.dealSeat : who();
    const sets = dealtTo();
    const holders = dealing ? sets : it.page.now.holdings.map((cards) => new Set(cards));
    const mine = holders[seat] ?? new Set();
    const whole = !mine.has("??") && mine.size > 0;
    const toggle = h("button", { type: "button", class: "te-open", "data-do": "openSuits", "data-id": "openSuits", "aria-pressed": it.openSuits }, h("b", { "aria-hidden": "true" }, "?"), say("openSuits"));
    part.board.classList.toggle("te-ranks", it.openSuits);
    if (it.openSuits) {
      const counted = dealing ? openOf(seat) : it.selected;
      const stop = OPEN.includes(it.stop) ? it.stop : OPEN[0];
      fill(part.board, ...OPEN.map((code) => drawKey(code, { stop: code === stop, pressed: times(counted, code) > 0, mark: times(counted, code) > 1 ? `×${times(counted, code)}` : "" })), toggle);
      return;
    }
    const stop = CODES.includes(it.stop) ? it.stop : CODES[0];
    fill(part.board, ...CODES.map((code) => {
      const other = holders.findIndex((set, k) => k !== seat && set.has(code));
      const pressed = dealing ? mine.has(code) : it.selected.includes(code);
      const away = !dealing && gone.has(code);
      return drawKey(code, { stop: code === stop, pressed, gone: away, dim: away || (!mine.has(code) && (other >= 0 || (whole && !dealing))), mark: other >= 0 && !away ? String(other + 1) : "",
        label: away ? say("onTable") : other >= 0 ? name(other) : mine.has(code) ? name(seat) : "" });
    }), toggle);
    doers.rest.lastElementChild.textContent = say("rest", { player: name(it.dealSeat) });
    doers.clear.lastElementChild.textContent = say("clear", { player: name(it.dealSeat) });
    const free = CODES.filter((code) => !sets.some((set) => set.has(code)));
    doers.rest.hidden = !dealing || free.length + sets[it.dealSeat].size !== it.page.hand_size || it.held.some((_, seat) => openOf(seat).length) || !free.length;
  }

  function chips() {
    const { next } = it.page;
    part.chips.hidden = it.tab !== "play" || (it.page.now.over && !it.page.next);
    if (part.chips.hidden) return;
    const seat = who();
    if (!next || next.seat !== seat) {
      fill(part.chips, h("p", { class: "tl-muted" }, it.page.now.turn == null ? say("noTurn") : next?.seat === seat || it.page.now.turn === seat ? say("noList") : say("notInTurn", { player: name(seat) })));
      return;
    }
    const fitting = next.plays.filter((cards) => it.selected.every((code) => cards.includes(code)));
    const title = h("h3", {}, say(next.whole ? "plays" : "playsKnown", { n: next.count }));
    const chips = fitting.slice(0, MOST_CHIPS).map((cards) => h("button", { type: "button", class: "te-chip", "data-play": cards.join(" "), "data-id": `play-${cards.join()}`, "aria-label": `${say("act_play")} ${inWords(cards)}` }, cardStrip(cards)));
    const more = fitting.length - chips.length;
    fill(part.chips, title, h("div", {}, ...chips), more > 0 ? h("p", { class: "tl-muted" }, say("narrow", { n: more })) : "",
      next.count ? "" : h("p", { class: "tl-muted" }, say(next.whole ? "hadToPass" : "onlyUnknown")));
  }

  function bar() {
    part.bar.hidden = it.tab === "setup";
    const { draft } = it.kept;
    for (const [key, off] of [["undo", draft.at <= 0], ["redo", draft.at >= draft.steps.length]]) {
      doers[key].setAttribute("aria-disabled", off);
      doers[key].setAttribute("aria-label", say(key));
      doers[key].title = say(key);
    }
    const cards = chosen();
    doers.pass.hidden = doers.play.hidden = it.tab !== "play";
    doers.pass.lastElementChild.textContent = say("act_pass");
    doers.play.lastElementChild.textContent = `${say("act_play")} ${inWords(cards)}`.trim();
    doers.play.setAttribute("aria-disabled", !cards.length);
    doers.follow.hidden = it.tab !== "play" || !it.page.rest_told || !atEnd();
    part.wentOn.hidden = !it.wentOn;
    part.wentOn.textContent = it.wentOn ? t(it.wentOn) : "";
    doers.follow.lastElementChild.textContent = say("follow", { n: it.page.events.length + 1 });
    doers.play.setAttribute("aria-label", `${name(who())}: ${say("act_play")} ${inWords(cards)}`);
    doers.pass.setAttribute("aria-label", `${name(who())}: ${say("act_pass")}`);
  }

  function others() {
    part.others.hidden = it.tab !== "play";
    const cards = chosen();
    part.others.firstElementChild.textContent = say("others");
    const receivers = it.page.players.map((player, seat) => [seat, player.name]).filter(([seat]) => seat !== who());
    fill(part.otherActs, h("p", { class: "tl-muted te-wide" }, say("othersHelp", { player: name(who()) })),
      ...OTHERS.map((kind) => h("button", { type: "button", "data-other": kind, "data-id": `other-${kind}`, "aria-disabled": WITH_CARDS.has(kind) && !cards.length }, say(`act_${kind}`))),
      ...receivers.map(([seat, called]) => h("button", { type: "button", "data-other": "tribute", "data-to": seat, "data-id": `tribute-${seat}`, "aria-disabled": !cards.length }, say("act_tribute", { player: called }))),
      h("input", { "data-id": "note", "data-note": "", maxlength: 2000, placeholder: say("note"), "aria-label": say("note") }),
      h("button", { type: "button", "data-other": "note", "data-id": "other-note" }, say("act_note")));
  }

  function words() {
    const texts = { notation: it.page.notation, json: JSON.stringify(it.page.log, null, 1) };
    const forms = Object.keys(texts).filter((key) => texts[key] != null);
    if (!forms.includes(it.form)) it.form = forms[0];
    part.words.firstElementChild.textContent = say("words");
    fill(part.forms, ...(forms.length > 1 ? forms.map((key) => h("button", { type: "button", role: "radio", "data-form": key, "data-id": `form-${key}`, "aria-checked": key === it.form }, say(`form_${key}`))) : []));
    part.text.setAttribute("aria-label", say("words"));
    const shown = it.kept.text ?? texts[it.form];
    part.text.readOnly = Boolean(it.data.tried) && !mended(); // what came before was played: it is not rewritten here
    if (part.text.value !== shown) part.text.value = shown;
    const editing = it.kept.text !== null;
    doers.takeText.hidden = doers.dropText.hidden = !editing;
    doers.takeText.lastElementChild.textContent = say("takeText");
    doers.dropText.lastElementChild.textContent = say("dropText");
    doers.takeText.setAttribute("aria-disabled", !it.read?.log);
    fill(part.problems, ...(editing ? it.read?.problems ?? [] : []).map((problem) => h("li", {}, t(problem))));
  }

  return { seats, board, chips, bar, others, words };
}
