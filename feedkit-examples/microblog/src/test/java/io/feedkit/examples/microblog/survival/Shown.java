package io.feedkit.examples.microblog.survival;

import tools.jackson.databind.JsonNode;

/** A post as a page or a stream shows it. */
record Shown(String id, String author, String text) {

    static Shown of(JsonNode status) {
        return new Shown(
                status.path("id").asString(),
                status.path("account").path("id").asString(),
                status.path("content").asString().replaceAll("<[^>]*>", ""));
    }
}
