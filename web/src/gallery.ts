// All bundled games, to be looked through and searched.

import { el, fill } from "./dom";
import type { Catalogue, GameEntry } from "./protocol";

export function gallery({ games }: Catalogue): HTMLElement {
  const found = el("ul", { class: "games" });
  const count = el("p", { class: "count", role: "status" });
  const search = el("input", {
    type: "search",
    placeholder: "Search: othello, hexagons, 3 players …",
    "aria-label": "Search the games",
  });
  const cards = games.map((game) => ({ words: words(game), card: card(game) }));
  const narrow = () => {
    const wanted = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = cards.filter((one) => wanted.every((word) => one.words.includes(word)));
    fill(found, ...fits.map((one) => one.card));
    count.textContent = fits.length === 1 ? "1 game" : `${fits.length} games`;
  };
  search.addEventListener("input", narrow);
  narrow();
  return el(
    "div",
    { class: "gallery" },
    el("h1", {}, "Board games from their rules"),
    el("p", { class: "lead" }, "Play a game, read its rules, change them, and share what you made."),
    el("div", { class: "row" }, search, el("a", { class: "button", href: "#edit/new" }, "Write a new game")),
    count,
    found,
  );
}

function words({ name, title, summary, tags, players, board }: GameEntry): string {
  return [name, title, summary, ...tags, ...players, board.shape].join(" ").toLowerCase();
}

function card({ name, title, summary, tags, parameters }: GameEntry): HTMLElement {
  const picture = el("img", {
    src: `api/pictures/${encodeURIComponent(name)}.svg`,
    alt: "",
    loading: "lazy",
    width: 200,
    height: 200,
  });
  const named = parameters.map((one) => one.name);
  return el(
    "li",
    {},
    el(
      "a",
      { href: `#play/${encodeURIComponent(name)}`, class: "card" },
      el("span", { class: "picture" }, picture),
      el("span", { class: "title" }, title),
      el("span", { class: "summary" }, summary),
      el(
        "span",
        { class: "tags" },
        ...tags.map((tag) => el("span", {}, tag)),
        named.length > 0 && el("span", {}, `parameters ${named.join(", ")}`),
      ),
    ),
  );
}
