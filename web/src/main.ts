// The page, routed by the fragment of the URL: `#play/othello`, or an encoded game as in `#edit/~…`.

import { ApiError, fetchCatalogue, request } from "./api";
import { IS_STATIC } from "./backend";
import { el, fill } from "./dom";
import type { Child } from "./dom";
import { UserError } from "./errors";
import { Gallery } from "./gallery";
import { reportError, runAsync } from "./notices";
import type { Catalogue, GameRecord, LinkedGame, Position } from "./protocol";
import { Room, RoomSession } from "./room";
import { darkScheme, Session } from "./session";
import type { FetchPosition } from "./session";
import { decodeName, fromFragment, LinkError, toFragment } from "./share";
import { NEW_SPEC } from "./template";
import { MODES, showProblem, Workspace } from "./workspace";
import type { Mode } from "./workspace";

const POLL_INTERVAL = 1500; // milliseconds between requests for a catalogue that is not complete yet
const WAIT_DELAY = 500; // milliseconds from the start of loading to the message below
const WAIT_TEXT = IS_STATIC
  ? "One moment: the rules engine is being loaded, some 6 MB the first time."
  : "One moment: the rules are being read.";
const LABELS: Record<Mode, string> = { play: "Play", edit: "Edit", analyse: "Analyse" };

const fetchPosition: FetchPosition = (record, theme) =>
  request<Position>("position", { ...record, theme, marks: { last: true } });

class Page {
  private readonly main = document.getElementById("main")!;
  private readonly views = document.getElementById("views")!;
  private catalogue: Catalogue | null = null;
  private session: Session | null = null;
  private workspace: Workspace | null = null;
  private gallery: Gallery | null = null;
  /** The part of the URL fragment that encodes the game. */
  private fragment = "";
  private updateTimer = 0;

  /** Show the view of the URL. */
  async show(): Promise<void> {
    const [mode, ...rest] = location.hash.slice(1).split("/");
    const fragment = rest.join("/");
    if (mode === "room" && fragment) return this.enterRoom(fragment);
    if (!isMode(mode) || !fragment) return this.showGallery();
    const isOpen = fragment === this.fragment && this.workspace;
    if (!isOpen || (mode !== "edit" && !this.session?.position)) await this.open(fragment, mode);
    this.showLinks(mode);
    if (this.workspace) await this.workspace.enter(mode);
  }

  private async showGallery(): Promise<void> {
    this.close();
    document.title = "rulesengine";
    fill(this.views);
    if (location.hash && location.hash !== "#") history.replaceState(null, "", "#");
    const gallery = new Gallery();
    this.gallery = gallery;
    this.mount(gallery.element);
    for (;;) {
      this.catalogue ??= await fetchCatalogue();
      gallery.show(this.catalogue);
      if (this.catalogue.complete) return;
      this.catalogue = null;
      await new Promise((done) => setTimeout(done, POLL_INTERVAL));
      if (!gallery.element.isConnected) return;
    }
  }

  /** Replace the view; a focus in the old view moves to the start of the new one. */
  private mount(view: HTMLElement): void {
    const hadFocus = this.main.contains(document.activeElement);
    fill(this.main, view);
    if (hadFocus) this.main.focus({ preventScroll: true });
  }

  /** Stop the timers and requests of the current view. */
  private close(): void {
    clearTimeout(this.updateTimer);
    this.gallery?.close();
    this.workspace?.close();
    this.gallery = this.workspace = this.session = null;
    this.fragment = "";
  }

  /** Listen to changes of the colour scheme, and to keys that no view has handled. */
  listen(): void {
    darkScheme().addEventListener("change", () => runAsync(async () => this.session?.refresh()));
    document.addEventListener("keydown", (event) => this.workspace?.onKeydown(event));
  }

  /** Open the game of a fragment; in the mode `edit` its spec may have errors. */
  private async open(fragment: string, mode: Mode): Promise<void> {
    const { setup = {}, settled = null, ...record } = await readFragment(fragment);
    const session = new Session(record, fetchPosition);
    Object.assign(session, { setup, settled });
    const workspace = new Workspace(session);
    session.listen((position) => {
      this.scheduleUrlUpdate();
      if (position.moves.length < session.ply) showProblem(position);
    });
    const waitTimer = setTimeout(() => this.showWaiting(), WAIT_DELAY);
    try {
      await session.refresh();
    } catch (error) {
      if (!isInvalidSpec(error, record)) throw error;
      if (mode !== "edit") throw new InvalidSpec(error.message);
    } finally {
      clearTimeout(waitTimer);
    }
    this.close();
    this.fragment = fragment;
    this.session = session;
    this.workspace = workspace;
    this.mount(workspace.element);
    const { left } = (history.state ?? {}) as { left?: Record<string, number> };
    if (left) workspace.restoreTime(left);
  }

