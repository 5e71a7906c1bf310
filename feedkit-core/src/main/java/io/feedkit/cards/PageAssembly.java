package io.feedkit.cards;

import static io.feedkit.internal.check.Arguments.nonNull;
import static java.util.stream.Collectors.joining;

import io.feedkit.Beta;
import io.feedkit.PostLoader;
import io.feedkit.event.CardPartFailed;
import io.feedkit.internal.check.Ids;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;

/**
 * Describes the cards of a page: the content of the posts, and the fields that parts load. A host creates it once, and
 * reads pages with it ({@link io.feedkit.FeedEngine#read(String, io.feedkit.PageRequest, PageAssembly)}).
 *
 * <pre>{@code
 * CardField<Article> article = CardField.content(articles::load);
 * CardPart<String, Author> authors = CardPart.of("authors", authorTable::byIds);
 * CardField<Author> author = authors.by(Post::author);
 * CardField<Article> original = CardPart.of("originals", articles::byIds).by(article, Article::originalId);
 * CardField<Author> originalAuthor = authors.by(original, Article::author);
 * PageAssembly cards = PageAssembly.of(article, author, original, originalAuthor);
 *
 * FeedPage<Card> page = feed.read("ann", PageRequest.first(20), cards);
 * }</pre>
 *
 * <p>The parts are loaded after the page is filled, in waves. The first wave loads the fields whose keys come from the
 * post or the content, here {@code author} and {@code original}. The second wave loads those whose keys come from
 * values of the first, here {@code originalAuthor}; there are at most {@value #MOST_WAVES} waves. In a wave, each part
 * is called at most once, with the distinct keys of all its fields on all cards, and without the keys of earlier waves.
 * The parts of a wave run at the same time. So the number of calls does not depend on the page size, and a wave ends
 * after the limit of its slowest part at the latest.
 *
 * <p>If the reading thread is interrupted, it stops waiting: the parts that have not answered have failed, the page is
 * returned, and the interrupt flag is set.
 *
 * <p>Parts run on threads of the engine, which are virtual where the JDK has them (21 and later), or on the host's
 * {@linkplain #on executor}. They do not see thread-bound state of the reading thread, such as a transaction or a
 * security context.
 *
 * <p>Immutable; thread-safe.
 *
 * @since 0.1.0
 */
@Beta
public final class PageAssembly {

    /** The most waves of calls: an original, a post that it quotes, and the author of that post take three. */
    public static final int MOST_WAVES = 3;

    private final ContentField<?> content;
    private final Set<CardField<?>> fields;
    private final List<List<PartField<?, ?>>> waves;
    private final Optional<Executor> executor;

    private PageAssembly(
            ContentField<?> content,
            Set<CardField<?>> fields,
            List<List<PartField<?, ?>>> waves,
            Optional<Executor> executor) {
        this.content = content;
        this.fields = fields;
        this.waves = waves;
        this.executor = executor;
    }

    /**
     * Returns an assembly of cards.
     *
     * @param content a field of {@link CardField#content}
     * @param fields the other fields. Fields that their keys come from are included, and need not be named
     * @return the assembly
     * @throws IllegalArgumentException if an argument is null, if {@code content} is the field of a part, if a key
     *     comes from other content, or if two parts have the same name
     */
    public static PageAssembly of(CardField<?> content, CardField<?>... fields) {
        if (!(nonNull("content", content) instanceof ContentField<?> root)) {
            throw new IllegalArgumentException("content must be a field of CardField.content, but is " + content);
        }
        Set<CardField<?>> all = new LinkedHashSet<>(List.of(root));
        for (int i = 0; i < nonNull("fields", fields).length; i++) {
            String name = "fields[" + i + "]";
            addWithSources(name, nonNull(name, fields[i]), all);
        }
        requireUniqueNames(all);
        return new PageAssembly(root, Collections.unmodifiableSet(all), waves(all), Optional.empty());
    }

    private static void addWithSources(String name, CardField<?> field, Set<CardField<?>> all) {
        if (field instanceof PartField<?, ?> loaded) {
            loaded.source().ifPresent(source -> addWithSources(name, source, all));
            all.add(field);
        } else if (!all.contains(field)) {
            throw new IllegalArgumentException(name + " must use the content of this assembly, but uses other content");
        }
    }

    private static void requireUniqueNames(Set<CardField<?>> fields) {
        Map<String, CardPart<?, ?>> parts = new HashMap<>();
        for (CardField<?> field : fields) {
            if (field instanceof PartField<?, ?> loaded
                    && parts.computeIfAbsent(field.name(), name -> loaded.part()) != loaded.part()) {
                throw new IllegalArgumentException(
                        "fields must not have two parts with one name, but two are named " + field.name());
            }
        }
    }

    private static List<List<PartField<?, ?>>> waves(Set<CardField<?>> fields) {
        List<List<PartField<?, ?>>> waves = new ArrayList<>();
        for (int i = 0; i < MOST_WAVES; i++) {
            waves.add(new ArrayList<>());
        }
        for (CardField<?> field : fields) {
            if (field instanceof PartField<?, ?> loaded) {
                waves.get(loaded.wave() - 1).add(loaded);
            }
        }
        return waves;
    }

    /**
     * Returns this assembly with an executor of the host for the calls of parts. It stays open, because it belongs to
     * the host. If it refuses a call, the part has failed. If it runs calls on the calling thread, parts run one after
     * the other, and time limits have no effect.
     *
     * @param executor runs the calls; it should give each call a thread of its own
     * @return the assembly
     * @throws IllegalArgumentException if the executor is null
     */
    public PageAssembly on(Executor executor) {
        return new PageAssembly(content, fields, waves, Optional.of(nonNull("executor", executor)));
    }

    /**
     * Returns a loader of cards that have no parts yet. For engines.
     *
     * @return the loader
     */
    public PostLoader<Card> contentLoader() {
        return content::cards;
    }

    /**
     * Loads the parts of cards. For engines.
     *
     * @param reader whose page it is
     * @param cards cards of the {@link #contentLoader}
     * @param threads runs the calls if the assembly has no executor
     * @param failures is called on this thread for each failure of a part, with its cause
     * @return the cards with their parts, in the given order
     * @throws IllegalArgumentException if an argument is null, or the reader is not a legal id
     */
    public List<Card> load(
            String reader, List<Card> cards, Executor threads, BiConsumer<CardPartFailed, Throwable> failures) {
        Ids.require("reader", reader);
        List<CardDraft> drafts =
                nonNull("cards", cards).stream().map(Card::draft).toList();
        CardWaves calls = new CardWaves(
                reader, drafts, executor.orElse(nonNull("threads", threads)), nonNull("failures", failures));
        if (!drafts.isEmpty()) {
            waves.forEach(calls::load);
        }
        return drafts.stream().map(draft -> draft.card(fields)).toList();
    }

    @Override
    public String toString() {
        return "PageAssembly" + fields.stream().map(CardField::name).collect(joining(", ", "[", "]"));
    }
}
