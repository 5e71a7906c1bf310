package io.feedkit.internal.publish;

import io.feedkit.Post;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.internal.cache.RegisterCache;
import io.feedkit.internal.check.FailureReasons;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.Interrupts;
import io.feedkit.internal.host.Wakeable;
import io.feedkit.internal.inbox.CheckedInserts;
import io.feedkit.internal.signal.FeedSignals;
import io.feedkit.internal.signal.Signal;
import io.feedkit.spi.Inbox.Delivery;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does for new posts what must not wait for a worker. If that fails, their tasks do it. Thread-safe. */
public final class NewPosts {

    private static final Logger log = LoggerFactory.getLogger(NewPosts.class);

    private final EngineSettings settings;
    private final RegisterCache registerCache;
    private final CheckedInserts inserts;
    private final FeedSignals signals;
    private final Wakeable workers;

    public NewPosts(
            EngineSettings settings,
            RegisterCache registerCache,
            CheckedInserts inserts,
            FeedSignals signals,
            Wakeable workers) {
        this.settings = settings;
        this.registerCache = registerCache;
        this.inserts = inserts;
        this.signals = signals;
        this.workers = workers;
    }

    /** Registers new posts that are not pushed, delivers all to their authors' own inboxes, and wakes the workers. */
    void show(List<Appending> answers) {
        List<Post> unpushed = new ArrayList<>();
        List<Delivery> own = new ArrayList<>();
        for (Appending answer : answers) {
            if (answer.isNew() && !answer.isAhead()) {
                Post post = answer.appended().post();
                if (answer.mode() != FanoutMode.PUSH) {
                    unpushed.add(post);
                }
                own.add(new Delivery(post, List.of(post.author()), 0));
            }
        }
        if (!own.isEmpty()) {
            doAtOnce(unpushed, settings.followees().ownPosts() ? own : List.of());
            workers.wake();
        }
    }

    private void doAtOnce(List<Post> unpushed, List<Delivery> own) {
        try {
            if (!unpushed.isEmpty()) {
                registerCache.put(unpushed);
            }
            if (!own.isEmpty()) {
                inserts.deliver(own);
                signals.send(Signal.own(own.stream().map(Delivery::post).toList()));
            }
        } catch (Exception e) {
            Interrupts.keep(e);
            log.debug(
                    "{}: cannot register or deliver new posts at once; their fan-out tasks do so",
                    settings.name(),
                    FailureReasons.printable(e));
        }
    }
}
