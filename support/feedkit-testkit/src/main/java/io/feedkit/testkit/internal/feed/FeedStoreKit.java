package io.feedkit.testkit.internal.feed;

import io.feedkit.spi.FeedStore;
import io.feedkit.testkit.internal.Kit;

/** The kit of a whole store as its rules see it. */
public interface FeedStoreKit extends Kit {

    FeedStore store();
}
