package io.feedkit.spring.web;

import io.feedkit.Beta;
import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.spring.internal.web.EventContent;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.codec.ServerSentEvent;
import reactor.adapter.JdkFlowAdapter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

/**
 * Live feeds as server-sent events of WebFlux, as {@link LiveStreams} has them for Spring MVC.
 *
 * @since 0.1.0
 */
@Beta
public final class ReactiveLiveStreams extends EndingStreams {

    private static final Flux<ServerSentEvent<Object>> BEATS = Flux.interval(Duration.ZERO, Duration.ofSeconds(20))
            .map(count -> ServerSentEvent.builder().comment("").build());

    private final FeedEngine feed;

    /**
     * Creates streams. The auto-configuration has a bean.
     *
     * @param feed the engine
     */
    public ReactiveLiveStreams(FeedEngine feed) {
        this.feed = Objects.requireNonNull(feed, "feed must not be null");
    }

    /**
     * Opens a stream.
     *
     * @param reader whose feed
     * @param since where the stream begins, usually the {@code newer} cursor of a page
     * @param lastEvent the header {@code Last-Event-ID} of the request, which wins; null if there is none
     * @return the answer of the handler
     */
    public Flux<ServerSentEvent<Object>> open(String reader, Cursor since, @Nullable Cursor lastEvent) {
        return Flux.defer(() -> {
            Sinks.Empty<Void> stopped = Sinks.empty();
            Runnable end = stopped::tryEmitEmpty;
            Flux<ServerSentEvent<Object>> events = JdkFlowAdapter.flowPublisherToFlux(
                            feed.live(reader, lastEvent == null ? since : lastEvent))
                    .map(event -> ServerSentEvent.builder(EventContent.data(event))
                            .id(event.cursor().toString())
                            .event(EventContent.name(event))
                            .build())
                    .doFinally(signal -> end.run());
            return Flux.merge(events, BEATS)
                    .doOnSubscribe(subscription -> add(end))
                    .takeUntilOther(stopped.asMono())
                    .doFinally(signal -> remove(end));
        });
    }
}
