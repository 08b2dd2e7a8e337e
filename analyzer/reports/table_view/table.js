// -- the component ------------------------------------------------------------------------------

const KEYS = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last", " ": "play", "+": "faster", "=": "faster", "-": "slower",
  f: "flag", m: "miss", k: "chop", t: "trick", v: "turnView", 0: "openCards", 1: "seat1", 2: "seat2", 3: "seat3", 4: "seat4",
  q: "quiz", d: "guessPlay", b: "guessPass", l: "link", "?": "help" };
const JUMPS = { flag: "✗", miss: "○", chop: "⚔\uFE0E", trick: "▤" };
const SPEEDS = [0.5, 1, 2, 4];
const STEP = 1600; // milliseconds from step to step at speed 1
const SWIPE = 40; // pixels that a finger goes sideways to make a step

/**
 * Draws `view` into `root`, which holds table.html, at `event` (-1: the deal) in `lang`.
 * `linkTo(k)` is the address of an event; calls `onEvent(k)` whenever the reader moves.
 * `tryAt(k)`, where there is such a place, opens the hand before event k to be played another way.
 * Returns {go, show, destroy}.
 */
export function mountTable(root, view, { lang = "vi", event = -1, labels = {}, linkTo, onEvent = () => {}, tryAt } = {}) {
  const part = Object.fromEntries([...root.querySelectorAll("[data-part]")].map((node) => [node.dataset.part, node]));
  const end = view.events.length - 1;
  const life = new AbortController();
  const clamp = (k) => Math.max(-1, Math.min(end, Number.isFinite(k) ? Math.trunc(k) : -1));
  const reader = { at: clamp(event), lang, seat: null, quiz: false };
  const t = (both) => (typeof both === "string" ? both : both?.[reader.lang] ?? "");
  const say = (key, values = {}) => t(labels[key]).replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
  const nameOf = (seat) => t(view.players[seat]?.name);
  const sight = sightOf(view, reader);
  const scene = { view, reader, sight, part, labels, t, say, nameOf };
  const felt = feltOf(scene);
  const panel = panelOf(scene);

  // -- where to -----------------------------------------------------------------------------------

  let places = {};

  /** The events that each kind of jump goes to; in a quiz that would tell what comes. */
  function findPlaces() {
    const at = (test) => view.events.filter((act) => test(sight.told(act), act)).map((act) => act.index);
    const flags = at((said, act) => said.flags.length || said.forfeit || (act.index === end && view.end_flags.length));
    places = reader.quiz ? {} : {
      flag: sight.dealFlags().length ? [-1, ...flags] : flags,
      miss: at((said) => said.missed || said.undecided),
      chop: at((said) => said.chops.length),
      trick: at((_, act) => view.frames[act.index + 1].trick > view.frames[act.index].trick),
    };
  }

  const targets = {
    first: () => (reader.at > -1 ? -1 : undefined),
    back: () => (reader.at > -1 ? reader.at - 1 : undefined),
    next: () => (reader.at < end ? reader.at + 1 : undefined),
    last: () => (reader.at < end ? end : undefined),
    jumpBack: (kind = part.jump.value) => places[kind]?.findLast((k) => k < reader.at),
    jumpNext: (kind = part.jump.value) => places[kind]?.find((k) => k > reader.at),
  };

  function move(k) {
    if (k === undefined || clamp(k) === reader.at) return;
    reader.at = clamp(k);
    drawStep();
    onEvent(reader.at);
  }

  /** Moves as the reader wants it: playing stops, and a guess that was told is gone. */
  function go(k) {
    play(false);
    answer = null;
    move(k);
  }

  // -- playing ------------------------------------------------------------------------------------

  let timer;

  function play(on = !timer) {
    clearInterval(timer);
    timer = undefined;
    if (on && !reader.quiz && end >= 0) {
      if (reader.at === end) move(-1);
      timer = setInterval(() => {
        move(reader.at + 1);
        if (reader.at === end) play(false);
      }, STEP / Number(part.speed.value));
    }
    part.controls.classList.toggle("tl-playing", Boolean(timer));
    name(doers.play, say(timer ? "pause" : "play"));
  }

  function hurry(by) {
    part.speed.selectedIndex = Math.max(0, Math.min(SPEEDS.length - 1, part.speed.selectedIndex + by));
    if (timer) play(true);
  }

  // -- quiz ---------------------------------------------------------------------------------------

  let answer = null;
  const score = { right: 0, asked: 0 };
  const asked = () => (reader.quiz && view.events[reader.at + 1]?.choice ? view.events[reader.at + 1] : null);

  function setQuiz(on) {
    play(false);
    reader.quiz = on;
    answer = null;
    Object.assign(score, { right: 0, asked: 0 });
    drawAll();
  }

  function guess(kind) {
    const act = asked();
    if (!act) return;
    const right = act.type === kind;
    score.asked += 1;
    score.right += right;
    answer = { right, kind, forced: act.choice.whole && !act.choice.count };
    move(act.index);
  }

  function drawQuiz() {
    part.quiz.hidden = !reader.quiz;
    const act = asked();
    const told = answer && `${say(answer.right ? "right" : "wrong", { guess: say(answer.kind === "play" ? "guessPlay" : "guessPass") })}${answer.forced ? ` ${say("hadToPass")}` : ""}`;
    part.answer.textContent = told ?? "";
    part.answer.className = answer ? `tl-${answer.right ? "yes" : "no"}` : "";
    part.question.textContent = act ? say("question", { player: nameOf(act.seat) }) : say(reader.at < end ? "noQuestion" : "over");
    part.score.textContent = score.asked ? say("score", score) : "";
    for (const kind of ["guessPlay", "guessPass"]) doers[kind].setAttribute("aria-disabled", !act);
  }

  // -- views and links ----------------------------------------------------------------------------

  function lookAs(seat) {
    if (seat != null && !view.players[seat]) return;
    reader.seat = seat;
    drawAll();
  }

  async function copyLink() {
    const link = linkTo(reader.at);
    part.link.value = link;
    try {
      await navigator.clipboard.writeText(link);
      part.link.hidden = true;
      part.notice.textContent = say("copied");
    } catch {
      // Without a secure connection browsers do not let pages copy: the reader does it.
      part.link.hidden = false;
      part.notice.textContent = say("copyThis");
      part.link.select();
    }
  }

  // -- drawing it all -----------------------------------------------------------------------------

  const doers = Object.fromEntries([...part.app.querySelectorAll("[data-do]")].map((node) => [node.dataset.do, node]));
  const steppers = [...part.controls.querySelectorAll("[data-go]")];

  function name(node, text) {
    node.title = text;
    node.setAttribute("aria-label", text);
  }

  /** What changes with the step. */
  function drawStep() {
    const { at } = reader;
    const act = view.events[at];
    const sentence = act ? t(act.text) : `${say("dealt")}. ${t(view.lead)}`;
    part.sentence.replaceChildren(h("b", {}, act ? `${at + 1}. ` : ""), h("span", {}, sentence), ...(act ? panel.marksOf(act) : []),
      act?.disputed ? h("span", { class: "tl-tag" }, say("disputed")) : "");
    part.table.setAttribute("aria-label", sentence);
    part.slider.value = at;
    part.slider.setAttribute("aria-valuetext", sentence);
    part.position.textContent = `${act ? at + 1 : "–"} / ${end < 0 ? "–" : end + 1}`;
    part.notice.textContent = "";
    part.link.hidden = true;
    // aria-disabled and not disabled: a disabled button would lose the keyboard's focus under the reader.
    for (const button of steppers) button.setAttribute("aria-disabled", targets[button.dataset.go]() === undefined);
    drawQuiz();
    felt.draw();
    panel.draw(sight.veiled() ? undefined : places.flag?.find((k) => k > at));
  }

  const options = (select, pairs) => {
    const chosen = select.value;
    select.replaceChildren(...pairs.map(([value, text]) => h("option", { value }, text)));
    if (pairs.some(([value]) => String(value) === chosen)) select.value = chosen;
  };

  /** What changes with the language and with the way of looking. */
  function drawAll() {
    findPlaces();
    part.app.lang = reader.lang;
    part.controls.setAttribute("aria-label", say("controls"));
    part.tools.setAttribute("aria-label", say("tools"));
    part.slider.setAttribute("aria-label", say("slider"));
    part.slider.max = end;
    for (const node of [...steppers, doers.link, doers.help]) name(node, say(node.dataset.go ?? node.dataset.do));
    for (const key of ["quiz", "link", "guessPlay", "guessPass", "close", "tryHere"]) doers[key].lastElementChild.textContent = say(key);
    doers.quiz.setAttribute("aria-pressed", reader.quiz);
    doers.tryHere.hidden = !tryAt;
    doers.play.setAttribute("aria-disabled", reader.quiz);
    for (const select of [part.seen, part.speed, part.jump]) name(select, say(select.dataset.part));
    options(part.seen, [["", say("openCards")], ...view.players.map(({ seat }) => [seat, say("seatView", { player: nameOf(seat) })])]);
    part.seen.value = reader.seat ?? "";
    options(part.speed, SPEEDS.map((speed) => [speed, `${speed.toLocaleString(reader.lang)}×`]));
    options(part.jump, Object.entries(JUMPS).map(([kind, sign]) =>
      [kind, `${sign} ${say(kind)}${places[kind] ? ` (${places[kind].length})` : ""}`]));
    const { rules, stake, hand_id: id } = view.hand;
    part.hand.replaceChildren(h("b", {}, t(rules.title)), ` · ${say("stake", { stake: t(stake) })} · `, h("bdi", {}, t(id)));
    drawHelp();
    panel.drawWords();
    felt.fit();
    play(Boolean(timer));
    drawStep();
  }

  function drawHelp() {
    const keys = [["← →", "helpStep"], ["Home · End", "helpEnds"], ["Space", "helpPlay"], ["+ · −", "helpSpeed"],
      ...Object.entries(JUMPS).map(([kind, sign]) => [Object.keys(KEYS).find((key) => KEYS[key] === kind).toUpperCase(), kind, sign]),
      ["0", "openCards"], ["1 – 4", "helpSeat"], ["V", "helpView"], ["Q", "quiz"], ["D", "guessPlay"], ["B", "guessPass"],
      ["L", "link"], ["?", "help"], ["Esc", "close"]];
    part.keys.replaceChildren(...keys.flatMap(([key, what, sign = ""]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, `${sign} ${say(what)}`)]));
    part.helpTitle.textContent = say("help");
    part.helpNote.textContent = say("helpShift");
  }

  // -- what the reader does -----------------------------------------------------------------------

  const acts = {
    play: () => play(),
    faster: () => hurry(1),
    slower: () => hurry(-1),
    turnView: () => lookAs(reader.seat == null ? 0 : view.players[reader.seat + 1] ? reader.seat + 1 : null),
    openCards: () => lookAs(null),
    quiz: () => setQuiz(!reader.quiz),
    guessPlay: () => guess("play"),
    guessPass: () => guess("pass"),
    link: copyLink,
    tryHere: () => tryAt(Math.max(reader.at, 0)),
    help: () => part.help.showModal(),
    close: () => part.help.close(),
    ...Object.fromEntries(view.players.map(({ seat }) => [`seat${seat + 1}`, () => lookAs(seat)])),
  };

  function onKey(press) {
    const key = press.key.length === 1 ? press.key.toLowerCase() : press.key;
    const what = KEYS[key];
    if (!what || press.ctrlKey || press.altKey || press.metaKey || press.defaultPrevented || part.help.open) return;
    const target = press.composedPath()[0];
    const typing = "input, textarea, select, [contenteditable], [role=listbox], [role=slider], [role=tab]";
    if (target !== part.slider && target.closest?.(typing)) return;
    if (key === " " && target.closest?.("button, a, summary, [role=button]")) return;
    press.preventDefault();
    if (what in targets) go(targets[what]());
    else if (what in JUMPS) go(targets[press.shiftKey ? "jumpBack" : "jumpNext"](what));
    else if (!press.repeat) acts[what]?.();
  }

  const listen = (node, type, listener) => node.addEventListener(type, listener, { signal: life.signal });
  listen(window, "keydown", onKey);
  listen(part.slider, "input", () => go(Number(part.slider.value)));
  listen(part.seen, "change", () => lookAs(part.seen.value === "" ? null : Number(part.seen.value)));
  listen(part.speed, "change", () => timer && play(true));
  listen(part.jump, "change", drawStep);
  listen(part.app, "click", (click) => {
    const { go: to, step, do: what } = click.target.closest("[data-go], [data-step], [data-do]")?.dataset ?? {};
    if (what) acts[what]();
    else if (to || step) go(to ? targets[to]() : Number(step));
  });
  let touched;
  listen(part.table, "pointerdown", (touch) => (touched = touch.pointerType === "mouse" ? undefined : touch));
  listen(part.table, "pointerup", (touch) => {
    const across = touched ? touch.clientX - touched.clientX : 0;
    if (Math.abs(across) > SWIPE) go(targets[across < 0 ? "next" : "back"]());
    touched = undefined;
  });
  drawAll();
  part.speed.value = "1";
  part.jump.value = Object.keys(JUMPS).find((kind) => places[kind].length) ?? "flag";
  drawStep();
  const observer = new ResizeObserver(() => {
    if (felt.fits()) return;
    felt.fit();
    drawStep();
  });
  observer.observe(part.board);
  life.signal.addEventListener("abort", () => {
    observer.disconnect();
    clearInterval(timer);
  });
  return {
    go,
    show(language, k = reader.at) {
      reader.lang = language;
      reader.at = clamp(k);
      drawAll();
    },
    destroy: () => life.abort(),
  };
}
