// Pictures from the server as elements of the page: only what a drawing needs, nothing that runs,
// loads or brings styles of its own.

const SVG = "http://www.w3.org/2000/svg";
const ELEMENTS = new Set(["svg", "g", "path", "circle", "rect", "line", "text", "title", "desc"]);
const ATTRIBUTES = new Set([
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

/** The picture, or null where the text is none. */
export function parsePicture(text: string): SVGSVGElement | null {
  const { documentElement } = new DOMParser().parseFromString(text, "image/svg+xml");
  const made = documentElement.namespaceURI === SVG ? copied(documentElement) : null;
  return made instanceof SVGSVGElement ? made : null;
}

function copied(source: Element): SVGElement | null {
  if (source.namespaceURI !== SVG || !ELEMENTS.has(source.localName)) return null;
  const made = document.createElementNS(SVG, source.localName);
  for (const { name, value } of source.attributes) {
    const isPlain = ATTRIBUTES.has(name) && !/url\s*\(|\/\*|\\/i.test(value);
    if (isPlain || /^data-[a-z]+$/.test(name)) made.setAttribute(name, value);
  }
  for (const child of source.childNodes) {
    if (child instanceof Element) {
      const part = copied(child);
      if (part) made.append(part);
    } else if (child.nodeType === Node.TEXT_NODE) {
      made.append(child.nodeValue ?? "");
    }
  }
  return made;
}

/** An element of a picture. */
export function shape(tag: string, attributes: Record<string, string | number>): SVGElement {
  const made = document.createElementNS(SVG, tag) as SVGElement;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}
