import { avatarTiles } from "./avatar.js";
import { calm, h, s } from "./dom.js";
import { count, exact, short } from "./format.js";
import { nameOf } from "./post.js";

/** The way of a post from its author to the inboxes, as a picture with numbers. */

const COLUMNS = 6;
const ROWS = 5;

export function drawWay(figure, way) {
    if (!way) {
        figure.replaceChildren(h("figcaption", null, "The next post that anybody publishes is drawn here."));
        return;
    }
    const pulled = way.mode === "PULL";
    const text = describe(way, pulled);
    const picture = s(
        "svg",
        { viewBox: "0 24 320 122", role: "img", "aria-label": text, class: pulled ? "pull" : "" },
        author(way),
        lines(pulled, way.followers > COLUMNS),
        node(way, pulled),
        inboxes(way, pulled),
    );
    figure.replaceChildren(picture, h("figcaption", { "aria-hidden": "true" }, text));
}

function describe(way, pulled) {
    const who = nameOf(way.author);
    const followers = count(way.followers, "follower");
    if (pulled) {
        return `${who}’s post stays in the outbox. ${followers} pull it with their pages: nothing was copied.`;
    }
    const time = way.deliveredAfterMillis === null ? "" : ` within ${exact(way.deliveredAfterMillis)} ms`;
    const parts = [
        `${who}’s post was pushed to ${exact(way.delivered)} of ${count(inboxesOf(way), "inbox", "es")}${time}.`,
    ];
    if (way.notLive > 0) {
        parts.push(`${count(way.notLive, "inbox", "es")} will be built when the reader comes back.`);
    }
    if (way.belowFloor > 0) {
        parts.push(`For ${exact(way.belowFloor)} it is older than their inbox reaches.`);
    }
    if (!way.finished) {
        parts.push("Fan-out goes on.");
    }
    return parts.join(" ");
}

/** Those of the followers, and the author's own if own posts show. */
const inboxesOf = (way) => Math.max(way.followers, way.delivered + way.notLive + way.belowFloor);

function author(way) {
    const size = 46;
    return s(
        "g",
        null,
        s(
            "g",
            { transform: `translate(19 46) scale(${size / 40})`, "clip-path": "inset(0 round 14px)" },
            avatarTiles(way.author.id),
        ),
        s("text", { class: "number name", x: 42, y: 125 }, shorten(nameOf(way.author))),
        s("text", { class: "label", x: 42, y: 141 }, "author"),
    );
}

const shorten = (name) => (name.length > 12 ? `${name.slice(0, 11)}…` : name);

function lines(pulled, many) {
    const ways = ["M73 69h36", "M188 69h30"];
    if (many) {
        ways.push("M188 69c16 0 14-27 30-27", "M188 69c16 0 14 27 30 27");
    }
    return ways.flatMap((d) => [
        s("path", { class: "line", d }),
        !pulled && !calm() && s("path", { class: "line run", d }),
    ]);
}

function node(way, pulled) {
    const names = { PUSH: "push", PULL: "outbox", PUSH_ACTIVE: "push, active" };
    const number = pulled ? "0" : short(way.delivered);
    return s(
        "g",
        null,
        s("rect", { class: "node", x: 110, y: 50, width: 78, height: 38, rx: 13 }),
        s("text", { class: "node-text", x: 149, y: 74 }, names[way.mode] ?? way.mode.toLowerCase()),
        s("text", { class: "number", x: 149, y: 125 }, number),
        s("text", { class: "label", x: 149, y: 141 }, "copies"),
    );
}

/** Each cell stands for an equal part of the followers. */
function inboxes(way, pulled) {
    const all = pulled ? way.followers : inboxesOf(way);
    const total = Math.min(COLUMNS * ROWS, all);
    const share = all > 0 ? total / all : 0;
    const on = pulled ? 0 : Math.round(way.delivered * share);
    const below = pulled ? 0 : Math.round(way.belowFloor * share);
    const rows = Math.ceil(total / COLUMNS);
    const middle = 222 + Math.max(2, Math.min(COLUMNS, total)) * 7.5;
    const cells = [];
    for (let index = 0; index < total; index++) {
        const kind = index < on ? "cell on" : index < on + below ? "cell below" : "cell";
        cells.push(
            s("rect", {
                class: kind,
                x: 224 + (index % COLUMNS) * 15,
                y: 71 - rows * 7.5 + Math.floor(index / COLUMNS) * 15,
                width: 11,
                height: 11,
                rx: 3,
            }),
        );
    }
    return s(
        "g",
        null,
        cells,
        s("text", { class: "number", x: middle, y: 125 }, short(all)),
        s("text", { class: "label", x: middle, y: 141 }, pulled ? "readers" : "inboxes"),
    );
}
