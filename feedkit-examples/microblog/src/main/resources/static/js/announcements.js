import { get, post } from "./api.js";
import { hear } from "./bus.js";
import { h, say, toast } from "./dom.js";
import { ago, fullTime } from "./format.js";
import { safeHtml } from "./html.js";
import { readStateSoon } from "./state.js";
import { head } from "./view-head.js";

function announcement(one) {
    const read = h("button", { type: "button", class: "quiet", "data-testid": "dismiss" }, "Mark as read");
    const root = h(
        "article",
        { class: one.read ? "announcement" : "announcement new", tabindex: "-1", "data-id": one.id },
        h("div", { class: "content" }, safeHtml(one.content)),
        h(
            "div",
            { class: "foot-line" },
            h(
                "time",
                { datetime: one.published_at, title: fullTime(one.published_at), "data-ago": true },
                ago(one.published_at),
            ),
            !one.read && read,
        ),
    );
    read.addEventListener("click", async () => {
        try {
            await post(`/api/v1/announcements/${one.id}/dismiss`);
            root.classList.remove("new");
            root.focus();
            read.remove();
            say("Marked as read.");
            readStateSoon();
        } catch (error) {
            toast(error.message);
        }
    });
    return root;
}

/** Notices to everybody. */
export async function announcementsView() {
    const list = h("div");
    const show = async () => {
        const all = await get("/api/v1/announcements");
        list.replaceChildren(
            ...(all.length > 0
                ? all.map(announcement)
                : [h("div", { class: "tail" }, h("p", { class: "empty" }, "There are no announcements."))]),
        );
    };
    await show();
    const stop = hear("live-announcement", () => show().catch(() => {}));
    return { title: "News", root: h("section", null, head("News"), list), close: stop };
}
