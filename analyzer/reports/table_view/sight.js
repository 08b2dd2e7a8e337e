// -- what may be seen ---------------------------------------------------------------------------

/**
 * What the reader may see of a hand: all of it, or as `reader.seat` what that seat could see by now. In
 * a seat's view and in a quiz nothing is told that lies ahead of `reader.at`.
 */
function sightOf(view, reader) {
  const end = view.events.length - 1;
  const frame = () => view.frames[reader.at + 1];
  const open = () => reader.seat == null || frame().over;
  const veiled = () => (reader.quiz || reader.seat != null) && reader.at < end;
  const faceUp = (act) => ["play", "show", "discard"].includes(act.type) ||
    (act.type === "exchange" && [act.seat, act.to].includes(reader.seat));

  /** A seat's cards before event `k`, turned over where the reader cannot know them. */
  function holding(seat, k) {
    const cards = view.frames[k].holdings[seat];
    if (open() || seat === reader.seat) return cards;
    const seen = new Set(view.events.slice(0, k).filter(faceUp).flatMap((act) => act.cards));
    const known = cards.filter((code) => seen.has(code));
    return [...known, ...cards.slice(known.length).fill("??")];
  }

  /** What may be said of an act; what rests on cards that the reader does not see is left out. */
  function told(act) {
    const mine = open() || act.seat === reader.seat;
    return {
      flags: act.flags.filter((flag) => mine || !flag.private),
      missed: mine ? act.missed : null,
      undecided: mine && act.undecided,
      choice: mine ? act.choice : null,
      hidden: !mine && act.choice,
      chops: act.chops,
      forfeit: act.forfeit && !veiled(), // whether a pass cost the table is known at the end of the hand
    };
  }

  const dealFlags = () => view.deal_flags.filter((flag) => !flag.private || open() || flag.seat === reader.seat);
  return { holding, told, veiled, dealFlags };
}
