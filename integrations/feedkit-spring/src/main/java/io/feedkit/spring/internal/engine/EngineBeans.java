package io.feedkit.spring.internal.engine;

import io.feedkit.PostFilter;
import io.feedkit.PublishTransaction;
import io.feedkit.event.FeedListener;
import io.feedkit.live.LiveBus;
import io.feedkit.queue.FanoutQueue;
import io.feedkit.queue.PostEventSink;
import io.feedkit.spi.InboxCopies;
import io.feedkit.spi.PostArchive;
import io.feedkit.spi.PresenceStore;
import io.feedkit.spring.FeedEngineCustomizer;
import java.time.Clock;
import org.springframework.beans.factory.ObjectProvider;

/** The beans of which an engine is built, each optional. */
public record EngineBeans(
        EnginePolicies policies,
        ObjectProvider<PostFilter> filter,
        ObjectProvider<FeedListener> listeners,
        ObjectProvider<PostEventSink> postEvents,
        ObjectProvider<FanoutQueue> queue,
        ObjectProvider<LiveBus> bus,
        ObjectProvider<PresenceStore> presence,
        ObjectProvider<PostArchive> archive,
        ObjectProvider<InboxCopies> copies,
        ObjectProvider<PublishTransaction.Current> transactions,
        ObjectProvider<Clock> clock,
        ObjectProvider<FeedEngineCustomizer> customizers) {}
