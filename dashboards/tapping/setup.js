// -- who plays, by which rules, for what --------------------------------------------------------

const LEADS = ["opening", "won_previous", "forfeited_previous", "agreed"];

/** A moment as a field shows it, and back, with the offset that this place has then. */
const localMoment = (text) => (/^\d{4}-\d\d-\d\dT\d\d:\d\d/.exec(text ?? "") ?? [""])[0];
function momentWithOffset(local) {
  if (!localMoment(local)) return null;
  const minutes = -new Date(local).getTimezoneOffset();
  const two = (n) => String(n).padStart(2, "0");
  const away = Math.abs(minutes);
  return `${localMoment(local)}:00${minutes < 0 ? "-" : "+"}${two(Math.floor(away / 60))}:${two(away % 60)}`;
}

/** A number as people write it, `10.000` or `10 000`; null where it is none. */
const wholeNumber = (text) => (/^\d{1,3}([ .,]?\d{3})*$/.test(text.trim()) ? Number(text.replace(/\D/g, "")) : /^\d{1,13}$/.test(text.trim()) ? Number(text) : null);

/** The fields of a hand's head, in `root`. `set(step)` takes what was filled in. */
function setupOf({ root, say, t, set, rename }) {
  const field = (label, input, wide) => h("label", { class: wide ? "te-wide" : "" }, label, input);
  const choice = (id, pairs, value) =>
    h("select", { "data-id": id }, ...pairs.map(([key, text]) => h("option", { value: key, selected: String(key) === String(value) ? "" : null }, text)));
  const text = (id, value, more = {}) =>
    h("input", { "data-id": id, maxlength: 128, autocomplete: "off", value: value ?? "", ...more });
  const on = (node, act) => {
    node.addEventListener("change", () => act(node.value, node));
    return node;
  };
  const put = (key, value) => set({ do: "set", key, value: value === "" ? null : value });

  // A field may stay while what is around it changes: what is filled in is added to what stands then.
  let log, players, people;

  function draw(page, offer, name) {
    ({ log, players } = page);
    people = new Map(offer.people.map(([id, called]) => [called, id]));
    const seats = players.map((player, seat) => [seat, player.name]);
    const seated = (names) => set({ do: "players", players: names.map((called, seat) => {
      const old = players[seat];
      if (called === (old?.name ?? "")) return { id: old?.id ?? "", name: log.players[seat]?.name ?? "" };
      return { id: people.get(called) ?? "", name: called };
    }) });
    // As the fields say by now: an answer to what was filled in just before may be on its way.
    const names = () => players.map((player, seat) => root.querySelector(`[data-id="player-${seat}"]`)?.value.trim() || player.name);
    const list = (id, values) => h("datalist", { id }, ...values.map((value) => h("option", { value })));
    const ruleId = typeof log.rules === "string" ? log.rules : "";
    const rules = offer.rules.map(([id, title]) => [id, t(title)]);
    if (!offer.rules.some(([id]) => id === ruleId)) rules.push(["", t(page.rules.title)]);
    const lead = log.lead ?? {};
    const seatOf = () => log.lead?.seat ?? 0;
    const putLead = (reason, seat) => put("lead", reason && { reason, ...(seat !== "" && reason !== "opening" && { seat: Number(seat) }) });
    const whole = (key) => (value, node) => {
      const number = wholeNumber(value);
      if (number === null && (value.trim() || key === "stake")) node.value = log[key] ?? "";
      else put(key, number ?? "");
    };
    const table = [
      h("h3", {}, say("setup")),
      field(say("howMany"), on(choice("howMany", [2, 3, 4].map((n) => [n, n]), players.length), (n) =>
        seated([...names(), ...["", "", ""].map((_, k) => say("playerN", { n: players.length + k + 1 }))].slice(0, Number(n))))),
      ...players.map((player, seat) => field(say("playerN", { n: seat + 1 }), on(text(`player-${seat}`, player.name, { list: "te-people", maxlength: 60 }), () =>
        seated(names())))),
      field(say("rules"), on(choice("rules", rules, ruleId), (id) => id && put("rules", id)), true),
      field(say("stakeField"), on(text("stake", Number(log.stake).toLocaleString(say("locale")), { inputmode: "numeric" }), whole("stake"))),
      field(say("currency"), on(choice("currency", [...new Set(["VND", "POINT", "CHIP", log.currency ?? "POINT"])].map((each) => [each, each === "POINT" ? say("points") : each === "CHIP" ? say("chips") : each]), log.currency ?? "POINT"), (value) => put("currency", value))),
      field(say("leadReason"), on(choice("lead", [["", say("leadUnknown")], ...LEADS.map((each) => [each, say(`lead_${each}`)])], lead.reason ?? ""), (reason) => putLead(reason, seatOf()))),
      lead.reason && lead.reason !== "opening" && field(say("leadSeat"), on(choice("leadSeat", seats, lead.seat ?? 0), (seat) => putLead(log.lead.reason, seat))),
    ];
    const record = [
      h("h3", {}, say("recordHead")),
      field(say("draftName"), on(text("name", name, { maxlength: 80 }), rename)),
      field(say("club"), on(text("club", log.club_id, { list: "te-clubs" }), (value) => put("club_id", value.trim()))),
      field(say("evening"), on(text("evening", log.session_id, { list: "te-evenings" }), (value) => put("session_id", value.trim()))),
      field(say("handNo"), on(text("handNo", log.hand_no, { inputmode: "numeric" }), whole("hand_no"))),
      field(say("handId"), on(text("handId", log.hand_id), (value, node) => (value.trim() ? put("hand_id", value.trim()) : (node.value = log.hand_id)))),
      field(say("tableName"), on(text("tableId", log.table_id), (value) => put("table_id", value.trim()))),
      field(say("playedAt"), on(text("playedAt", localMoment(log.played_at), { type: "datetime-local" }), (value) => put("played_at", momentWithOffset(value))), true),
      list("te-people", [...people.keys()]), list("te-clubs", offer.clubs), list("te-evenings", offer.evenings),
    ];
    return [...table, ...record];
  }
  return { draw };
}
