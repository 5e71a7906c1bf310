import { call, get } from "./api.js";
import { hear, tell } from "./bus.js";
import { byId } from "./dom.js";
import { session } from "./session.js";

/** Badges, red dots, the title of the tab, and the state of the server that the panel shows. */

const PERIOD = 15_000;

let waiting = 0; // posts that the pill offers
let unseen = { count: 0, capped: false }; // below them, before home was looked at
let title = "Microblog";
let soon = null;

export async function readState() {
    clearTimeout(soon);
    soon = setTimeout(tick, PERIOD);
    if (!session.token || document.hidden) {
        return;
    }
    try {
        take(await get("/api/feedkit/state"));
    } catch {
        // the next one comes soon; calls that matter show their errors
    }
}

function tick() {
    if (session.token) {
        readState();
    }
}

/** Something changed: read once, also if more follows. */
export function readStateSoon() {
    clearTimeout(soon);
    soon = setTimeout(readState, 600);
}

export async function choosePolicy(name) {
    const { data } = await call("PUT", "/api/feedkit/policy", { json: { name } });
    take(data);
}

function take(state) {
    showBadge(byId("badge-notifications"), state.dots?.notifications ?? 0, false);
    byId("badge-announcements").hidden = !state.dots?.announcements;
    unseen = state.unread ?? unseen;
    tell("state", state);
    showUnread();
}

/** Home was looked at: what is below the pill is seen. */
export async function markSeen(newer) {
    unseen = { count: 0, capped: false };
    showUnread();
    try {
        await call("POST", "/api/feedkit/seen", { json: { newer } });
        readStateSoon();
    } catch {
        // the next look at home repeats it
    }
}

export function setWaiting(number) {
    waiting = number;
    showUnread();
}

export function setTitle(text) {
    title = text;
    showUnread();
}

function showUnread() {
    const number = Math.max(waiting, unseen.count);
    showBadge(byId("badge-home"), number, unseen.capped);
    document.title = `${number ? `(${label(number, unseen.capped)}) ` : ""}${title} · Microblog`;
    byId("favicon").href = number ? "/img/favicon-unread.svg" : "/img/favicon.svg";
}

const label = (number, capped) => (capped ? `${number}+` : String(number));

function showBadge(badge, number, capped) {
    badge.hidden = !number;
    badge.textContent = number ? (number > 99 ? "99+" : label(number, capped)) : "";
    badge.setAttribute("aria-label", number ? `${label(number, capped)} new` : "");
    badge.setAttribute("role", "img");
}

hear("live-notification", readStateSoon);
hear("live-announcement", readStateSoon);
document.addEventListener("visibilitychange", () => !document.hidden && session.token && readState());
