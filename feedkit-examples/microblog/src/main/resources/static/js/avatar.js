import { h, s } from "./dom.js";

/** Pictures of accounts, drawn from the account's id: four tiles with quarters of circles. */

const PALETTES = [
    ["#0b3d34", "#62d9ba", "#f3ac63", "#f5efe2"],
    ["#1d2f5e", "#8abff5", "#f7d560", "#f2f4fb"],
    ["#5a1738", "#ff8fab", "#ffd9a0", "#fdf0f2"],
    ["#3b2a12", "#f3ac63", "#9ad0c2", "#fbf3e6"],
    ["#25314a", "#e76f51", "#e9c46a", "#eef1f6"],
    ["#143d2a", "#a7d46f", "#f6f0a8", "#eef6e6"],
    ["#3a1f4f", "#c79bf2", "#7be0d3", "#f4eefb"],
    ["#0f3b4c", "#5ec6e8", "#ff9d76", "#e9f5f9"],
    ["#4a1c14", "#ff7f66", "#8fc7b5", "#fdf0ec"],
    ["#2c3319", "#cbd45e", "#e98a4f", "#f5f6e4"],
];

/** FNV-1a, so that the same account has the same picture everywhere. */
function hash(text) {
    let value = 0x811c9dc5;
    for (const unit of text) {
        value = Math.imul(value ^ unit.codePointAt(0), 0x01000193);
    }
    value ^= value >>> 15;
    value = Math.imul(value, 0x2c1b3c6d);
    value ^= value >>> 12;
    return value >>> 0;
}

const QUARTERS = [
    "M0 0h20a20 20 0 0 1-20 20z",
    "M20 0v20A20 20 0 0 1 0 0z",
    "M20 20H0A20 20 0 0 1 20 0z",
    "M0 20V0a20 20 0 0 1 20 20z",
];

function tile(x, y, bits, colours) {
    const [dark, first, second, light] = colours;
    const ground = bits & 1 ? dark : light;
    const shape = bits & 2 ? first : second;
    const parts = [s("rect", { width: 20.1, height: 20.1, fill: ground, "shape-rendering": "crispEdges" })];
    if ((bits >> 2) % 5 === 0) {
        parts.push(s("circle", { cx: 10, cy: 10, r: 7, fill: shape }));
    } else {
        parts.push(s("path", { d: QUARTERS[(bits >> 2) % 4], fill: shape }));
    }
    return s("g", { transform: `translate(${x} ${y})` }, parts);
}

function tiles(id, columns, rows) {
    const value = hash(id);
    const colours = PALETTES[value % PALETTES.length];
    const parts = [];
    for (let row = 0; row < rows; row++) {
        for (let column = 0; column < columns; column++) {
            parts.push(tile(column * 20, row * 20, hash(`${id}:${column}:${row}`) % 64, colours));
        }
    }
    return parts;
}

/** The tiles alone, 40 by 40, to put into another picture. */
export const avatarTiles = (id) => s("g", null, tiles(id, 2, 2));

export function avatar(id) {
    const picture = s("svg", { viewBox: "0 0 40 40", "aria-hidden": "true" }, tiles(id, 2, 2));
    return h("span", { class: "avatar" }, picture);
}

/** The wide picture of a profile. */
export function banner(id) {
    const picture = s(
        "svg",
        { viewBox: "0 0 240 60", preserveAspectRatio: "xMidYMid slice", "aria-hidden": "true" },
        tiles(id, 12, 3),
    );
    return h("div", { class: "banner" }, picture);
}
