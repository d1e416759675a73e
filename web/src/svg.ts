// SVG elements. Pictures of the server are sanitized: no scripts, no requests, no styles.

const SVG = "http://www.w3.org/2000/svg";
const ALLOWED_ELEMENTS = new Set(["svg", "g", "path", "circle", "rect", "line", "text", "title", "desc"]);
const ALLOWED_ATTRIBUTES = new Set([
  "viewBox",
  "d",
  "cx",
  "cy",
  "r",
  "x",
  "y",
  "x1",
  "y1",
  "x2",
  "y2",
  "width",
  "height",
  "transform",
  "fill",
  "stroke",
  "stroke-width",
  "stroke-linejoin",
  "stroke-linecap",
  "opacity",
  "font-size",
  "font-weight",
  "font-family",
  "text-anchor",
  "role",
  "class",
]);

/** Parse and sanitize a picture; return null if the text is not SVG. */
export function parsePicture(text: string): SVGSVGElement | null {
  const { documentElement } = new DOMParser().parseFromString(text, "image/svg+xml");
  const element = documentElement.namespaceURI === SVG ? sanitize(documentElement) : null;
  return element instanceof SVGSVGElement ? element : null;
}

function sanitize(source: Element): SVGElement | null {
  if (source.namespaceURI !== SVG || !ALLOWED_ELEMENTS.has(source.localName)) return null;
  const element = document.createElementNS(SVG, source.localName);
  for (const { name, value } of source.attributes) {
    const isPlain = ALLOWED_ATTRIBUTES.has(name) && !/url\s*\(|\/\*|\\/i.test(value);
    if (isPlain || /^data-[a-z]+$/.test(name)) element.setAttribute(name, value);
  }
  for (const child of source.childNodes) {
    if (child instanceof Element) {
      const part = sanitize(child);
      if (part) element.append(part);
    } else if (child.nodeType === Node.TEXT_NODE) {
      element.append(child.nodeValue ?? "");
    }
  }
  return element;
}

/** Create an SVG element. */
export function shape(tag: string, attributes: Record<string, string | number>): SVGElement {
  const element = document.createElementNS(SVG, tag) as SVGElement;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}
