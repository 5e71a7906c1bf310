package io.feedkit.testkit.internal.inbox;

import io.feedkit.spi.Inbox;
import io.feedkit.spi.InboxLimits;
import io.feedkit.testkit.internal.Kit;

/** The inbox kit as its rules see it. */
public interface InboxKit extends Kit {

    Inbox inbox(InboxLimits limits);

    int randomSequences();

    int moreRandomSequences();

    long randomSeed();
}
