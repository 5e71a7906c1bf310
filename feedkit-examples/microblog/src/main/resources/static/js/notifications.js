import { get, post, readPage } from "./api.js";
import { avatar } from "./avatar.js";
import { hear } from "./bus.js";
import { h, icon } from "./dom.js";
import { ago, fullTime } from "./format.js";
import { plainText } from "./html.js";
import { PagedFeed } from "./paged-feed.js";
import { nameOf, profileLink } from "./post.js";
import { readStateSoon } from "./state.js";
import { head } from "./view-head.js";

const KINDS = {
    favourite: { icon: "heart", text: "likes your post", style: "favourite" },
    reblog: { icon: "boost", text: "boosted your post", style: "reblog" },
    follow: { icon: "follow", text: "follows you", style: "follow-kind" },
    mention: { icon: "reply", text: "answered you", style: "mention" },
    status: { icon: "pen", text: "wrote a post", style: "mention" },
};

function notification(one, isNew) {
    const kind = KINDS[one.type] ?? KINDS.status;
    return h(
        "article",
        {
            class: isNew ? "row top-aligned new" : "row top-aligned",
            tabindex: "0",
            "data-id": one.id,
            "aria-label": `${nameOf(one.account)} ${kind.text}`,
        },
        h("a", { href: profileLink(one.account), tabindex: "-1", "aria-hidden": "true" }, avatar(one.account.id)),
        h("span", { class: `kind ${kind.style}` }, icon(kind.icon)),
        h(
            "div",
            { class: "body" },
            h(
                "div",
                { class: "headline" },
                h("p", null, h("a", { href: profileLink(one.account) }, nameOf(one.account)), ` ${kind.text}`),
                h(
                    "time",
                    { class: "when", datetime: one.created_at, title: fullTime(one.created_at), "data-ago": true },
                    ago(one.created_at),
                ),
            ),
            one.status && h("a", { class: "snippet", href: `#/post/${one.status.id}` }, plainText(one.status.content)),
        ),
    );
}

/** What others did with the account and its posts. */
export async function notificationsView() {
    let fresh = (await get("/api/v1/notifications/unread_count").catch(() => ({ count: 0 }))).count;
    let marked = false;
    const feed = new PagedFeed({
        label: "Notifications, the newest first",
        first: "/api/v1/notifications?limit=20",
        read: readPage,
        render: (one) => notification(one, fresh-- > 0),
        empty: () => h("p", null, "Nobody has liked, boosted, answered or followed yet."),
        sorted: true,
    });
    const mark = async () => {
        if (feed.newest) {
            await post("/api/v1/markers", { notifications: { last_read_id: feed.newest } }).catch(() => {});
            readStateSoon();
        }
    };
    feed.onPage = () => {
        if (!marked) {
            marked = true;
            mark();
        }
    };
    const stop = hear("live-notification", (text) => {
        fresh = 1;
        feed.insertAll([JSON.parse(text)]);
        fresh = 0;
        mark();
    });
    return {
        title: "Notifications",
        root: h("section", null, head("Notifications"), feed.root),
        begin: () => feed.more(),
        close: () => {
            feed.close();
            stop();
        },
    };
}
