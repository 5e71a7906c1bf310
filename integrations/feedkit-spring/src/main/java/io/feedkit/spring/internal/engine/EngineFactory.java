package io.feedkit.spring.internal.engine;

import static io.feedkit.spring.internal.settings.Setting.apply;

import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.FeedEngineBuilder.ArchiveSettings;
import io.feedkit.FeedEngineBuilder.CopySettings;
import io.feedkit.FeedEngineBuilder.FanoutSettings;
import io.feedkit.FeedEngineBuilder.LiveSettings;
import io.feedkit.FeedEngineBuilder.PresenceSettings;
import io.feedkit.FeedEngineBuilder.ReadSettings;
import io.feedkit.queue.FanoutQueue;
import io.feedkit.queue.QueuedFanout;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.InboxCopies;
import io.feedkit.spi.PostArchive;
import io.feedkit.spring.FeedKitProperties;
import io.feedkit.spring.InvalidSettingException;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;

/** Builds the engine from the properties and the beans of the application. */
public final class EngineFactory {

    private static final FeedKitProperties.Archiving NO_ARCHIVING =
            new FeedKitProperties.Archiving(null, null, null, null);

    private static final FeedKitProperties.Copying NO_COPYING = new FeedKitProperties.Copying(null, null, null);

    private final FeedKitProperties properties;
    private final EngineBeans beans;
    private final BeanFactory all;

    public EngineFactory(FeedKitProperties properties, EngineBeans beans, BeanFactory all) {
        this.properties = properties;
        this.beans = beans;
        this.all = all;
    }

    /** Builds the engine. Its workers wait to be resumed, because the other beans may not be ready. */
    public FeedEngine build(FeedStore store) {
        FeedEngineBuilder builder = FeedEngine.builder(store).startPaused(true);
        engine(builder);
        builder.reading(this::reading).fanout(this::fanout).live(this::live).presence(this::presence);
        archive(builder);
        copies(builder);
        queue(builder);
        beans.filter().ifAvailable(builder::filter);
        beans.listeners().orderedStream().forEach(builder::listener);
        beans.postEvents().ifAvailable(builder::postEvents);
        beans.presence().ifAvailable(builder::presence);
        beans.transactions().ifAvailable(builder::transactions);
        beans.clock().ifUnique(builder::clock);
        beans.customizers().orderedStream().forEach(customizer -> customizer.customize(builder));
        return builder.build();
    }

    private void engine(FeedEngineBuilder builder) {
        apply("feedkit.name", properties.name(), builder::name);
        beans.policies().policy().ifPresent(builder::policy);
        beans.policies()
                .named()
                .forEach((name, policy) ->
                        apply("feedkit.policies." + name, policy, given -> builder.namedPolicy(name, given)));
        apply("feedkit.cap", properties.cap(), builder::cap);
        apply("feedkit.live-window", properties.liveWindow(), builder::liveWindow);
        apply("feedkit.own-posts", properties.ownPosts(), builder::ownPosts);
        apply(
                "feedkit.publishing-counts-as-activity",
                properties.publishingCountsAsActivity(),
                builder::publishingCountsAsActivity);
        apply("feedkit.max-future-skew", properties.maxFutureSkew(), builder::maxFutureSkew);
        apply("feedkit.unread-cap", properties.unreadCap(), builder::unreadCap);
        apply("feedkit.max-followees", properties.maxFollowees(), builder::maxFollowees);
        apply("feedkit.workers", properties.workers(), builder::workers);
    }

    private void reading(ReadSettings settings) {
        FeedKitProperties.Reading given = properties.reading();
        apply("feedkit.reading.staleness", given.staleness(), settings::staleness);
        apply("feedkit.reading.max-scanned-per-page", given.maxScannedPerPage(), settings::maxScannedPerPage);
        apply("feedkit.reading.reconcile-interval", given.reconcileInterval(), settings::reconcileInterval);
        apply("feedkit.reading.max-inbox-age", given.maxInboxAge(), settings::maxInboxAge);
        apply("feedkit.reading.concurrent-rebuilds", given.concurrentRebuilds(), settings::concurrentRebuilds);
        apply("feedkit.reading.reads-without-inbox", given.readsWithoutInbox(), settings::readsWithoutInbox);
        apply("feedkit.reading.stale-if-error", given.staleIfError(), settings::staleIfError);
        apply("feedkit.reading.followee-cache", given.followeeCache(), settings::followeeCache);
        apply("feedkit.reading.followee-age", given.followeeAge(), settings::followeeAge);
        apply("feedkit.reading.rank-snapshot-age", given.rankSnapshotAge(), settings::rankSnapshotAge);
    }

