// All bundled games in groups, to be searched by words and narrowed by tags. The search and the
// place on the page are kept in the entry of the history, so that "back" leads to both again.

import { pictureUrl } from "./api";
import { IS_STATIC } from "./backend";
import { button, el, fill } from "./dom";
import type { Catalogue, GameEntry } from "./protocol";

const PATIENCE = 5; // how often a picture is asked for again
const LEAST = 2; // games of a tag that can be chosen
const PAUSE = 150; // milliseconds without scrolling, until the place is kept
const REST = "Other games";
const OPENS = IS_STATIC ? "edit" : "play"; // the games of the site are played in pages of their own
// The groups in their order, by tag.
const GROUPS: readonly (readonly [tag: string, title: string])[] = [
  ["chess", "Chess"],
  ["draughts", "Draughts"],
  ["go", "Go"],
  ["alignment", "In a row"],
  ["flipping", "Flipping"],
  ["connection", "Connection"],
  ["race", "Race"],
  ["dice", "Dice"],
  ["mancala", "Mancala"],
  ["capture", "Capture"],
  ["hunt", "Hunt"],
  ["blocking", "Blocking"],
  ["puzzle", "Puzzles"],
];

interface Shown {
  entry: string;
  words: string;
  tags: string[];
  group: string;
  card: HTMLElement;
}

/** What a reader has searched for, and where on the page; all that an entry of the history keeps. */
interface Kept {
  text: string;
  tag: string;
  top: number;
}

export class Gallery {
  private readonly cards = new Map<string, Shown>();
  private readonly found = el("div", { class: "groups" });
  private readonly count = el("p", { class: "count", role: "status" });
  private readonly chips = el("div", {
    class: "chips",
    role: "toolbar",
    "aria-label": "Tags",
    keydown: (event) => this.rove(event as KeyboardEvent),
  });
  private readonly search = el("input", {
    type: "search",
    placeholder: "Search: checkers, dice, hexagons …",
    "aria-label": "Search the games",
    input: () => this.narrow(true),
  });
  private tag = "";
  private place: number | null; // to be shown once the games are there
  private waiting = 0;
  private readonly scrolled = () => {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.keep(), PAUSE);
  };
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
    this.chips,
    this.count,
    this.found,
  );

  constructor() {
    const { text, tag, top } = keptState();
    this.search.value = text;
    this.tag = tag;
    this.place = top || null;
    history.scrollRestoration = "manual";
    addEventListener("scroll", this.scrolled, { passive: true });
  }

  /** Shows the games, more of each when more is known. */
  show({ games }: Catalogue): void {
    for (const game of games) {
      const entry = JSON.stringify(game);
      if (this.cards.get(game.name)?.entry === entry) continue;
      const { tags = [], group = "" } = game;
      this.cards.set(game.name, { entry, words: words(game), tags, group, card: card(game) });
    }
    this.offer();
    this.narrow(false);
    if (this.place !== null) scrollTo(0, this.place);
    this.place = null;
  }

  /** Gives up pictures that are still on their way: they would hold up what comes next. */
  leave(): void {
    clearTimeout(this.waiting);
    removeEventListener("scroll", this.scrolled);
    history.scrollRestoration = "auto";
    for (const picture of this.element.querySelectorAll("img")) {
      if (!picture.complete) picture.removeAttribute("src");
    }
    scrollTo(0, 0);
  }

  /** Keeps the search and the place in the entry of the history. */
  private keep(): void {
    if (!this.element.isConnected || !isGallery()) return;
    const gallery: Kept = { text: this.search.value, tag: this.tag, top: Math.round(scrollY) };
    history.replaceState({ gallery }, "");
  }

  /** Offers the tags of several games, but not of most; those of groups come first. */
  private offer(): void {
    const counts = new Map<string, number>();
    for (const { tags } of this.cards.values()) {
      for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
    }
    const groups = GROUPS.map(([tag]) => tag);
    const others = [...counts.keys()].filter((tag) => !groups.includes(tag)).sort();
    const narrows = (count: number) => count >= LEAST && 2 * count < this.cards.size;
    const known = [...groups, ...others].filter((tag) => narrows(counts.get(tag) ?? 0));
    const before = document.activeElement?.getAttribute("data-tag");
    fill(
      this.chips,
      ...known.map((tag) =>
        button(tag, () => this.choose(tag), {
          "data-tag": tag,
          tabindex: tag === (this.tag || known[0]) ? 0 : -1,
          "aria-pressed": tag === this.tag ? "true" : "false",
        }),
      ),
    );
    if (before) this.chip(before)?.focus();
  }

  /** Goes from tag to tag by arrow keys; the tab key leads to one of them alone. */
  private rove(event: KeyboardEvent): void {
    const chips = [...this.chips.querySelectorAll("button")];
    const at = chips.findIndex((chip) => chip === document.activeElement);
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const next = step && at >= 0 ? chips[(at + step + chips.length) % chips.length] : null;
    if (!next) return;
    for (const chip of chips) chip.tabIndex = chip === next ? 0 : -1;
    next.focus();
    event.preventDefault();
  }

  private chip(tag: string): HTMLButtonElement | null {
    return this.chips.querySelector(`[data-tag="${CSS.escape(tag)}"]`);
  }

  private choose(tag: string): void {
    this.tag = tag === this.tag ? "" : tag;
    for (const chip of this.chips.querySelectorAll("button")) {
      chip.setAttribute("aria-pressed", String(chip.dataset["tag"] === this.tag));
    }
    this.narrow(true);
  }

  private narrow(isAsked: boolean): void {
    const wanted = plain(this.search.value).split(/\s+/).filter(Boolean);
    const fits = [...this.cards.values()].filter(
      ({ words, tags }) =>
        wanted.every((word) => words.includes(word)) && (!this.tag || tags.includes(this.tag)),
    );
    fill(this.found, ...sections(fits));
    this.count.textContent = fits.length === 1 ? "1 game" : `${fits.length} games`;
    if (isAsked) this.keep();
  }
}

