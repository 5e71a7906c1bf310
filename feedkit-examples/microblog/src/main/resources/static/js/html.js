/** Makes nodes of the HTML of a post, of allowed elements only. Nothing else of the text gets into the page. */
export function safeHtml(text) {
    const foreign = new DOMParser().parseFromString(text ?? "", "text/html");
    const result = document.createDocumentFragment();
    copyChildren(foreign.body, result);
    return result;
}

/** The text of a post without its elements. */
export function plainText(text) {
    const foreign = new DOMParser().parseFromString(text ?? "", "text/html");
    return [...foreign.body.childNodes]
        .map((node) => node.textContent)
        .join(" ")
        .trim();
}

const DROPPED = new Set(["SCRIPT", "STYLE", "TEMPLATE", "IFRAME", "OBJECT", "SVG", "MATH", "NOSCRIPT"]);

function copyChildren(from, to) {
    for (const node of from.childNodes) {
        if (node.nodeType === Node.TEXT_NODE) {
            to.append(node.data);
        } else if (node.nodeType === Node.ELEMENT_NODE && !DROPPED.has(node.nodeName.toUpperCase())) {
            const copy = allowed(node);
            copyChildren(node, copy ?? to);
            if (copy) {
                to.append(copy);
            }
        }
    }
}

function allowed(node) {
    switch (node.nodeName) {
        case "P":
        case "BR":
            return document.createElement(node.nodeName);
        case "A":
            return link(node.getAttribute("href"));
        default:
            return null; // its children are copied
    }
}

function link(address) {
    const copy = document.createElement("a");
    const url = URL.canParse(address ?? "", location.href) ? new URL(address, location.href) : null;
    if (!url || !["http:", "https:"].includes(url.protocol)) {
        return copy; // without a target
    }
    const account = url.origin === location.origin && /^\/@([A-Za-z0-9_]+)$/.exec(url.pathname);
    if (account) {
        copy.href = `#/@${account[1]}`;
    } else {
        copy.href = url.href;
        copy.target = "_blank";
        copy.rel = "nofollow noopener noreferrer";
    }
    return copy;
}
