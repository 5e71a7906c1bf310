package io.feedkit.examples.microblog.world;

import java.util.Optional;
import org.springframework.dao.DuplicateKeyException;
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
     * @throws IllegalStateException if a process has begun to create it, and has not finished
     */
    boolean begin(String name, boolean hasAccounts) {
        Optional<Boolean> finished = jdbc.sql("select finished from world where id = 1")
                .query(Boolean.class)
                .optional();
        if (finished.isPresent() && !finished.get()) {
            throw unfinished();
        }
        boolean isNew = finished.isEmpty() && !hasAccounts;
        if (isNew) {
            insert(name);
        }
        return isNew;
    }

    private void insert(String name) {
        try {
            jdbc.sql("insert into world (id, name, finished) values (1, ?, false)")
                    .param(name)
                    .update();
        } catch (DuplicateKeyException e) {
            throw unfinished();
        }
    }

    private static IllegalStateException unfinished() {
        return new IllegalStateException(
                "The world in this database is not finished. If no other server is creating it,"
                        + " delete the database, or choose another one");
    }

    /** The name of the world in this database, if it is finished. */
    Optional<String> finished() {
        return jdbc.sql("select name from world where id = 1 and finished")
                .query(String.class)
                .optional();
    }

    void finish() {
        jdbc.sql("update world set finished = true where id = 1").update();
    }
}
