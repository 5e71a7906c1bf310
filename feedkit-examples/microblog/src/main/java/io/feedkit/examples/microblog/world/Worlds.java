package io.feedkit.examples.microblog.world;

import io.feedkit.examples.microblog.account.Account;
import io.feedkit.examples.microblog.account.Accounts;
import io.feedkit.examples.microblog.oauth.Tokens;
import io.feedkit.examples.microblog.web.Site;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.stereotype.Component;

/** Fills a new database at the start, and says how to log in. */
@Component
@EnableConfigurationProperties(WorldSettings.class)
class Worlds implements ApplicationRunner {

    private static final Logger log = LoggerFactory.getLogger(Worlds.class);

    private final WorldSettings settings;
    private final Accounts accounts;
    private final Tokens tokens;
    private final SmallWorld small;
    private final RecordedWeek week;
    private final Site site;
    private final WorldRow row;

    Worlds(
            WorldSettings settings,
            Accounts accounts,
            Tokens tokens,
            SmallWorld small,
            RecordedWeek week,
            Site site,
            WorldRow row) {
        this.settings = settings;
        this.accounts = accounts;
        this.tokens = tokens;
        this.small = small;
        this.week = week;
        this.site = site;
        this.row = row;
    }

    @Override
    public void run(ApplicationArguments arguments) {
        fill();
        boolean isThere = row.finished().equals(Optional.of(settings.world()));
        boolean isDemo = isThere && settings.world().equals("small");
        settings.tokens().forEach((name, token) -> {
            // Known tokens, so only for invented accounts.
            Optional<Account> account = isDemo ? accounts.findByName(name) : Optional.empty();
            account.ifPresentOrElse(invented -> tokens.preset(token, invented), () -> tokens.revoke(token));
        });
        String login = settings.world().equals("small") ? SmallWorld.LOGINS : RecordedWeek.LOGIN;
        log.info(
                "An example of an application on FeedKit, not a product: {}{}",
                site.url("/"),
                isThere ? " Log in as " + login + ", password " + History.PASSWORD + "." : "");
    }

    private void fill() {
        switch (settings.world()) {
            case "small" ->
                create(() -> {
                    log.info("inventing accounts and posts");
                    small.create();
                });
            case "higgs" ->
                create(() -> week.load(Objects.requireNonNull(settings.data(), "microblog.data is missing")));
            case "none" -> log.debug("no world");
            default -> throw new IllegalArgumentException("microblog.world must be small, higgs or none");
        }
    }

    /** Creates a world in a new database. */
    private void create(Runnable creation) {
        if (row.begin(settings.world(), accounts.count() > 0)) {
            creation.run();
            row.finish();
        }
    }
}
