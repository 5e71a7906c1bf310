-- FeedKit, archive of old posts, schema version 1, MySQL 8 and MariaDB 10.11 or later. ${feedkit.tables} is the qualified prefix of the tables ("app.feedkit_"),
-- ${feedkit.prefix} the bare one ("feedkit_"). docs/reference/archive.md describes the tables.

CREATE TABLE ${feedkit.tables}archive_version (
    version integer NOT NULL PRIMARY KEY
) ENGINE = InnoDB;

CREATE TABLE ${feedkit.tables}archive_source (
    part varchar(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    identity varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL
) ENGINE = InnoDB;

CREATE TABLE ${feedkit.tables}archive_post (
    author varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    id varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    published_at bigint NOT NULL,
    PRIMARY KEY (author, id)
) ENGINE = InnoDB;

CREATE INDEX ${feedkit.prefix}archive_post_feed ON ${feedkit.tables}archive_post (author, published_at DESC, id DESC);

INSERT INTO ${feedkit.tables}archive_version (version) VALUES (1);
