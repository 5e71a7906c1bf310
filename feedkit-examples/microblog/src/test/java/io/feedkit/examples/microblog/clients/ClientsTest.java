package io.feedkit.examples.microblog.clients;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

// toot and Mastodon.py are libraries of the Python that FEEDKIT_PYTHON names, or of /usr/bin/python3, for which Debian
// packages them.
@Tag("matrix")
@DisplayName("Clients that others wrote")
class ClientsTest {

    private static final String PYTHON = Script.setting("FEEDKIT_PYTHON", "/usr/bin/python3");

    @TempDir
    private Path home;

    @Test
    @DisplayName("toot logs in by password and by code, follows, posts, pages to the end, likes, boosts and deletes")
    void toot() throws IOException, InterruptedException {
        python("toot", "toot_cli.py");
    }

    @Test
    @DisplayName("Mastodon.py also reads newer posts without a gap, sets markers, and gets events by SSE")
    void mastodonPy() throws IOException, InterruptedException {
        python("mastodon", "mastodonpy.py");
    }

    @Test
    @DisplayName("masto pages by the links of the answers, and gets events by a WebSocket that it subscribes")
    void masto() throws IOException, InterruptedException {
        node("masto");
    }

    @Test
    @DisplayName("megalodon pages by ids, and gets events by a WebSocket whose address has the token")
    void megalodon() throws IOException, InterruptedException {
        node("megalodon");
    }

    private void python(String library, String script) throws IOException, InterruptedException {
        assumeThat(Script.succeeds(PYTHON, "-c", "import " + library))
                .as("%s can import %s", PYTHON, library)
                .isTrue();
        run(PYTHON, script);
    }

    private void node(String library) throws IOException, InterruptedException {
        NodeScripts.assume(library);
        run("node", library + ".mjs");
    }

    /** Runs a script with an application of its own, because logins are limited for each address. */
    private void run(String interpreter, String script) throws IOException, InterruptedException {
        try (RunningMicroblog microblog = new RunningMicroblog()) {
            microblog.run(home, interpreter, script, Map.of());
        }
    }
}
