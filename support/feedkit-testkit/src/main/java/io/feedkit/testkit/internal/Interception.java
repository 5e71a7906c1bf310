package io.feedkit.testkit.internal;

import static java.util.Objects.requireNonNull;

import io.feedkit.spi.EventRecording;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Delivery;
import io.feedkit.spi.Inbox.Outcome;
import io.feedkit.spi.Inbox.Retraction;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.PostEventLog;
import io.feedkit.spi.RankSnapshots;
import io.feedkit.spi.SeenMarks;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store whose parts pass every call through one handler. A part is a proxy that implements the same interfaces as the
 * original part. Returning a part does not count as a call. Thread-safe, if the handler is.
 */
public record Interception(FeedStore store, Handler handler) implements FeedStore {

    /** Handles the calls. */
    @FunctionalInterface
    public interface Handler {

        /**
         * Answers a call.
         *
         * @param call the call, which has not been made
         * @return the answer of the call, most often the answer of {@link Call#proceed()}
         * @throws Throwable the failure of the call
         */
        @Nullable
        Object call(Call call) throws Throwable;
    }

    /**
     * The calls that change nothing while the clock does not move. (A slice may renew a live window, and the settled
     * mark may be stored as time passes. The first call for an identity or a claim is recorded.)
     */
    public static final Set<String> READS = Set.of(
            "outbox.identity",
            "inbox.claim",
            "outbox.newest",
            "outbox.page",
            "outbox.existing",
            "outbox.tombstones",
            "outbox.count",
            "outbox.lastAppended",
            "outbox.appendedSince",
            "outbox.deletedSince",
            "outbox.settledMark",
            "outbox.joining",
            "outbox.pulledAmong",
            "outbox.invisibleSince",
            "inbox.slice",
            "inbox.count",
            "inbox.windows",
            "inbox.deliveriesSafeSince",
            "fanout.latestLoss",
            "pulled.update",
            "fanout.queueStatus",
            "fanout.invisibleSince",
            "fanout.dead",
            "fanout.find",
            "fanout.watch",
            "events.unsent",
            "graph.followers",
            "graph.oneSided",
            "graph.followees",
            "graph.followed",
            "graph.counts",
            "graph.split",
            "graph.joining",
            "source.boundary",
            "source.known",
            "source.authors",
            "source.page",
            "source.movable",
            "source.joining",
            "seenMarks.lastSeen",
            "rankSnapshots.load");

    private static final Set<String> ABILITIES = Set.of("recordingEvents", "archiveSource", "canLend");

    private static final String DELIVER = "inbox.deliver";

    /** The name of a part in operations, by its interface. */
    public static final Map<String, String> NAMES = Map.ofEntries(
            Map.entry("Outbox", "outbox"),
            Map.entry("OutboxWriter", "outbox"),
            Map.entry("ArchiveSource", "source"),
            Map.entry("WarmPosts", "source"),
            Map.entry("Inbox", "inbox"),
            Map.entry("PulledRegister", "pulled"),
            Map.entry("FanoutLog", "fanout"),
            Map.entry("PostEventLog", "events"),
            Map.entry("FollowGraph", "graph"),
            Map.entry("SeenMarks", "seenMarks"),
            Map.entry("RankSnapshots", "rankSnapshots"));

