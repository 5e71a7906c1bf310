package io.feedkit.examples.microblog.clients;

import io.feedkit.examples.microblog.Microblog;
import io.feedkit.examples.microblog.announcement.Bulletins;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The application on a free port of the loopback address, on a database in memory, with nobody in it. */
final class RunningMicroblog implements AutoCloseable {

    private final ConfigurableApplicationContext context;

    RunningMicroblog(String... more) {
        Stream<String> arguments = Stream.of(
                "--server.address=127.0.0.1",
                "--server.port=0",
                "--microblog.world=none",
                "--spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID()
                        + ";MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE;DEFAULT_NULL_ORDERING=HIGH");
        context = new SpringApplicationBuilder(Microblog.class)
                .run(Stream.concat(arguments, Stream.of(more)).toArray(String[]::new));
    }

    /**
     * Runs a script against the application. The API has no call to announce something, so a script prints that it
     * wants an announcement.
     */
    void run(Path home, String interpreter, String script, Map<String, String> more)
            throws IOException, InterruptedException {
        Map<String, String> variables = new HashMap<>(NodeScripts.variables());
        variables.put("MICROBLOG_URL", url());
        variables.putAll(more);
        new Script(home, interpreter, script, variables).run(line -> {
            if (line.equals("announce")) {
                context.getBean(Bulletins.class).publish("This is a test of clients.");
            }
        });
    }

    private String url() {
        return "http://127.0.0.1:" + context.getEnvironment().getRequiredProperty("local.server.port");
    }

    @Override
    public void close() {
        context.close();
    }
}
