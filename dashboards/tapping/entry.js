// -- entering a hand ----------------------------------------------------------------------------

const WITH_CARDS = new Set(["sayPlay", "expose", "showEnd", "steal", "putAway", "tribute"]);
const EVENTS = {
  play: (seat, cards) => ({ type: "play", seat, cards }),
  pass: (seat) => ({ type: "pass", seat }),
  sayPass: (seat) => ({ type: "say", seat, meaning: "pass" }),
  sayPlay: (seat, cards) => ({ type: "say", seat, meaning: "play", cards }),
  expose: (seat, cards) => ({ type: "show", seat, cards, why: "early" }),
  showEnd: (seat, cards) => ({ type: "show", seat, cards, why: "end" }),
  claim: (seat) => ({ type: "claim", seat }),
  callLast: (seat) => ({ type: "call", seat, remaining: 1 }),
  callOut: (seat) => ({ type: "call", seat, remaining: 0 }),
  count: (seat) => ({ type: "count", seat }),
  takeBack: (seat) => ({ type: "take_back", seat }),
  steal: (seat, cards) => ({ type: "play", seat, cards, as: "steal_lead" }),
  putAway: (seat, cards) => ({ type: "discard", seat, cards }),
  leave: (seat) => ({ type: "leave", seat }),
  tribute: (seat, cards, to) => ({ type: "exchange", seat, to, cards }),
};
const KEYS = { d: "play", b: "pass", z: "undo", y: "redo" };

/**
 * The tapping table in `root`, which holds entry.html. `send(text)` asks for the page of a draft; the answer
 * comes by `show(data)`. A step is kept by the browser before it is sent, so nothing is lost on the way.
 */
