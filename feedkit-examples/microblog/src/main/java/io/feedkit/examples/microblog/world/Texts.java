package io.feedkit.examples.microblog.world;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.springframework.core.io.ClassPathResource;

/** What invented accounts are called and say. */
final class Texts {

    static final List<String> POSTS = lines("texts.txt");
    static final List<String> REPLIES = lines("replies.txt");

    /** Name, display name and note, between tabs. */
    static final List<String[]> PEOPLE =
            lines("people.txt").stream().map(line -> line.split("\t", -1)).toList();

    private Texts() {}

    private static List<String> lines(String file) {
        try {
            return new ClassPathResource("world/" + file)
                    .getContentAsString(StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
