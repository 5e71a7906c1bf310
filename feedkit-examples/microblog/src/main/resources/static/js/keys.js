import { compose } from "./compose.js";
import { openDialog } from "./dialogs.js";
import { byId, calm, h } from "./dom.js";
import { session } from "./session.js";

/** Keys to move and to act. They can be turned off, for people who speak to their computer. */

const SETTING = "keys";
const isOn = () => localStorage.getItem(SETTING) !== "off";

const KEYS = [
    ["j", "the next post", () => step(1)],
    ["k", "the post before", () => step(-1)],
    ["Enter", "open the post", null],
    ["l", "like it", () => press("like")],
    ["b", "boost it", () => press("boost")],
    ["r", "reply", () => press("reply")],
    ["n", "a new post", () => compose()],
    [".", "show the new posts", () => document.querySelector(".pill:not([hidden])")?.click()],
    ["h", "home", () => go("#/home")],
    ["m", "notifications", () => go("#/notifications")],
    ["?", "this list", () => showKeys()],
];

const go = (hash) => {
    location.hash = hash;
};

const press = (kind) => document.activeElement?.closest(".post")?.querySelector(`.action.${kind}`)?.click();

/** Keeps the view at the post with the focus, one further or one back. */
function step(by) {
    const posts = [...byId("view").querySelectorAll(":scope > :not([hidden]) :is(.post, .row)")];
    const now = posts.findIndex((post) => post.contains(document.activeElement));
    const visible = posts.findIndex((post) => post.getBoundingClientRect().bottom > 90);
    const next = posts[now < 0 ? Math.max(0, visible) : now + by];
    if (next) {
        next.focus({ preventScroll: true });
        next.scrollIntoView({ block: "nearest", behavior: calm() ? "auto" : "smooth" });
    }
}

export function startKeys() {
    byId("keys-open").addEventListener("click", showKeys);
    document.addEventListener("keydown", (event) => {
        const writes = event.target.closest("input, textarea, select, dialog");
        if (!session.token || writes || event.ctrlKey || event.metaKey || event.altKey) {
            return;
        }
        if (event.key === "Enter" && event.target.matches(".post")) {
            go(`#/post/${event.target.dataset.post}`);
            return;
        }
        const action = isOn() && KEYS.find(([key]) => key === event.key)?.[2];
        if (action) {
            event.preventDefault();
            action();
        }
    });
}

function showKeys() {
    const change = (event) => localStorage.setItem(SETTING, event.target.checked ? "on" : "off");
    openDialog("Keyboard shortcuts", () => [
        h(
            "dl",
            { class: "keys" },
            KEYS.flatMap(([key, text]) => [h("dt", null, h("kbd", null, key)), h("dd", null, text)]),
        ),
        h(
            "label",
            { class: "check" },
            h("input", { type: "checkbox", checked: isOn(), onchange: change }),
            "Single keys are on",
        ),
    ]);
}
