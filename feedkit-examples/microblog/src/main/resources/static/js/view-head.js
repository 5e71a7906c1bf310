import { h, hidden, icon } from "./dom.js";

/** The head of a view beside home: a way back, and the heading. */
export function head(title, { back = false, extra } = {}) {
    const goBack = h(
        "button",
        { type: "button", class: "tool", onclick: () => history.back() },
        icon("back"),
        hidden("Back"),
    );
    return h("div", { class: "view-head" }, back && goBack, h("h1", { tabindex: "-1" }, title), extra);
}
