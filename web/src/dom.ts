// Creation of HTML elements; text is never parsed as markup.

import { shape } from "./svg";

export type Child = Node | string | null | undefined | false;
type Listener = (event: Event) => void;
type Value = string | number | boolean | Listener | undefined;

/** Create an element; a function is an event listener, `true` an attribute without a value. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Record<string, Value> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) set(element, name, value);
  element.append(...children.filter(isNode));
  return element;
}

function set(element: HTMLElement, name: string, value: Value): void {
  if (typeof value === "function") element.addEventListener(name, value);
  else if (value === true) element.setAttribute(name, "");
  else if (value !== false && value !== undefined) element.setAttribute(name, String(value));
}

function isNode(child: Child): child is Node | string {
  return child !== null && child !== undefined && child !== false;
}

/** Replace the children of an element. */
export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren(...children.filter(isNode));
}

/** Create a button with a label. */
export function button(label: string, onClick: () => void, attributes: Record<string, Value> = {}) {
  return el("button", { type: "button", click: onClick, ...attributes }, label);
}

/** Create a button with an icon, which is an SVG path in a square of 16 units. */
export function iconButton(path: string, label: string, onClick: () => void): HTMLButtonElement {
  const picture = shape("svg", { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" });
  picture.append(shape("path", { d: path, fill: "currentColor" }));
  const attributes = { class: "sign", "aria-label": label, title: label };
  return el("button", { type: "button", click: onClick, ...attributes }, picture);
}

/** Create a select box. */
export function selectBox(
  options: readonly (readonly [value: string, label: string])[],
  chosen: string,
  onChange: (value: string) => void,
  attributes: Record<string, Value> = {},
): HTMLSelectElement {
  const element = el("select", { ...attributes, change: () => onChange(element.value) });
  for (const [value, label] of options) {
    element.append(el("option", { value, selected: value === chosen }, label));
  }
  return element;
}

/** Create a field with a label and an input. */
export function field(label: string, input: HTMLElement): HTMLElement {
  input.id ||= uniqueId();
  return el("div", { class: "field" }, el("label", { for: input.id }, label), input);
}

let lastId = 0;

/** Return an unused element id. */
function uniqueId(): string {
  lastId += 1;
  return `n${lastId}`;
}
