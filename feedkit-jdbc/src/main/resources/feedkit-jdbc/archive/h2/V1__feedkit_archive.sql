-- FeedKit, archive of old posts, schema version 1, H2. ${feedkit.tables} is the qualified prefix of the tables ("app.feedkit_"),
-- ${feedkit.prefix} the bare one ("feedkit_"). docs/reference/archive.md describes the tables.

CREATE TABLE ${feedkit.tables}archive_version (
    version integer NOT NULL PRIMARY KEY
);

CREATE TABLE ${feedkit.tables}archive_source (
    part varchar(8) NOT NULL PRIMARY KEY,
    identity varchar(64) NOT NULL
);

CREATE TABLE ${feedkit.tables}archive_post (
    author varchar(64) NOT NULL,
    id varchar(64) NOT NULL,
    published_at bigint NOT NULL,
    PRIMARY KEY (author, id)
);

CREATE INDEX ${feedkit.prefix}archive_post_feed ON ${feedkit.tables}archive_post (author, published_at DESC, id DESC);

INSERT INTO ${feedkit.tables}archive_version (version) VALUES (1);