/** The games under the titles of their groups. */
function sections(games: Shown[]): HTMLElement[] {
  const titles = [...GROUPS.map(([, title]) => title), REST];
  const titled = new Map<string, HTMLElement[]>(titles.map((title) => [title, []]));
  for (const { group, card } of games) {
    const title = GROUPS.find(([tag]) => tag === group)?.[1] ?? REST;
    titled.get(title)!.push(card);
  }
  return [...titled]
    .filter(([, cards]) => cards.length)
    .map(([title, cards]) =>
      el("section", {}, el("h2", {}, title), el("ul", { class: "games" }, ...cards)),
    );
}

function isGallery(): boolean {
  return location.hash.length <= 1;
}

/** What the entry of the history keeps; of another origin nothing. */
function keptState(): Kept {
  const state = history.state as { gallery?: Partial<Kept> } | null;
  const { text, tag, top } = state?.gallery ?? {};
  return {
    text: typeof text === "string" ? text : "",
    tag: typeof tag === "string" ? tag : "",
    top: typeof top === "number" ? top : 0,
  };
}

/** Small letters without accents. */
function plain(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

function words({
  name,
  title,
  summary = "",
  tags = [],
  aliases = [],
  players = [],
  parameters = [],
}: GameEntry): string {
  const named = parameters.map((one) => one.name);
  return plain([name, title, summary, ...tags, ...aliases, ...players, ...named].join(" "));
}

function card({ name, title, summary = "", tags = [] }: GameEntry): HTMLElement {
  return el(
    "li",
    {},
    el(
      "a",
      { href: `#${OPENS}/${encodeURIComponent(name)}`, class: "card" },
      el("span", { class: "picture" }, picture(name)),
      el("span", { class: "title" }, title),
      el("span", { class: "summary" }, summary.charAt(0).toUpperCase() + summary.slice(1)),
      el("span", { class: "tags" }, ...tags.map((label) => el("span", {}, label))),
    ),
  );
}

/** The picture of a game; a server that is busy is asked again, later each time. */
function picture(name: string): HTMLImageElement {
  const src = pictureUrl(name);
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
