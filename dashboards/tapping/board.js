// -- what is tapped -----------------------------------------------------------------------------

const RANKS = ["3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2"];
const CODES = RANKS.flatMap((rank) => [..."SCDH"].map((suit) => rank + suit));
const SIGNS = { S: "♠", C: "♣", D: "♦", H: "♥" };
const inWords = (codes) => codes.map((code) => (code === "??" ? "?" : code.slice(0, -1) + (SIGNS[code.at(-1)] ?? "?"))).join(" ");
const OPEN = RANKS.map((rank) => `${rank}?`); // cards whose suit nobody remembers
const strength = (code) => RANKS.indexOf(code.slice(0, -1)) * 5 + "SCDH?".indexOf(code.at(-1));
const byStrength = (one, other) => strength(one) - strength(other);
const times = (codes, code) => codes.filter((each) => each === code).length;

/** The cards with one more of a kind whose suit is open; after the fourth there is none. */
const oneMore = (codes, code) => {
  const count = (times(codes, code) + 1) % 5;
  return [...codes.filter((each) => each !== code), ...Array(count).fill(code)];
};

/** Gives a node these children. What is the same as before stays the very same node: a finger that is just on it
 *  taps it, and what is being typed into it is not lost, when an answer arrives meanwhile. */
function fill(node, ...children) {
  const before = [...node.childNodes];
  const after = children.filter((child) => child != null && child !== false && child !== "").map((child) => (typeof child === "string" ? document.createTextNode(child) : child));
  after.forEach((child, k) => {
    if (!before[k]) node.append(child);
    else if (!before[k].isEqualNode(child)) before[k].replaceWith(child);
  });
  for (const child of before.slice(after.length)) child.remove();
}

/** One card as a key: rank and suit as on a card; `mark` is a small sign in its corner. Tab stops at one of them. */
function drawKey(code, { stop, pressed = false, gone = false, dim = false, mark = "", label = "" }) {
  const suit = code.at(-1);
  return h("button", { type: "button", class: `te-key tl-card tl-${suit === "?" ? "open" : suit} ${gone ? "te-gone" : ""} ${dim ? "te-dim" : ""}`, "data-card": code, "data-id": `card-${code}`, tabindex: stop ? 0 : -1,
    "aria-pressed": pressed, "aria-label": [inWords([code]), label].filter(Boolean).join(", ") },
    s("svg", { viewBox: "0 0 44 48", "aria-hidden": "true" }, s("rect", { x: 1, y: 1, width: 42, height: 46, rx: 6, class: "tl-face" }),
      s("text", { x: 22, y: 23, "font-size": 21, "text-anchor": "middle" }, code.slice(0, -1)),
      s("path", { d: SUITS[suit], transform: "translate(13.5 26) scale(0.71)" }),
      gone && s("line", { x1: 6, y1: 42, x2: 38, y2: 6, class: "te-strike" }),
      mark && s("text", { x: 38, y: 45, "text-anchor": "end", class: "te-mark" }, mark)));
}

/** Makes a card the one where Tab stops: from there the arrows go over the board. */
function stopAt(board, code) {
  for (const key of board.querySelectorAll("[data-card]")) key.setAttribute("tabindex", key.dataset.card === code ? 0 : -1);
}

/** Moves the keyboard's focus over the board as the eye sees it. */
function stepOnBoard(board, press) {
  const keys = [...board.querySelectorAll("[data-card]")];
  const at = keys.indexOf(press.target.closest("[data-card]"));
  const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[press.key];
  if (at < 0 || !by) return;
  const here = keys[at].getBoundingClientRect();
  const x = here.x + here.width / 2 + by[0] * (here.width + 3);
  const y = here.y + here.height / 2 + by[1] * (here.height + 3);
  const next = keys.find((key) => {
    const box = key.getBoundingClientRect();
    return box.left <= x && x <= box.right && box.top <= y && y <= box.bottom;
  });
  press.preventDefault();
  next?.focus();
}