    /**
     * One call to a part.
     *
     * @param operation the part and its method, such as {@code inbox.deliver}
     */
    public record Call(
            Interception store, String operation, Object part, Method method, List<@Nullable Object> arguments) {

        /** Whether the call changes nothing while the clock does not move. */
        public boolean isRead() {
            return READS.contains(operation);
        }

        private boolean isOfPart() {
            return NAMES.containsKey(method.getReturnType().getSimpleName());
        }

        /** Whether the call asks which capabilities the part has, which no store looks up. */
        private boolean isCapabilityQuery() {
            return ABILITIES.contains(method.getName());
        }

        /** How many keys the batch of a call has; 1 for a call without a batch. */
        public int size() {
            return switch (operation) {
                case DELIVER ->
                    this.<Delivery>batch().stream()
                            .mapToInt(each -> each.readers().size())
                            .sum();
                case "inbox.retract" ->
                    this.<Retraction>batch().stream()
                            .mapToInt(each -> each.readers().size())
                            .sum();
                case "fanout.claim", "fanout.lend", "events.claim" -> (int) requireNonNull(arguments.get(0));
                default -> !arguments.isEmpty() && arguments.get(0) instanceof Collection<?> batch ? batch.size() : 1;
            };
        }

        /** Makes the call, also if it has been made before. */
        public @Nullable Object proceed() throws Throwable {
            return make(arguments);
        }

        /**
         * Makes the call for the first {@code keys} keys only, and drops the answer. For a call without a batch,
         * nothing is done.
         */
        public void proceed(int keys) throws Throwable {
            if (keys > 0 && size() > 1) {
                List<@Nullable Object> cut = new ArrayList<>(arguments);
                cut.set(0, first(keys));
                make(cut);
            }
        }

        /** Whether the call delivers posts. */
        public boolean isDelivery() {
            return operation.equals(DELIVER);
        }

        /** Delivers to the first {@code keys} readers only, and answers that the others cannot be reached. */
        @SuppressWarnings("unchecked") // the answer of a delivery
        public List<List<Outcome>> deliver(int keys) throws Throwable {
            List<Delivery> all = List.copyOf(this.<Delivery>batch());
            List<List<Outcome>> reached = (List<List<Outcome>>) requireNonNull(make(List.of(deliveries(keys))));
            List<List<Outcome>> outcomes = new ArrayList<>();
            for (int i = 0; i < all.size(); i++) {
                List<Outcome> each = new ArrayList<>(reached.get(i));
                each.addAll(Collections.nCopies(all.get(i).readers().size() - each.size(), Outcome.UNREACHABLE));
                outcomes.add(each);
            }
            return outcomes;
        }

        private @Nullable Object make(List<@Nullable Object> with) throws Throwable {
            try {
                Object answer = method.invoke(part, with.toArray());
                if (isCapabilityQuery() && answer instanceof Optional<?> found) {
                    return found.map(this::capability);
                }
                return isOfPart() && answer != null ? store.part(answer) : answer;
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }

        private Object capability(Object found) {
            return found instanceof EventRecording recording
                    ? new EventRecording(store.part(recording.outbox()), store.part(recording.log()))
                    : store.part(found);
        }

        private Object first(int keys) {
            return switch (operation) {
                case DELIVER -> deliveries(keys);
                case "inbox.retract" -> retractions(keys);
                case "fanout.claim", "fanout.lend", "events.claim" -> keys;
                default -> List.copyOf(this.<Object>batch()).subList(0, keys);
            };
        }

        private List<Delivery> deliveries(int keys) {
            List<Delivery> first = new ArrayList<>();
            int left = keys;
            for (Delivery each : this.<Delivery>batch()) {
                int readers = Math.min(left, each.readers().size());
                first.add(new Delivery(each.post(), each.readers().subList(0, readers), each.seenSince()));
                left -= readers;
            }
            return first;
        }

        private List<Retraction> retractions(int keys) {
            List<Retraction> first = new ArrayList<>();
            int left = keys;
            for (Retraction each : this.<Retraction>batch()) {
                int readers = Math.min(left, each.readers().size());
                first.add(new Retraction(each.post(), each.readers().subList(0, readers)));
                left -= readers;
            }
            return first;
        }

        @SuppressWarnings("unchecked") // the first argument of every call with a batch
        private <T> Collection<T> batch() {
            return (Collection<T>) requireNonNull(arguments.get(0));
        }
    }

    @Override
    public Outbox outbox() {
        return part(store.outbox());
    }

    @Override
    public Outbox outboxForFollowers() {
        return part(store.outboxForFollowers());
    }

    @Override
    public Inbox inbox(InboxLimits limits) {
        return part(store.inbox(limits));
    }

    @Override
    public FollowGraph graph() {
        return part(store.graph());
    }

    @Override
    public SeenMarks seenMarks() {
        return part(store.seenMarks());
    }

    @Override
    public Optional<RankSnapshots> rankSnapshots() {
        return store.rankSnapshots().map(this::part);
    }

    @SuppressWarnings("unchecked") // the proxy implements what the part implements
    private <T> T part(T part) {
        Set<Class<?>> interfaces = new LinkedHashSet<>();
        for (Class<?> type = part.getClass(); type != null; type = type.getSuperclass()) {
            addInterfaces(type, interfaces);
        }
        String name = interfaces.stream()
                .map(type -> Optional.ofNullable(NAMES.get(type.getSimpleName())))
                .flatMap(Optional::stream)
                .findFirst()
                .orElseThrow();
        return (T) Proxy.newProxyInstance(
                FeedStore.class.getClassLoader(),
                interfaces.toArray(Class<?>[]::new),
                (proxy, method, arguments) ->
                        invoke(name, part, method, arguments == null ? List.of() : Arrays.asList(arguments)));
    }

    private @Nullable Object invoke(String part, Object target, Method method, List<@Nullable Object> arguments)
            throws Throwable {
        if (method.getName().equals("sendsQuestions")) {
            return true;
        }
        if (method.getReturnType() == Supplier.class) {
            return sent(part, target, method, arguments);
        }
        Call call = new Call(this, part + "." + method.getName(), target, method, arguments);
        boolean isAccessor = (call.isOfPart() && arguments.isEmpty()) || call.isCapabilityQuery();
        if (isAccessor || method.getDeclaringClass() == Object.class) {
            return call.proceed();
        }
        return handler.call(call);
    }

    /** A question that is sent counts as the call that it sends. It is answered as early as possible. */
    private Supplier<@Nullable Object> sent(String part, Object target, Method send, List<@Nullable Object> arguments)
            throws Throwable {
        String name = send.getName().substring("send".length()).toLowerCase(Locale.ROOT);
        Method question = send.getDeclaringClass().getMethod(name, send.getParameterTypes());
        try {
            Object answer = invoke(part, target, question, arguments);
            return () -> answer;
        } catch (RuntimeException e) {
            return () -> {
                throw e;
            };
        }
    }

    /** Adds all interfaces of the SPI that a type extends or implements. The log of events is in another package. */
    private static void addInterfaces(Class<?> type, Set<Class<?>> interfaces) {
        for (Class<?> each : type.getInterfaces()) {
            if (each.getPackageName().equals(FeedStore.class.getPackageName()) || each == PostEventLog.class) {
                interfaces.add(each);
            }
            addInterfaces(each, interfaces);
        }
    }
}
