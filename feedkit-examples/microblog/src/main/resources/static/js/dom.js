/** Small helpers to build elements. Texts become text nodes, never HTML. */

const SVG = "http://www.w3.org/2000/svg";

/** An element: `h("a", {class: "who", href, onclick}, "text", child)`. Null, false and undefined are left out. */
export function h(tag, attributes, ...children) {
    return fill(document.createElement(tag), attributes, children);
}

/** An SVG element, in the same manner. */
export function s(tag, attributes, ...children) {
    return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes ?? {})) {
        if (value === null || value === undefined || value === false) {
            continue;
        }
        if (name.startsWith("on")) {
            element.addEventListener(name.slice(2), value);
        } else {
            element.setAttribute(name, value === true ? "" : value);
        }
    }
    element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
    return element;
}

export function icon(name) {
    return s(
        "svg",
        { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" },
        s("use", { href: `/img/icons.svg#${name}` }),
    );
}

/** A text for screen readers only. */
export function hidden(text) {
    return h("span", { class: "sr" }, text);
}

export const byId = (id) => document.getElementById(id);

export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

let numbers = 0;

/** An id for an element that another one names. */
export const newId = (prefix) => `${prefix}-${++numbers}`;

/** Says a text to screen readers. */
export function say(text) {
    byId("said").textContent = text;
}

/** Shows a message for a while, at the edge of the page. */
export function toast(text) {
    const box = h("div", { class: "toast" }, h("p", null, text));
    const close = h("button", { type: "button", onclick: () => box.remove() }, icon("close"), hidden("Close"));
    box.append(close);
    byId("toasts").append(box);
    setTimeout(() => box.contains(document.activeElement) || box.remove(), 8000);
}
