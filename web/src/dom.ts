// Elements, made from names, properties and children: text is never read as markup.

import { shape } from "./svg";

export type Child = Node | string | null | undefined | false;
type Listener = (event: Event) => void;
type Value = string | number | boolean | Listener | undefined;

/** An element; a property that is a function listens, `true` is an attribute without a value. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Record<string, Value> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) set(made, name, value);
  made.append(...children.filter(isNode));
  return made;
}

function set(element: HTMLElement, name: string, value: Value): void {
  if (typeof value === "function") element.addEventListener(name, value);
  else if (value === true) element.setAttribute(name, "");
  else if (value !== false && value !== undefined) element.setAttribute(name, String(value));
}

function isNode(child: Child): child is Node | string {
  return child !== null && child !== undefined && child !== false;
}

/** Puts these children in the place of all that an element holds. */
export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren(...children.filter(isNode));
}

/** A button that says what it does. */
export function button(label: string, act: () => void, more: Record<string, Value> = {}) {
  return el("button", { type: "button", click: act, ...more }, label);
}

/** A button with a picture on it, given as a path in 16 by 16, and its name. */
export function signButton(path: string, label: string, act: () => void): HTMLButtonElement {
  const picture = shape("svg", { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" });
  picture.append(shape("path", { d: path, fill: "currentColor" }));
  const more = { class: "sign", "aria-label": label, title: label };
  return el("button", { type: "button", click: act, ...more }, picture);
}

/** A choice among texts, each with its value. */
export function choice(
  options: readonly (readonly [value: string, label: string])[],
  chosen: string,
  act: (value: string) => void,
  more: Record<string, Value> = {},
): HTMLSelectElement {
  const made = el("select", { ...more, change: () => act(made.value) });
  for (const [value, label] of options) {
    made.append(el("option", { value, selected: value === chosen }, label));
  }
  return made;
}

/** A label beside what it names. */
export function field(label: string, input: HTMLElement): HTMLElement {
  input.id ||= freshId();
  return el("div", { class: "field" }, el("label", { for: input.id }, label), input);
}

let serial = 0;

/** An id that no other element has. */
function freshId(): string {
  serial += 1;
  return `n${serial}`;
}