  /** Open a room: take a free seat or watch, and show its game. */
  private async enterRoom(id: string): Promise<void> {
    if (this.fragment === `room/${id}`) return;
    if (IS_STATIC) throw new UserError("a game between devices needs the server of `rulesengine serve`");
    this.close();
    fill(this.main);
    const room = new Room(id);
    await room.join();
    await room.watch();
    const session = new RoomSession({ ...room.latest!.game, moves: [] }, fetchPosition, room);
    session.record = { ...session.record, parameters: room.latest!.game.parameters ?? {} };
    const workspace = new Workspace(session);
    await session.apply(room.latest!);
    room.listen((seen) => seen && runAsync(() => session.apply(seen)));
    this.fragment = `room/${id}`;
    this.session = session;
    this.workspace = workspace;
    fill(this.views, el("a", { href: "#" }, "Games"));
    this.mount(workspace.element);
    await workspace.enter("play");
  }

  private showWaiting(): void {
    if (!this.main.children.length) fill(this.main, emptyState(WAIT_TEXT));
  }

  /** Show the links to the views of the game. */
  private showLinks(mode: Mode): void {
    const links = MODES.map((one) =>
      el(
        "a",
        { href: `#${one}/${this.fragment}`, "aria-current": one === mode ? "page" : undefined },
        LABELS[one],
      ),
    );
    fill(this.views, el("a", { href: "#" }, "Games"), ...links);
  }

  /** Update the URL after a change of the game; a reload then restores it. */
  private scheduleUrlUpdate(): void {
    clearTimeout(this.updateTimer);
    this.updateTimer = setTimeout(() => runAsync(() => this.updateUrl()), 200);
  }

  private async updateUrl(): Promise<void> {
    const session = this.session;
    if (!session) return;
    const fragment = await toFragmentOrName(session.linked);
    const [mode, ...rest] = location.hash.slice(1).split("/");
    // The user may have navigated to another view meanwhile.
    if (session !== this.session || rest.join("/") !== this.fragment || !isMode(mode)) return;
    this.fragment = fragment;
    const left = this.workspace?.timeLeft ?? {};
    history.replaceState({ left }, "", `#${mode}/${fragment}`);
    this.showLinks(mode);
  }
}

function isMode(text: string | undefined): text is Mode {
  return MODES.some((mode) => mode === text);
}

async function readFragment(fragment: string): Promise<LinkedGame> {
  if (fragment === "new") return { spec: { text: NEW_SPEC }, parameters: {}, moves: [] };
  if (fragment.startsWith("~")) return fromFragment(fragment.slice(1));
  return { spec: { name: decodeName(fragment) }, parameters: {}, moves: [] };
}

/** The spec of a link has errors. */
class InvalidSpec extends UserError {}

function isInvalidSpec(error: unknown, { spec }: GameRecord): error is ApiError {
  return error instanceof ApiError && error.kind === "spec" && "text" in spec;
}

function emptyState(...text: Child[]): HTMLElement {
  return el("p", { class: "lost" }, ...text);
}

async function toFragmentOrName(record: LinkedGame): Promise<string> {
  const { spec, parameters, moves, start, with: transforms = [], setup } = record;
  const isVariant = Object.keys(parameters).length || transforms.length || start;
  const isChanged = moves.length || isVariant || setup;
  return "name" in spec && !isChanged ? spec.name : `~${await toFragment(record)}`;
}

/** Return the reason why the game cannot be shown, for the user. */
function errorText(error: unknown): string {
  if (error instanceof LinkError) return error.message;
  return `This game cannot be shown${error instanceof UserError ? `: ${error.message}` : ""}.`;
}

const page = new Page();

function show(): void {
  page.show().catch((error: unknown) => {
    reportError(error);
    const main = document.getElementById("main")!;
    if (main.querySelector(":scope > :not(.lost)")) return; // another view is still shown
    const fragment = location.hash.split("/").slice(1).join("/");
    const editLink = el("a", { href: `#edit/${fragment}` }, "Fix its rules");
    const links = error instanceof InvalidSpec ? [editLink, " "] : [];
    fill(main, emptyState(errorText(error), " ", ...links, el("a", { href: "#" }, "See all games")));
  });
}

fill(document.getElementById("main")!);
page.listen();
addEventListener("hashchange", show);
show();
