package io.feedkit.examples.microblog.world;

import io.feedkit.examples.microblog.account.Accounts;
import io.feedkit.examples.microblog.oauth.Tokens;
import io.feedkit.examples.microblog.web.Site;
import java.util.Objects;
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
        String logins = fill();
        if (!logins.isEmpty()) {
            settings.tokens()
                    .forEach((name, token) ->
                            accounts.findByName(name).ifPresent(account -> tokens.preset(token, account)));
        }
        log.info("An example of an application on FeedKit, not a product: {}{}", site.url("/"), logins);
    }

    private String fill() {
        return switch (settings.world()) {
            case "small" -> {
                create(() -> {
                    log.info("inventing accounts and posts");
                    small.create();
                });
                yield " Log in as " + SmallWorld.LOGINS + ", password " + History.PASSWORD + ".";
            }
            case "higgs" -> {
                create(() -> week.load(Objects.requireNonNull(settings.data(), "microblog.data is missing")));
                yield " Log in as " + RecordedWeek.LOGIN + ", password " + History.PASSWORD + ".";
            }
            case "none" -> "";
            default -> throw new IllegalArgumentException("microblog.world must be small, higgs or none");
        };
    }

    /** Creates a world in a new database. */
    private void create(Runnable creation) {
        if (row.begin(settings.world(), accounts.count() > 0)) {
            creation.run();
            row.finish();
        }
    }
}
