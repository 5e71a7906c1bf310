package io.feedkit.testkit.internal.bus;

import io.feedkit.live.LiveBus;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which messages arrive, and where. */
public abstract class BusDeliveryRules extends BusRules {

    private static final int MESSAGES = 100;
    private static final int MANY = 200;

    private static final String ALLOWED =
            IntStream.rangeClosed('\n', 0x7F).mapToObj(Character::toString).collect(Collectors.joining());

    protected BusDeliveryRules(BusKit kit) {
        super(kit);
    }

    @Test
    @DisplayName(
            "every listener of every bus gets every message once, in the sender's order, also those of its own bus")
    void everyListener() {
        List<Ear> listeners = List.of(ear(bus), ear(bus), ear(another), ear(another));
        connect(listeners.toArray(Ear[]::new));
        List<String> texts = new ArrayList<>(texts("one", MESSAGES));
        send(bus, texts);
        listeners.forEach(ear -> awaitCount(ear, MESSAGES));
        List<String> more = texts("two", MESSAGES);
        send(another, more);
        texts.addAll(more);
        listeners.forEach(ear -> awaitExactly(ear, texts));
    }

    @Test
    @DisplayName("texts arrive unchanged: each allowed character, the shortest and the longest message")
    void texts() {
        Ear ear = ear(another);
        connect(ear);
        List<String> texts = new ArrayList<>();
        ALLOWED.chars().mapToObj(Character::toString).forEach(texts::add);
        texts.add(ALLOWED);
        texts.add(ALLOWED.repeat(LiveBus.MAX_MESSAGE).substring(0, LiveBus.MAX_MESSAGE));
        texts.add("'".repeat(LiveBus.MAX_MESSAGE));
        texts.add("\n".repeat(LiveBus.MAX_MESSAGE));
        send(bus, texts);
        awaitExactly(ear, texts);
    }

    @Test
    @DisplayName("equal messages are different messages")
    void equalMessages() {
        Ear ear = ear(bus);
        connect(ear);
        List<String> texts = Collections.nCopies(10, "same");
        send(bus, texts);
        awaitExactly(ear, texts);
    }

    @Test
    @DisplayName("a bus serves many listeners")
    void manyListeners() {
        List<Ear> listeners = IntStream.range(0, MANY).mapToObj(i -> ear(bus)).toList();
        connect(listeners.toArray(Ear[]::new));
        List<String> texts = texts("t", 10);
        send(another, texts);
        listeners.forEach(ear -> awaitCount(ear, texts.size()));
        awaitExactly(listeners.get(MANY - 1), texts);
    }

    @Test
    @DisplayName("buses of other names are separate, in both directions")
    void separate() {
        LiveBus separate = kit.separateBus();
        Ear here = ear(bus);
        Ear there = ear(separate);
        connect(here);
        connect(List.of(separate), there);
        List<String> texts = texts("here", 10);
        List<String> others = texts("there", 10);
        send(bus, texts);
        send(separate, others);
        awaitExactly(here, texts);
        awaitExactly(there, others);
    }
}
