import { announcementsView } from "./announcements.js";
import { get } from "./api.js";
import { hear } from "./bus.js";
import { compose } from "./compose.js";
import { byId, h, hidden, icon } from "./dom.js";
import { refreshTimes } from "./format.js";
import { Home } from "./home.js";
import { startKeys } from "./keys.js";
import { closeLive } from "./live.js";
import { loginView } from "./login.js";
import { notificationsView } from "./notifications.js";
import { readWay, startPanel } from "./panel.js";
import { followsView, peopleView } from "./people.js";
import { profileLink } from "./post.js";
import { profileView } from "./profile.js";
import { session } from "./session.js";
import { readState, setTitle } from "./state.js";
import { threadView } from "./thread.js";

/** The shell: log-in, and the view that the address names. Read this file first. */

let home = null;
let current = null;
let homeScroll = 0;
let homeFocus = null;
let route = 0;

const ROUTES = [
    [/^#\/people$/, "people", () => peopleView()],
    [/^#\/notifications$/, "notifications", () => notificationsView()],
    [/^#\/announcements$/, "announcements", () => announcementsView()],
    [/^#\/post\/(\d+)$/, "", (id) => threadView(id)],
    [/^#\/@([^/]+)\/(followers|following)$/, "", (name, kind) => followsView(name, kind)],
    [/^#\/@([^/]+)$/, "profile", (name) => profileView(name)],
];

async function enter(token) {
    session.begin(token);
    try {
        session.me = await get("/api/v1/accounts/verify_credentials");
    } catch (error) {
        session.end();
        throw error;
    }
    document.body.dataset.session = "in";
    byId("nav-profile").href = profileLink(session.me);
    home = new Home();
    await readState(); // before the home page marks its posts as seen
    home.start();
    readWay(0);
    await show();
}

function leave(message) {
    session.end();
    closeLive();
    home?.close();
    home = null;
    homeScroll = 0;
    document.body.dataset.session = "out";
    mount(loginView(message, enter), "");
}

async function show() {
    if (!home) {
        return;
    }
    const run = ++route;
    const hash = decodeURIComponent(location.hash);
    const [found, name, make] = match(hash);
    if (current?.root === home.root) {
        homeScroll = scrollY;
        homeFocus = home.root.contains(document.activeElement) ? document.activeElement : null;
    }
    if (!found) {
        mount({ title: "Home", root: home.root }, "home");
        scrollTo({ top: homeScroll, behavior: "instant" });
        homeFocus?.focus({ preventScroll: true });
        home.shown();
        return;
    }
    try {
        const view = await make(...found.slice(1));
        if (run === route) {
            mount(view, name);
            scrollTo({ top: 0, behavior: "instant" });
            view.begin?.();
        } else {
            view.close?.();
        }
    } catch (error) {
        if (run === route && home) {
            mount(failed(error), name);
        }
    }
}

function match(hash) {
    for (const [pattern, name, make] of ROUTES) {
        const found = pattern.exec(hash);
        if (found) {
            return [found, found[2] || found[1] === session.me.acct || name !== "profile" ? name : "", make];
        }
    }
    return [null];
}

function mount(view, name) {
    const first = current === null;
    if (current !== view && current?.root !== view.root) {
        current?.close?.();
    }
    current = view;
    place(view.root);
    setTitle(view.title);
    for (const link of document.querySelectorAll("[data-nav]")) {
        link.toggleAttribute("aria-current", false);
        if (link.dataset.nav === name) {
            link.setAttribute("aria-current", "page");
        }
    }
    if (!first) {
        view.root.querySelector("h1")?.focus({ preventScroll: true });
    }
}

/** Home stays in the page, hidden, so that it keeps its place and its sizes. */
function place(root) {
    for (const other of [...byId("view").children]) {
        if (other === home?.root) {
            other.hidden = other !== root;
        } else if (other !== root) {
            other.remove();
        }
    }
    if (!root.isConnected) {
        byId("view").append(root);
    }
}

function failed(error) {
    const text = error.status === 404 ? "This does not exist, or it was deleted." : error.message;
    const retry = h("button", { type: "button", class: "quiet", onclick: show }, "Try again");
    const root = h(
        "section",
        null,
        h(
            "div",
            { class: "view-head" },
            h("h1", { tabindex: "-1" }, error.status === 404 ? "Not found" : "This failed"),
        ),
        h("div", { class: "notice bad", role: "alert" }, h("p", null, text), retry),
    );
    return { title: "Not found", root };
}

function showTrouble(trouble) {
    const box = byId("trouble");
    if (!trouble) {
        box.replaceChildren();
    } else if (!box.hasChildNodes()) {
        const text =
            trouble.status === 0 ? "The server cannot be reached." : `The server is not available (${trouble.status}).`;
        box.append(
            h(
                "div",
                { class: "notice bad" },
                h("div", { class: "spinner", "aria-hidden": "true" }),
                h("p", null, `${text} Trying again…`),
            ),
        );
    }
}

/** As the system, light, dark. */
function startTheme() {
    const names = { auto: "as the system", light: "light", dark: "dark" };
    const button = byId("theme");
    const show = () => {
        const theme = document.documentElement.dataset.theme ?? "auto";
        button.replaceChildren(icon(`theme-${theme}`), hidden(`Theme: ${names[theme]}`));
        button.title = `Theme: ${names[theme]}`;
    };
    button.addEventListener("click", () => {
        const order = ["auto", "light", "dark"];
        const theme = order[(order.indexOf(document.documentElement.dataset.theme ?? "auto") + 1) % 3];
        localStorage.setItem("theme", theme);
        if (theme === "auto") {
            delete document.documentElement.dataset.theme;
        } else {
            document.documentElement.dataset.theme = theme;
        }
        show();
    });
    show();
}

async function start() {
    history.scrollRestoration = "manual";
    startTheme();
    startPanel();
    startKeys();
    byId("compose-open").addEventListener("click", () => compose());
    byId("skip").addEventListener("click", (event) => {
        event.preventDefault(); // the address names the view
        byId("main").focus();
    });
    hear("signed-out", (message) => home && leave(message));
    hear("waiting", showTrouble);
    addEventListener("hashchange", show);
    setInterval(refreshTimes, 15_000);
    if (!session.token) {
        leave("");
        return;
    }
    try {
        await enter(session.token);
    } catch (error) {
        leave(error.status === 401 ? "Log in again." : error.message);
    }
}

start();