function mountEntry(root, send) {
  const part = Object.fromEntries([...root.querySelectorAll("[data-part]")].map((node) => [node.dataset.part, node]));
  const doers = Object.fromEntries([...root.querySelectorAll("[data-do]")].map((node) => [node.dataset.do, node]));
  const life = new AbortController();
  // What is seen and done by now; `held` are the cards dealt to each seat, as they were tapped.
  const it = { data: null, kept: null, page: null, read: null, wentOn: null, tab: "setup", actor: null, selected: [], openSuits: false, stop: null, dealSeat: 0, form: "notation", held: [] };
  let shelf, lang = "vi";
  let version = 0, notice = null, saved = true, begun = false;
  const t = (both) => (typeof both === "string" ? both : both?.[lang] ?? "");
  const say = (key, values = {}) => t(it.data.labels[key]).replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
  const name = (seat) => it.page.players[seat]?.name ?? "";
  const busy = () => it.data.echo?.id !== it.kept.id || it.data.echo?.version !== version;
  const setup = setupOf({ root: part.setup, say, t, set: (step) => commit(step), rename: (value) => rename(value) });
  const record = recordOf({ say, t });

  // -- drafts -------------------------------------------------------------------------------------

  const freshId = () => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}`;

  function begin() {
    begun = true;
    const { tried, offer } = it.data;
    shelf = shelfOf(tried ? window.sessionStorage : window.localStorage, tried ? "tienlen-tried:" : "tienlen-draft:");
    if (tried) it.kept = shelf.read(tried.key) ?? { id: tried.key, name: "", changed: 0, text: null, draft: newDraft(tried.base, tried.steps) };
    else {
      const found = shelf.list().filter((each) => !each.broken);
      it.kept = found.find((each) => each.id === shelf.opened()) ?? found[0] ?? made(offer.log);
    }
    it.tab = tried || it.kept.draft.at ? "play" : "setup";
    ask();
    draw();
  }

  function made(base) {
    const log = { ...base, played_at: base.played_at ?? momentWithOffset(new Date(Date.now() - new Date().getTimezoneOffset() * 60000).toISOString()) };
    return { id: freshId(), name: "", changed: Date.now(), text: null, draft: newDraft(log) };
  }

  function keep() {
    it.kept.changed = Date.now();
    saved = shelf.save(it.kept);
    shelf.open(it.kept.id);
  }

  function ask() {
    version += 1;
    send(JSON.stringify({ id: it.kept.id, version, draft: it.kept.draft, text: it.kept.text }));
  }

  function turnTo(next) {
    it.kept = next;
    it.page = it.read = it.wentOn = notice = it.actor = null;
    choose([]);
    it.tab = it.kept.draft.at || it.kept.draft.base.events?.length ? "play" : "setup";
    shelf.open(it.kept.id);
    ask();
    draw();
  }

  function create(base = it.data.offer.log) {
    turnTo(made(base));
    keep();
    draw();
  }

  function remove() {
    part.question.close();
    shelf.remove(it.kept.id);
    const next = shelf.list().find((each) => !each.broken);
    if (next) turnTo(next);
    else create();
  }

  function rename(value) {
    it.kept.name = value.trim().slice(0, 80);
    keep();
    draw();
  }

  /** Takes steps: they are kept here, then sent. */
  function commit(...steps) {
    const { draft } = it.kept;
    const last = draft.steps[draft.at - 1];
    const merges = steps.length === 1 && steps[0].do === "hold" && last?.do === "hold" && last.seat === steps[0].seat;
    draft.steps = draft.steps.slice(0, merges ? draft.at - 1 : draft.at);
    if (draft.steps.length + steps.length > MOST_STEPS && it.page && !busy()) Object.assign(draft, { base: it.page.log, steps: [] });
    draft.steps.push(...steps);
    draft.at = draft.steps.length;
    it.wentOn = notice = null;
    keep();
    ask();
    draw();
  }

  function move(to) {
    const { draft } = it.kept;
    if (to < 0 || to > draft.steps.length) return;
    draft.at = to;
    draft.cursor = null;
    it.actor = it.wentOn = notice = null;
    choose([]);
    keep();
    ask();
    draw();
  }

  function goTo(cursor) {
    it.kept.draft.cursor = cursor;
    it.actor = null;
    choose([]);
    keep();
    ask();
    draw();
  }

  /** Writes an act where the cursor stands. */
  function act(kind, cards = chosen(), seat = who(), to) {
    if (busy() || !it.page || (WITH_CARDS.has(kind) || kind === "play" ? !cards.length : false)) return;
    const event = typeof kind === "object" ? kind : EVENTS[kind](seat, cards, to);
    const { draft } = it.kept;
    const step = { do: "act", event };
    if (draft.cursor !== null && it.page.cursor < it.page.events.length) {
      step.index = it.page.cursor;
      draft.cursor = it.page.cursor + 1;
    } else draft.cursor = null;
    choose([]);
    it.actor = null;
    commit(step);
  }

  /** A name in the room of a seat: people are called by the last word of it (the given name). */
  function called(full) {
    const words = full.split(" ");
    const room = (part.app.clientWidth || 390) / it.page.players.length / 10;
    while (words.length > 1 && words.join(" ").length > room) words.shift();
    return words.join(" ");
  }

  const who = () => it.actor ?? it.page.next?.seat ?? it.page.now.turn ?? 0;
  const chosen = () => [...it.selected].sort(byStrength);
  const choose = (codes) => {
    it.selected = codes;
    it.openSuits = false;
  };
  const mended = () => Boolean(it.data.tried?.mended); // a stored hand is corrected: all of it may be changed
  const atEnd = () => it.kept.draft.cursor === null || it.page.cursor === it.page.events.length;

  // -- the deal -----------------------------------------------------------------------------------

  const dealtTo = () => it.page.players.map((_, seat) => new Set((it.held[seat] ?? []).filter((code) => !code.endsWith("?"))));
  const openOf = (seat) => (it.held[seat] ?? []).filter((code) => OPEN.includes(code));

  function give(cards, on = true) {
    const before = dealtTo();
    const after = before.map((set, seat) => new Set([...set].filter((code) => !cards.includes(code) || (seat === it.dealSeat && on))));
    if (on) for (const code of cards) after[it.dealSeat].add(code);
    const steps = [];
    after.forEach((set, seat) => {
      if (set.size === before[seat].size && [...set].every((code) => before[seat].has(code))) return;
      it.held[seat] = [...set, ...openOf(seat)];
      steps.push({ do: "hold", seat, cards: [...it.held[seat]].sort(byStrength) });
    });
    if (steps.length) commit(...steps);
  }

  // -- drawing ------------------------------------------------------------------------------------

  function drawHead() {
    part.drafts.hidden = Boolean(it.data.tried);
    if (!it.data.tried) {
      const title = (each) => {
        if (each.broken) return say("broken");
        const { hand_id: id, session_id: evening, hand_no: number } = each.id === it.kept.id && it.page ? it.page.log : each.draft.base;
        return each.name || (evening && number ? say("handOf", { evening, n: number }) : String(id ?? ""));
      };
      const all = shelf.list();
      if (!all.some((each) => each.id === it.kept.id)) all.unshift(it.kept);
      fill(part.open, ...all.map((each) => h("option", { value: each.id }, title(each) || each.id)));
      part.open.value = it.kept.id;
      part.open.setAttribute("aria-label", say("drafts"));
      for (const key of ["create", "ask"]) {
        doers[key].title = say(key);
        doers[key].setAttribute("aria-label", say(key));
      }
    }
    const failed = (!it.data.echo || it.data.echo.id === it.kept.id) && it.data.failed;
    const told = failed ? t(failed) : notice ? t(notice) : !saved ? say("notSaved") : mended() ? say("notTaken") : it.data.tried ? say("notStored") : say("saved");
    part.notice.textContent = told;
    part.notice.classList.toggle("te-bad", Boolean(failed || notice || !saved));
    part.tabs.hidden = (it.data.tried && !mended()) || !it.page;
    for (const button of part.tabs.children) {
      button.lastElementChild.textContent = say(`tab_${button.dataset.tab}`);
      button.setAttribute("aria-selected", button.dataset.tab === it.tab);
    }
  }

  const drawn = drawnOf({ it, part, doers, say, t, name, who, called, chosen, atEnd, mended, dealtTo, openOf, record });

  function draw() {
    if (!it.data || !it.kept) return;
    part.app.lang = lang;
    part.app.classList.toggle("te-busy", busy());
    const focused = part.app.getRootNode().activeElement?.dataset?.id;
    drawHead();
    const none = !it.page;
    for (const key of ["setup", "table", "board", "hold", "bar", "chips", "others", "record", "money", "words", "tried"]) part[key].hidden = none;
    if (none) return;
    part.setup.hidden = it.tab !== "setup";
    part.table.hidden = part.board.hidden = it.tab === "setup";
    if (it.data.offer) fill(part.setup, ...setup.draw(it.page, it.data.offer, it.kept.name));
    drawn.seats();
    drawn.board();
    drawn.chips();
    drawn.bar();
    drawn.others();
    drawn.words();
    fill(part.tried, ...record.tried(it.page));
    fill(part.record, ...record.list(it.page, atEnd(), it.data.tried ? it.data.tried.from : 0));
    fill(part.money, ...record.money(it.page));
    if (it.page.following && !it.data.tried) part.money.append(h("button", { type: "button", "data-do": "following", "data-id": "following" }, say("following")));
    if (focused) part.app.querySelector(`[data-id="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
    const list = part.record.querySelector("ol");
    const row = list?.querySelector("[aria-current]") ?? list?.lastElementChild;
    if (row) list.scrollTop = Math.max(0, row.offsetTop + row.offsetHeight - list.clientHeight);
    part.question.setAttribute("aria-label", say("ask"));
  }

  // -- what the answer brings ---------------------------------------------------------------------

  function show(given) {
    it.data = given;
    lang = given.lang;
    if (!begun) return begin();
    if (!given.echo && !given.failed) return ask(); // a new session at the other end: it knows nothing of this draft yet
    if (!busy()) {
      it.page = given.page;
      it.read = given.text;
      it.held = it.page?.log.deal ?? [];
      if (it.page?.refused) {
        notice = it.page.refused.message;
        part.setup.replaceChildren(); // what was filled in does not hold
        it.kept.draft.steps = it.kept.draft.steps.slice(0, it.page.refused.step);
        it.kept.draft.at = it.kept.draft.steps.length;
        keep();
      }
    }
    draw();
  }

  // -- what is done -------------------------------------------------------------------------------

  const acts = {
    create: () => create(),
    ask: () => {
      part.questionText.textContent = say("question");
      doers.remove.lastElementChild.textContent = say("remove");
      doers.keep.lastElementChild.textContent = say("keep");
      part.question.showModal();
    },
    remove,
    keep: () => part.question.close(),
    undo: () => move(it.kept.draft.at - 1),
    redo: () => move(it.kept.draft.at + 1),
    play: () => act("play"),
    pass: () => act("pass", []),
    follow: () => {
      if (busy() || !it.page?.rest_told) return;
      const { rest, rest_told: told } = it.page;
      choose([]);
      it.actor = null;
      if (rest.length) commit({ do: "acts", events: rest });
      it.wentOn = told;
      draw();
    },
    rest: () => give(CODES.filter((code) => !dealtTo().some((set) => set.has(code)))),
    clear: () => {
      it.held[it.dealSeat] = [];
      commit({ do: "hold", seat: it.dealSeat, cards: [] });
    },
    drop: () => {
      const index = it.page.cursor;
      it.kept.draft.cursor = null;
      commit({ do: "drop", index });
    },
    toEnd: () => goTo(null),
    openSuits: () => {
      it.openSuits = !it.openSuits;
      draw();
    },
    following: () => create(it.page.following),
    takeText: () => {
      if (!it.read?.log) return;
      const { log } = it.read;
      it.kept.text = it.read = null;
      it.kept.draft.cursor = null;
      commit({ do: "replace", log });
    },
    dropText: () => {
      it.kept.text = it.read = null;
      keep();
      ask();
      draw();
    },
  };

  function tapCard(code) {
    if (it.tab === "deal" && OPEN.includes(code)) {
      it.held[it.dealSeat] = oneMore((it.held[it.dealSeat] ?? []).filter((each) => each !== "??"), code);
      return commit({ do: "hold", seat: it.dealSeat, cards: [...it.held[it.dealSeat]].sort(byStrength) });
    }
    if (it.tab === "deal") return give([code], !dealtTo()[it.dealSeat].has(code));
    if (OPEN.includes(code)) it.selected = oneMore(it.selected, code);
    else it.selected = it.selected.includes(code) ? it.selected.filter((each) => each !== code) : [...it.selected, code];
    draw();
  }

  function tapOther({ other, to }) {
    if (other === "note") {
      const text = part.otherActs.querySelector("[data-note]").value.trim();
      if (!text || busy()) return;
      part.otherActs.querySelector("[data-note]").value = "";
      return act({ type: "note", text });
    }
    act(other, chosen(), who(), to === undefined ? undefined : Number(to));
  }

  const listen = (node, type, listener) => node.addEventListener(type, listener, { signal: life.signal });
  listen(part.app, "click", (click) => {
    const node = click.target.closest("[data-do], [data-card], [data-seat], [data-tab], [data-play], [data-other], [data-cursor], [data-form]");
    if (!node || node.getAttribute("aria-disabled") === "true") return;
    const { do: what, card, seat, tab: to, play, cursor, form: other } = node.dataset;
    if (what) acts[what]();
    else if (card) tapCard(card);
    else if (seat) {
      if (it.tab === "deal") it.dealSeat = Number(seat);
      else it.actor = Number(seat);
      draw();
    } else if (to) {
      it.tab = to;
      choose([]);
      draw();
    } else if (play) act("play", play.split(" "));
    else if (cursor) goTo(Number(cursor));
    else if (other) {
      it.form = other;
      draw();
    } else tapOther(node.dataset);
  });
  listen(part.open, "change", () => {
    const found = shelf.read(part.open.value);
    if (found) turnTo(found);
    else turnTo({ id: part.open.value, name: say("broken"), changed: 0, text: null, draft: newDraft({}) });
  });
  let typed;
  listen(part.text, "input", () => {
    it.kept.text = part.text.value.slice(0, 1 << 20);
    keep();
    clearTimeout(typed);
    typed = setTimeout(() => {
      ask();
      draw();
    }, 350);
  });
  listen(part.board, "keydown", (press) => stepOnBoard(part.board, press));
  listen(part.board, "focusin", ({ target }) => {
    if (target.dataset.card) stopAt(part.board, (it.stop = target.dataset.card));
  });
  listen(window, "keydown", (press) => {
    const what = KEYS[press.key.toLowerCase()];
    if (!what || it.tab === "setup" || press.ctrlKey || press.altKey || press.metaKey || press.repeat || part.question.open) return;
    if (press.composedPath()[0].closest?.("input, textarea, select, [contenteditable], [role=listbox]")) return;
    press.preventDefault();
    acts[what]();
  });
  listen(window, "storage", (change) => {
    const found = it.kept && shelf.read(it.kept.id);
    if (!found || it.data.tried || !change.key?.endsWith(it.kept.id)) return;
    it.kept = found; // the same draft was carried on in another window
    ask();
    draw();
  });
  return { show, destroy: () => (clearTimeout(typed), life.abort()) };
}
