import { h, hidden, icon, newId } from "./dom.js";

/** Opens a modal dialog. It is removed when it closes. `fill(close)` makes the body. */
export function openDialog(title, fill, attributes = {}) {
    const heading = newId("dialog");
    const dialog = h("dialog", { "aria-labelledby": heading, ...attributes });
    const close = () => dialog.close();
    dialog.append(
        h(
            "div",
            { class: "dialog-head" },
            h("h2", { id: heading }, title),
            h("button", { type: "button", class: "tool", onclick: close }, icon("close"), hidden("Close")),
        ),
        h("div", { class: "dialog-body" }, fill(close)),
    );
    dialog.addEventListener("close", () => dialog.remove());
    dialog.addEventListener("click", (event) => event.target === dialog && close());
    document.body.append(dialog);
    dialog.showModal();
    return dialog;
}

/** Asks before something that cannot be undone. */
export function confirm(title, text, action) {
    return new Promise((decide) => {
        let answer = false;
        const dialog = openDialog(title, (close) => [
            h("p", null, text),
            h(
                "div",
                { class: "dialog-foot" },
                h("button", { type: "button", class: "quiet", onclick: close, autofocus: true }, "Cancel"),
                h(
                    "button",
                    {
                        type: "button",
                        class: "danger",
                        "data-testid": "confirm",
                        onclick: () => {
                            answer = true;
                            close();
                        },
                    },
                    action,
                ),
            ),
        ]);
        dialog.addEventListener("close", () => decide(answer));
    });
}
