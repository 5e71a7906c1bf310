package io.feedkit.unread;

import io.feedkit.FeedKitException;
import io.feedkit.internal.check.Ids;

/**
 * A call for a member of a conversation named a user who is not a member. Nothing was changed.
 *
 * @since 0.1.0
 */
public final class NotAMemberException extends FeedKitException {

    private static final long serialVersionUID = 1L;

    NotAMemberException(String conversation, String user) {
        super("user " + Ids.printable(user) + " is not a member of conversation " + Ids.printable(conversation), null);
    }

    @Override
    public boolean isRetryable() {
        return false;
    }
}
