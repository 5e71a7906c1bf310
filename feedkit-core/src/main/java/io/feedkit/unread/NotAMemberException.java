package io.feedkit.unread;

import io.feedkit.FeedKitException;
import io.feedkit.spi.Ids;

/** A user did in a conversation what only its members do. Nothing was changed. */
public final class NotAMemberException extends FeedKitException {

    private static final long serialVersionUID = 1L;

    NotAMemberException(String conversation, String user) {
        super("user " + Ids.printable(user) + " is no member of conversation " + Ids.printable(conversation), null);
    }

    @Override
    public boolean isRetryable() {
        return false;
    }
}
