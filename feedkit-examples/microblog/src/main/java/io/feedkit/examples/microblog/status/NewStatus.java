package io.feedkit.examples.microblog.status;

import io.feedkit.examples.microblog.web.ApiException;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The body of a request that posts. Everything here is public, so that a private post is refused. */
record NewStatus(
        @Nullable String status,
        @Nullable String inReplyToId,
        @Nullable String visibility) {

    private static final Set<String> VISIBILITIES = Set.of("", "public", "unlisted");

    /** The text, checked. */
    String text() {
        String text = status == null ? "" : status.replace("\0", "").strip();
        if (text.isEmpty()) {
            throw ApiException.unprocessable("Text can't be blank");
        }
        if (text.codePointCount(0, text.length()) > StatusText.MAX_LENGTH) {
            throw ApiException.unprocessable("Text character limit of " + StatusText.MAX_LENGTH + " exceeded");
        }
        if (visibility != null && !VISIBILITIES.contains(visibility)) {
            throw ApiException.unprocessable("Visibility must be public");
        }
        return text;
    }

    OptionalLong parent() {
        if (inReplyToId == null || inReplyToId.isEmpty()) {
            return OptionalLong.empty();
        }
        try {
            return OptionalLong.of(Long.parseLong(inReplyToId));
        } catch (NumberFormatException e) {
            throw ApiException.notFound();
        }
    }
}
