-- FeedKit, archive of old posts, schema version 1, PostgreSQL 15 or later. ${feedkit.tables} is the qualified prefix of the tables ("app.feedkit_"),
-- ${feedkit.prefix} the bare one ("feedkit_"). docs/reference/archive.md describes the tables.

CREATE TABLE ${feedkit.tables}archive_version (
    version integer NOT NULL PRIMARY KEY
);

CREATE TABLE ${feedkit.tables}archive_source (
    part varchar(8) COLLATE "C" NOT NULL PRIMARY KEY,
    identity varchar(64) COLLATE "C" NOT NULL
);

CREATE TABLE ${feedkit.tables}archive_post (
    author varchar(64) COLLATE "C" NOT NULL,
    id varchar(64) COLLATE "C" NOT NULL,
    published_at bigint NOT NULL,
    PRIMARY KEY (author, id)
);

CREATE INDEX ${feedkit.prefix}archive_post_feed ON ${feedkit.tables}archive_post (author, published_at DESC, id DESC);

INSERT INTO ${feedkit.tables}archive_version (version) VALUES (1);
