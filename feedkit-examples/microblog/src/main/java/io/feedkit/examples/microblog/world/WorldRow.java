package io.feedkit.examples.microblog.world;

import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Remembers that a world was created in the database, and whether that was finished. */
@Repository
class WorldRow {

    private final JdbcClient jdbc;

    WorldRow(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Begins to create a world, unless the database has one, or has accounts.
     *
     * @param hasAccounts whether there are accounts
     * @return whether the caller creates it
     * @throws IllegalStateException if the process that created it ended before it was finished
     */
    boolean begin(String name, boolean hasAccounts) {
        Optional<Boolean> finished = jdbc.sql("select finished from world where id = 1")
                .query(Boolean.class)
                .optional();
        if (finished.isPresent() && !finished.get()) {
            throw new IllegalStateException(
                    "The world in this database was not finished: delete the database, or choose another one");
        }
        boolean isNew = finished.isEmpty() && !hasAccounts;
        if (isNew) {
            jdbc.sql("insert into world (id, name, finished) values (1, ?, false)")
                    .param(name)
                    .update();
        }
        return isNew;
    }

    void finish() {
        jdbc.sql("update world set finished = true where id = 1").update();
    }
}
