// All bundled games, to be looked through and searched.

import { el, fill } from "./dom";
import type { Catalogue, GameEntry } from "./protocol";

const PATIENCE = 5; // how often a picture is asked for again

interface Shown {
  entry: string;
  words: string;
  card: HTMLElement;
}

export class Gallery {
  private readonly cards = new Map<string, Shown>();
  private readonly found = el("ul", { class: "games" });
  private readonly count = el("p", { class: "count", role: "status" });
  private readonly search = el("input", {
    type: "search",
    placeholder: "Search: othello, hexagons, 3 players …",
    "aria-label": "Search the games",
    input: () => this.narrow(),
  });
  readonly element = el(
    "div",
    { class: "gallery" },
    el("h1", {}, "Board games from their rules"),
    el("p", { class: "lead" }, "Play a game, read its rules, change them, and share what you made."),
    el(
      "div",
      { class: "row" },
      this.search,
      el("a", { class: "button", href: "#edit/new" }, "Write a new game"),
    ),
    this.count,
    this.found,
  );

  /** Shows the games, more of each when more is known. */
  show({ games }: Catalogue): void {
    for (const game of games) {
      const entry = JSON.stringify(game);
      if (this.cards.get(game.name)?.entry === entry) continue;
      this.cards.set(game.name, { entry, words: words(game), card: card(game) });
    }
    this.narrow();
  }

  /** Gives up pictures that are still on their way: they would hold up what comes next. */
  leave(): void {
    for (const picture of this.element.querySelectorAll("img")) {
      if (!picture.complete) picture.removeAttribute("src");
    }
  }

  private narrow(): void {
    const wanted = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = [...this.cards.values()].filter((one) =>
      wanted.every((word) => one.words.includes(word)),
    );
    fill(this.found, ...fits.map((one) => one.card));
    this.count.textContent = fits.length === 1 ? "1 game" : `${fits.length} games`;
  }
}

function words({ name, title, summary = "", tags = [], players = [] }: GameEntry): string {
  return [name, title, summary, ...tags, ...players].join(" ").toLowerCase();
}

function card({ name, title, summary = "", tags = [], parameters = [] }: GameEntry): HTMLElement {
  const named = parameters.map((one) => one.name).join(", ");
  const labels = named ? [...tags, `parameters ${named}`] : tags;
  return el(
    "li",
    {},
    el(
      "a",
      { href: `#play/${encodeURIComponent(name)}`, class: "card" },
      el("span", { class: "picture" }, picture(name)),
      el("span", { class: "title" }, title),
      el("span", { class: "summary" }, summary),
      el("span", { class: "tags" }, ...labels.map((label) => el("span", {}, label))),
    ),
  );
}

/** The picture of a game; a server that is busy is asked again, later each time. */
function picture(name: string): HTMLImageElement {
  const src = `api/pictures/${encodeURIComponent(name)}.svg`;
  let tries = 0;
  const made = el("img", {
    src,
    alt: "",
    loading: "lazy",
    width: 200,
    height: 200,
    error: () => {
      tries += 1;
      if (tries <= PATIENCE) setTimeout(() => made.isConnected && (made.src = src), tries * 1000);
    },
  });
  return made;
}
