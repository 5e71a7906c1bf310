import { get } from "./api.js";
import { hear } from "./bus.js";
import { byId, h, hidden, icon, say, toast } from "./dom.js";
import { exact } from "./format.js";
import { choosePolicy } from "./state.js";
import { session } from "./session.js";
import { drawWay } from "./way.js";

/** The panel for developers: how the pages were made. It stands beside the feed, or in a drawer where that is narrow. */

const NOTES = {
    push: "Each post is copied into the inboxes of all followers when it is published.",
    pull: "Nothing is copied. Each page reads the outboxes of the authors you follow.",
    hybrid: "Posts are pushed, except those of popular authors: pages pull these from their outboxes.",
    online: "Posts are pushed to readers who were here lately. Others pull.",
};
const KEPT = 60;

const seams = "seams";
const policies = h("div", { class: "policies" });
const note = h("p", { class: "policy-note", id: "policy-note" });
const rows = h("tbody");
const facts = h("dl", { class: "facts" });
const figure = h("figure", { class: "way" });
let shown = null;

export function startPanel() {
    const panel = byId("panel");
    panel.append(
        h(
            "div",
            { class: "panel-head" },
            h("h2", { id: "panel-title" }, "How this feed is made"),
            h(
                "button",
                { type: "button", class: "tool", onclick: () => byId("drawer").close() },
                icon("close"),
                hidden("Close"),
            ),
        ),
        h(
            "section",
            { "aria-labelledby": "panel-policy" },
            h("h3", { id: "panel-policy" }, "Policy"),
            h(
                "fieldset",
                { "aria-describedby": "policy-note" },
                h("legend", { class: "sr" }, "Policy for new posts and pages"),
                policies,
            ),
            note,
        ),
        h(
            "section",
            { "aria-labelledby": "panel-pages" },
            h("h3", { id: "panel-pages" }, "Pages that you read"),
            pagesTable(),
            seamsChoice(),
        ),
        h("section", { "aria-labelledby": "panel-way" }, h("h3", { id: "panel-way" }, "The last post’s way"), figure),
        h("section", { "aria-labelledby": "panel-facts" }, h("h3", { id: "panel-facts" }, "Server"), facts),
    );
    drawWay(figure, null);
    hear("state", showState);
    hear("page-read", addPage);
    hear("live-update", readWaySoon);
    hear("posted", readWaySoon);
    startDrawer(panel);
}

function pagesTable() {
    return h(
        "div",
        { class: "pages-box", tabindex: "0", role: "group", "aria-label": "Pages, the newest first" },
        h(
            "table",
            { class: "pages" },
            h(
                "caption",
                { class: "sr" },
                "For each page: policy, posts from the inbox and from outboxes, round trips, microseconds",
            ),
            h(
                "thead",
                null,
                h(
                    "tr",
                    null,
                    h("th", { scope: "col" }, "#"),
                    h("th", { scope: "col" }, "policy"),
                    h(
                        "th",
                        { scope: "col" },
                        h("span", { class: "key-push" }, "inbox"),
                        h("br"),
                        h("span", { class: "key-pull" }, "outboxes"),
                    ),
                    h("th", { scope: "col" }, "round", h("br"), "trips"),
                    h("th", { scope: "col" }, h("abbr", { title: "microseconds" }, "µs")),
                ),
            ),
            rows,
        ),
    );
}

function addPage(read) {
    const part = (kind, size) => {
        const bar = h("i", { class: kind });
        bar.style.flex = `${size} 0 0`;
        return size > 0 && bar;
    };
    rows.querySelector(".fresh")?.classList.remove("fresh");
    rows.prepend(
        h(
            "tr",
            { class: "fresh" },
            h("td", { title: read.number === "↻" ? "read again" : null }, String(read.number)),
            h("td", null, read.policy),
            h(
                "td",
                { title: `${read.outboxCalls} calls of outboxes` },
                h(
                    "div",
                    { class: "from" },
                    h(
                        "div",
                        { class: "from-numbers" },
                        h("span", null, String(read.fromInbox), hidden(" from the inbox, ")),
                        h("span", null, String(read.fromOutboxes), hidden(" from outboxes")),
                    ),
                    h(
                        "div",
                        { class: "bar", "aria-hidden": "true" },
                        part("push", read.fromInbox),
                        part("pull", read.fromOutboxes),
                    ),
                ),
            ),
            h("td", null, String(read.roundTrips)),
            h("td", null, exact(read.micros)),
        ),
    );
    while (rows.childElementCount > KEPT) {
        rows.lastElementChild.remove();
    }
}

function seamsChoice() {
    const on = localStorage.getItem(seams) !== "off";
    document.documentElement.classList.toggle("show-seams", on);
    const change = (event) => {
        localStorage.setItem(seams, event.target.checked ? "on" : "off");
        document.documentElement.classList.toggle("show-seams", event.target.checked);
    };
    return h(
        "label",
        { class: "check" },
        h("input", { type: "checkbox", checked: on, onchange: change }),
        "Show these numbers in the feed, too",
    );
}

function showState(state) {
    if (policies.childElementCount !== state.policies.length) {
        policies.replaceChildren(...state.policies.map(policyChoice));
    }
    for (const input of policies.querySelectorAll("input")) {
        input.checked = input.value === state.policy;
    }
    note.textContent = NOTES[state.policy] ?? "";
    const fact = (name, value) =>
        value === undefined ? [] : [h("div", null, h("dt", null, name), h("dd", null, String(value)))];
    facts.replaceChildren(
        ...fact("Posts and follows", state.store),
        ...fact("Inboxes", state.inboxes),
        ...fact("Readers online", state.online),
        ...fact("Live streams", state.liveSubscribers),
    );
}

function policyChoice(name) {
    const input = h("input", { type: "radio", name: "policy", value: name, "data-testid": `policy-${name}` });
    input.addEventListener("change", async () => {
        try {
            await choosePolicy(name);
            say(`The policy is ${name}.`);
        } catch (error) {
            toast(`The policy was not changed. ${error.message}`);
        }
    });
    return h("label", { class: "policy" }, input, h("span", null, name));
}

let waiting = null;

/** Posts may come fast: the picture shows the last one. */
function readWaySoon() {
    waiting ??= setTimeout(() => {
        waiting = null;
        readWay(6);
    }, 1500);
}

export async function readWay(tries) {
    if (!session.token || figure.offsetParent === null) {
        return; // nobody would see it
    }
    try {
        const way = await get("/api/feedkit/last-post");
        if (JSON.stringify(way) !== shown) {
            shown = JSON.stringify(way);
            drawWay(figure, way);
        }
        if (way && !way.finished && tries > 0 && waiting === null) {
            setTimeout(readWay, 700, tries - 1);
        }
    } catch {
        // the next post asks again
    }
}

/** On a narrow page the panel moves into a dialog and back. */
function startDrawer(panel) {
    const drawer = byId("drawer");
    byId("panel-open").addEventListener("click", () => {
        drawer.append(panel);
        drawer.showModal();
        readWay(0);
    });
    drawer.addEventListener("close", () => byId("aside").append(panel));
    drawer.addEventListener("click", (event) => event.target === drawer && drawer.close());
    matchMedia("(min-width: 1140px)").addEventListener(
        "change",
        (wide) => wide.matches && drawer.open && drawer.close(),
    );
}
