package io.feedkit.tools.replay;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.tools.Cli;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A file that cannot be used ends the replay with exit code 2, and a message that names it:")
class MalformedInputTest {

    @TempDir
    private Path dir;

    private Path follows;
    private Path posts;
    private Path ops;

    @BeforeEach
    void goodFiles() throws IOException {
        follows = Files.writeString(dir.resolve("follows.txt"), "1 2\n3 2\n");
        posts = Files.writeString(dir.resolve("posts.txt"), "100 2\n101 2\n");
        ops = Files.writeString(dir.resolve("ops.txt"), "100000 P 2 1\n");
    }

    private Cli replay(String option, Path events) {
        return Cli.run("replay", "--policy", "push", "--follows", follows, option, events);
    }

    private static void assertRefused(Cli run, Path file, String problem) {
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err().strip()).isEqualTo(file + ": " + problem);
    }

    @ParameterizedTest(name = "follows: {0}")
    @DisplayName("a malformed follow")
    @CsvSource(quoteCharacter = '\'', delimiter = '|', textBlock = """
                    ''          | is empty
                    '1'         | followee is missing
                    '1 '        | followee is missing: fields are separated by single spaces
                    ' 1 2'      | follower is missing: fields are separated by single spaces
                    '1  2'      | followee is missing: fields are separated by single spaces
                    '1 2 3'     | has too many fields: "3"
                    '1 2 '      | has too many fields: ""
                    'ann 2'     | follower must be a decimal integer, but is "ann"
                    '1 +2'      | followee must be a decimal integer, but is "+2"
                    '-1 2'      | follower must be a decimal integer, but is "-1"
                    '1 2.5'     | followee must be a decimal integer, but is "2.5"
                    '1,2'       | follower must be a decimal integer, but is "1,2"
                    '1\t2'      | follower must be a decimal integer, but is "1\\u00092"
                    '1 \u00e9'  | followee must be a decimal integer, but is "\\u00E9"
                    '1 9223372036854775808' | followee must be at most 9223372036854775807, but is "9223372036854775808"
                    """)
    void malformedFollow(String line, String problem) throws IOException {
        Files.writeString(follows, "1 2\n" + line + "\n3 2\n", ISO_8859_1);

        assertRefused(replay("--posts", posts), follows, "line 2: " + problem);
    }

    @ParameterizedTest(name = "posts: {0}")
    @DisplayName("a malformed post")
    @CsvSource(quoteCharacter = '\'', delimiter = '|', textBlock = """
                    ''               | is empty
                    '102'            | author is missing
                    '102 2 3'        | has too many fields: "3"
                    'now 2'          | time in seconds must be a decimal integer, but is "now"
                    '102 bob'        | author must be a decimal integer, but is "bob"
                    '253402300800 2' | time in seconds must be at most 253402300799, but is "253402300800"
                    """)
    void malformedPost(String line, String problem) throws IOException {
        Files.writeString(posts, "100 2\n101 2\n" + line + "\n");

        assertRefused(replay("--posts", posts), posts, "line 3: " + problem);
    }

    @ParameterizedTest(name = "ops: {0}")
    @DisplayName("a malformed operation")
    @CsvSource(quoteCharacter = '\'', delimiter = '|', textBlock = """
                    ''            | is empty
                    '5'           | operation is missing
                    'x P 2 1'     | time in milliseconds must be a decimal integer, but is "x"
                    '5 X 2 1'     | operation must be P, D, F, U or R, but is "X"
                    '5 p 2 1'     | operation must be P, D, F, U or R, but is "p"
                    '5 PP 2 1'    | operation must be P, D, F, U or R, but is "PP"
                    '5 P'         | author is missing
                    '5 P 2'       | post id is missing
                    '5 P 2 a'     | post id must be a decimal integer, but is "a"
                    '5 P 2 1 0'   | has too many fields: "0"
                    '5 D 2'       | post id is missing
                    '5 D -2 1'    | author must be a decimal integer, but is "-2"
                    '5 F 1'       | author is missing
                    '5 F one 2'   | reader must be a decimal integer, but is "one"
                    '5 U 1'       | author is missing
                    '5 U 1 2 3'   | has too many fields: "3"
                    '5 R'         | reader is missing
                    '5 R 1 2'     | has too many fields: "2"
                    '253402300800000 R 1' | time in milliseconds must be at most 253402300799999, but is "253402300800000"
                    """)
    void malformedOperation(String line, String problem) throws IOException {
        Files.writeString(ops, line + "\n5 R 1\n");

        assertRefused(replay("--ops", ops), ops, "line 1: " + problem);
    }

    @Test
    @DisplayName("a malformed line far behind the first event, before anything is done")
    void lateLine() throws IOException {
        Files.writeString(posts, "100 2\n".repeat(3000) + "oops\n");

        Cli run = replay("--posts", posts);

        assertRefused(run, posts, "line 3001: time in seconds must be a decimal integer, but is \"oops\"");
    }

    @Test
    @DisplayName("a malformed line in the second of two follows files")
    void secondFile() throws IOException {
        Path second = Files.writeString(dir.resolve("more.txt"), "1 4\n\n");

        Cli run = Cli.run("replay", "--policy", "pull", "--follows", follows + "," + second, "--posts", posts);

        assertRefused(run, second, "line 2: is empty");
    }

    @Test
    @DisplayName("a missing file, or a directory")
    void noFile() {
        assertRefused(replay("--posts", dir.resolve("none")), dir.resolve("none"), "does not exist");
        assertRefused(replay("--ops", dir), dir, "is not a regular file");
    }

    @ParameterizedTest(name = "by {0} bytes")
    @ValueSource(ints = {4, 12, 25})
    @DisplayName("a gzip file that is cut short")
    void truncated(int bytes) throws IOException {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(whole)) {
            gzip.write("100 2\n101 2\n".getBytes(ISO_8859_1));
        }
        Path cut = Files.write(dir.resolve("cut.gz"), Arrays.copyOf(whole.toByteArray(), whole.size() - bytes));

        Cli run = replay("--posts", cut);

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("cut.gz: line ", "cannot be read: the gzip file is cut short");
    }
}