    private void fanout(FanoutSettings settings) {
        FeedKitProperties.Fanout given = properties.fanout();
        apply("feedkit.fanout.lease", given.lease(), settings::lease);
        apply("feedkit.fanout.batch-size", given.batchSize(), settings::batchSize);
        apply("feedkit.fanout.max-attempts", given.maxAttempts(), settings::maxAttempts);
        apply("feedkit.fanout.retry-delay", given.retryDelay(), settings::retryDelay);
        apply("feedkit.fanout.replay-horizon", given.replayHorizon(), settings::replayHorizon);
        apply("feedkit.fanout.split-threshold", given.splitThreshold(), settings::splitThreshold);
        apply("feedkit.fanout.poll-interval", given.pollInterval(), settings::pollInterval);
        apply("feedkit.fanout.active-window", given.activeWindow(), settings::activeWindow);
        apply("feedkit.fanout.active-push-rate", given.activePushRate(), settings::activePushRate);
    }

    private void live(LiveSettings settings) {
        FeedKitProperties.Live given = properties.live();
        beans.bus().ifAvailable(settings::bus);
        if (given.executor() != null) {
            settings.executor(executor(given.executor()));
        }
        apply("feedkit.live.poll-interval", given.pollInterval(), settings::pollInterval);
        apply("feedkit.live.buffer-size", given.bufferSize(), settings::bufferSize);
    }

    private Executor executor(String name) {
        try {
            return all.getBean(name, Executor.class);
        } catch (NoSuchBeanDefinitionException e) {
            throw new InvalidSettingException(
                    "feedkit.live.executor",
                    name,
                    "there is no Executor bean of this name.",
                    "Name an Executor bean, or remove the property.",
                    e);
        }
    }

    private void presence(PresenceSettings settings) {
        FeedKitProperties.Presence given = properties.presence();
        apply("feedkit.presence.interval", given.interval(), settings::interval);
        apply("feedkit.presence.online-window", given.onlineWindow(), settings::onlineWindow);
        apply("feedkit.presence.last-seen-kept", given.lastSeenKept(), settings::lastSeenKept);
        apply("feedkit.presence.reads-count-as-seen", given.readsCountAsSeen(), settings::readsCountAsSeen);
        apply("feedkit.presence.publishes-count-as-seen", given.publishesCountAsSeen(), settings::publishesCountAsSeen);
    }

    private void archive(FeedEngineBuilder builder) {
        PostArchive archive = beans.archive().getIfAvailable();
        FeedKitProperties.Archiving given = properties.archiving();
        if (archive != null) {
            builder.archive(archive).archiving(settings -> archiving(given, settings));
        } else if (!given.equals(NO_ARCHIVING)) {
            throw new InvalidSettingException(
                    "feedkit.archiving",
                    given,
                    "there is no PostArchive bean.",
                    "Define a PostArchive bean, such as a JdbcPostArchive, or remove the properties.",
                    null);
        }
    }

    private static void archiving(FeedKitProperties.Archiving given, ArchiveSettings settings) {
        apply("feedkit.archiving.after", given.after(), settings::after);
        apply("feedkit.archiving.batch-size", given.batchSize(), settings::batchSize);
        apply("feedkit.archiving.posts-per-second", given.postsPerSecond(), settings::postsPerSecond);
        apply("feedkit.archiving.interval", given.interval(), settings::interval);
    }

    private void copies(FeedEngineBuilder builder) {
        InboxCopies copies = beans.copies().getIfAvailable();
        FeedKitProperties.Copying given = properties.copying();
        if (copies != null) {
            builder.inboxCopies(copies).copying(settings -> copying(given, settings));
        } else if (!given.equals(NO_COPYING)) {
            throw new InvalidSettingException(
                    "feedkit.copying",
                    given,
                    "there is no InboxCopies bean.",
                    "Define an InboxCopies bean, such as CassandraInboxCopies, or remove the properties.",
                    null);
        }
    }

    private static void copying(FeedKitProperties.Copying given, CopySettings settings) {
        apply("feedkit.copying.depth", given.depth(), settings::depth);
        apply("feedkit.copying.interval", given.interval(), settings::interval);
        apply("feedkit.copying.lifetime", given.lifetime(), settings::lifetime);
    }

    private void queue(FeedEngineBuilder builder) {
        FanoutQueue queue = beans.queue().getIfAvailable();
        if (queue == null) {
            return;
        }
        FeedKitProperties.Queue given = properties.queue();
        QueuedFanout queued = QueuedFanout.over(queue);
        if (given.relay() != null) {
            queued = queued.relay(given.relay());
        }
        if (given.loan() != null) {
            queued = changed("feedkit.queue.loan", given.loan(), queued::loan);
        }
        if (given.lendingWindow() != null) {
            queued = changed("feedkit.queue.lending-window", given.lendingWindow(), queued::lendingWindow);
        }
        builder.fanoutQueue(queued);
    }

    private static <T> QueuedFanout changed(String property, T value, Function<T, QueuedFanout> change) {
        QueuedFanout[] changed = new QueuedFanout[1];
        apply(property, value, given -> changed[0] = change.apply(given));
        return changed[0];
    }
}
