package io.feedkit.redis.survival;

import io.feedkit.spi.FanoutLog.Task;
import io.feedkit.spi.FeedStore;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Counts the tasks that were done for some of their readers, and not for all. Thread-safe. */
final class HalfDone implements HalfDoneLog.Watch {

    private final Set<String> tasks = ConcurrentHashMap.newKeySet();

    /** Puts this between an engine and its store. */
    FeedStore watch(FeedStore store) {
        return HalfDoneLog.in(store, this);
    }

    int tasks() {
        return tasks.size();
    }

    @Override
    public void halfDone(Task task) {
        tasks.add(task.id());
    }

    @Override
    public void finishing(Task task) {
        tasks.remove(task.id());
    }
}
