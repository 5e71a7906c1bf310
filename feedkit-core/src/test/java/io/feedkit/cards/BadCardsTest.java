package io.feedkit.cards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.Post;
import io.feedkit.counter.Counters;
import io.feedkit.memory.InMemoryCounterStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Bad descriptions of cards are refused by argument and value")
class BadCardsTest {

    private final CardField<String> content =
            CardField.content(posts -> posts.stream().collect(Collectors.toMap(Function.identity(), Post::id)));
    private final CardPart<String, String> part = part("part");
    private final CardField<String> field = part.by(Post::id);

    private static CardPart<String, String> part(String name) {
        return CardPart.of(name, keys -> Map.of());
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> assertRefused(ThrowingCallable call) {
        return assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "two words", "name\n", "näme"})
    @DisplayName("names that are not visible ASCII")
    void names(String name) {
        assertRefused(() -> part(name)).hasMessageStartingWith("name must ");
        assertRefused(() -> CardParts.counter(name, Counters.of(InMemoryCounterStore.create())))
                .hasMessageStartingWith("type must ");
    }

    @Test
    @DisplayName("names that are too long")
    void longName() {
        assertThat(part("x".repeat(64)).name()).hasSize(64);
        assertRefused(() -> part("x".repeat(65)))
                .hasMessageStartingWith("name must have at most 64 characters, but has 65");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE / 2, 60_001})
    @DisplayName("limits out of range")
    void limits(long millis) {
        assertRefused(() -> part.within(Duration.ofMillis(millis)))
                .hasMessage("limit must be between PT0.001S and PT1M, but is " + Duration.ofMillis(millis));
    }

    @Test
    @DisplayName("two parts of one name, also if one of them only gives keys")
    void duplicateNames() {
        CardField<String> other = part("part").by(Post::author);
        assertRefused(() -> PageAssembly.of(content, field, other))
                .hasMessage("fields must not have two parts with one name, but two are named part");
        assertRefused(() -> PageAssembly.of(content, part("third").by(other, id -> id), field))
                .hasMessageStartingWith("fields must not have two parts with one name");
        assertRefused(() -> PageAssembly.of(
                        content, field, part.within(Duration.ofSeconds(2)).by(Post::author)))
                .hasMessageStartingWith("fields must not have two parts with one name");
        assertThat(PageAssembly.of(content, field, field, part.by(Post::author)))
                .hasToString("PageAssembly[content, part, part]");
    }

    @Test
    @DisplayName("content that a part loads, and other content")
    void content() {
        assertRefused(() -> PageAssembly.of(field, field))
                .hasMessage("content must be a field of CardField.content, but is CardField[part]");
        CardField<String> other = CardField.content(posts -> Map.of());
        assertRefused(() -> PageAssembly.of(content, field, other))
                .hasMessage("fields[1] must use the content of this assembly, but uses other content");
        assertRefused(() -> PageAssembly.of(content, part.by(other, id -> id)))
                .hasMessage("fields[0] must use the content of this assembly, but uses other content");
    }

    @Test
    @DisplayName("a fourth wave")
    void waves() {
        CardField<String> third = part.by(part.by(field, id -> id), id -> id);
        assertRefused(() -> part.by(third, id -> id))
                .hasMessage(
                        "source must be loaded before wave 3, the last one, but CardField[part] is loaded in wave 3");
    }

    @Test
    @DisplayName("nulls")
    void nulls() {
        assertRefused(() -> CardField.content(null)).hasMessage("loader must not be null");
        assertRefused(() -> CardPart.of(null, keys -> Map.of())).hasMessage("name must not be null");
        assertRefused(() -> CardPart.of("name", null)).hasMessage("load must not be null");
        assertRefused(() -> CardPart.forReader("name", null)).hasMessage("load must not be null");
        assertRefused(() -> part.within(null)).hasMessage("limit must not be null");
        assertRefused(() -> part.orElse(null)).hasMessage("fallback must not be null");
        assertRefused(() -> part.by(null)).hasMessage("key must not be null");
        assertRefused(() -> part.by(field, null)).hasMessage("key must not be null");
        assertRefused(() -> part.by(null, id -> "")).hasMessage("source must not be null");
        assertRefused(() -> PageAssembly.of(null)).hasMessage("content must not be null");
        assertRefused(() -> PageAssembly.of(content, field, null)).hasMessage("fields[1] must not be null");
        assertRefused(() -> PageAssembly.of(content).on(null)).hasMessage("executor must not be null");
    }

    @Test
    @DisplayName("fields of another assembly, and a missing fallback, when a card is asked")
    void cards() {
        CardField<String> other = part("other").by(Post::id);
        try (CardFeed feed = new CardFeed(1)) {
            Card card = feed.card(PageAssembly.of(content, field));
            for (ThrowingCallable call : List.<ThrowingCallable>of(
                    () -> card.get(other), () -> card.find(other), () -> card.hasFailed(other))) {
                assertRefused(call)
                        .hasMessage("field must be one of the assembly that made the card, but CardField[other] is"
                                + " not");
            }
            assertRefused(() -> card.get(field))
                    .hasMessage("field must have a fallback, but CardField[part] has none: call find, or give the part"
                            + " a fallback with orElse");
            assertThat(card.find(field)).isEmpty();
        }
    }
}
