-- FeedKit, schema version 1, MySQL 8 and MariaDB 10.11 or later. ${feedkit.tables} is the qualified prefix of the tables ("app.feedkit_"),
-- ${feedkit.prefix} the bare one ("feedkit_"). docs/reference/sql-schema.md describes the tables.

CREATE TABLE ${feedkit.tables}schema_version (
    version integer NOT NULL PRIMARY KEY
) ENGINE = InnoDB;

CREATE TABLE ${feedkit.tables}source (
    part varchar(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    identity varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL
) ENGINE = InnoDB;

CREATE TABLE ${feedkit.tables}post (
    author varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    id varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    published_at bigint,
    appended_at bigint,
    PRIMARY KEY (author, id)
) ENGINE = InnoDB;

CREATE INDEX ${feedkit.prefix}post_feed ON ${feedkit.tables}post (author, published_at DESC, id DESC);
CREATE INDEX ${feedkit.prefix}post_appended ON ${feedkit.tables}post (author, appended_at DESC);

CREATE TABLE ${feedkit.tables}task (
    id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY,
    kind varchar(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    author varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    oldest_at bigint NOT NULL,
    oldest_id varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    newest_at bigint NOT NULL,
    newest_id varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    entry_version bigint NOT NULL DEFAULT 0,
    range_from varchar(65) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
    range_below varchar(65) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    after_id varchar(129) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
    attempts integer NOT NULL DEFAULT 0,
    outages integer NOT NULL DEFAULT 0,
    outage_since bigint NOT NULL DEFAULT 0,
    created_at bigint NOT NULL,
    state varchar(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'WAITING',
    due_at bigint,
    unsettled_at bigint,
    shown smallint NOT NULL DEFAULT 0,
    lease bigint NOT NULL DEFAULT 0,
    catch_up_key varchar(96) CHARACTER SET ascii COLLATE ascii_bin,
    ended_at bigint,
    forget_at bigint,
    reason varchar(500) CHARACTER SET utf8mb4
) ENGINE = InnoDB;

CREATE INDEX ${feedkit.prefix}task_due ON ${feedkit.tables}task (due_at, id);
CREATE INDEX ${feedkit.prefix}task_unsettled ON ${feedkit.tables}task (shown, unsettled_at);
CREATE INDEX ${feedkit.prefix}task_forget ON ${feedkit.tables}task (forget_at);
CREATE INDEX ${feedkit.prefix}task_state ON ${feedkit.tables}task (state, id);
CREATE UNIQUE INDEX ${feedkit.prefix}task_once ON ${feedkit.tables}task (catch_up_key);
CREATE INDEX ${feedkit.prefix}task_catch_up ON ${feedkit.tables}task (author, entry_version);

CREATE TABLE ${feedkit.tables}post_event (
    id varchar(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT (UUID()) PRIMARY KEY,
    aggregatetype varchar(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'post',
    aggregateid varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    type varchar(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    payload varchar(500) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    post_id varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    published_at bigint NOT NULL,
    recorded_at bigint NOT NULL,
    due_at bigint NOT NULL,
    lease bigint NOT NULL DEFAULT 0
) ENGINE = InnoDB;

CREATE INDEX ${feedkit.prefix}post_event_due ON ${feedkit.tables}post_event (due_at, type, id);
CREATE INDEX ${feedkit.prefix}post_event_recorded ON ${feedkit.tables}post_event (recorded_at);

CREATE TABLE ${feedkit.tables}restart (
    loss bigint NOT NULL PRIMARY KEY,
    after_task bigint NOT NULL,
    last_task bigint NOT NULL
) ENGINE = InnoDB;

CREATE TABLE ${feedkit.tables}pulled (
    author varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    oldest_at bigint NOT NULL,
    oldest_id varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    newest_at bigint NOT NULL,
    newest_id varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    version bigint NOT NULL,
    changed bigint NOT NULL
) ENGINE = InnoDB;

CREATE TABLE ${feedkit.tables}retracting (
    author varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    id varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    changed bigint NOT NULL,
    PRIMARY KEY (author, id)
) ENGINE = InnoDB;

CREATE TABLE ${feedkit.tables}unregistered (
    number bigint NOT NULL AUTO_INCREMENT PRIMARY KEY,
    author varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    id varchar(64) CHARACTER SET ascii COLLATE ascii_bin,
    changed bigint NOT NULL,
    left_at bigint NOT NULL
) ENGINE = InnoDB;

CREATE INDEX ${feedkit.prefix}pulled_changed ON ${feedkit.tables}pulled (changed);
CREATE INDEX ${feedkit.prefix}retracting_changed ON ${feedkit.tables}retracting (changed);
CREATE INDEX ${feedkit.prefix}unregistered_changed ON ${feedkit.tables}unregistered (changed);
CREATE INDEX ${feedkit.prefix}unregistered_left ON ${feedkit.tables}unregistered (left_at);

CREATE TABLE ${feedkit.tables}follow (
    reader varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    author varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    PRIMARY KEY (reader, author)
) ENGINE = InnoDB;

CREATE UNIQUE INDEX ${feedkit.prefix}follow_author ON ${feedkit.tables}follow (author, reader);

CREATE TABLE ${feedkit.tables}follow_count (
    user_id varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    followers bigint NOT NULL,
    followees bigint NOT NULL
) ENGINE = InnoDB;

CREATE TABLE ${feedkit.tables}inbox (
    reader varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    state varchar(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    generation bigint NOT NULL,
    epoch bigint NOT NULL,
    ends_at bigint NOT NULL,
    lease_until bigint NOT NULL,
    renewed_at bigint NOT NULL,
    mark bigint NOT NULL,
    followees bigint NOT NULL,
    floor_at bigint NOT NULL,
    floor_id varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    floor_author varchar(65) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    entries integer NOT NULL
) ENGINE = InnoDB;

CREATE INDEX ${feedkit.prefix}inbox_ends ON ${feedkit.tables}inbox (ends_at);

CREATE TABLE ${feedkit.tables}inbox_entry (
    reader varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    published_at bigint NOT NULL,
    id varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    author varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    PRIMARY KEY (reader, published_at, id, author)
) ENGINE = InnoDB;

CREATE TABLE ${feedkit.tables}inbox_note (
    reader varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    author varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    token bigint NOT NULL,
    PRIMARY KEY (reader, author)
) ENGINE = InnoDB;

CREATE TABLE ${feedkit.tables}seen (
    reader varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    posts varchar(700) CHARACTER SET ascii COLLATE ascii_bin NOT NULL
) ENGINE = InnoDB;

CREATE TABLE ${feedkit.tables}rank_snapshot (
    reader varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    name varchar(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    saved_at bigint NOT NULL,
    ends_at bigint NOT NULL,
    posts mediumblob NOT NULL,
    PRIMARY KEY (reader, name)
) ENGINE = InnoDB;

CREATE INDEX ${feedkit.prefix}rank_snapshot_ends ON ${feedkit.tables}rank_snapshot (ends_at);

CREATE TABLE ${feedkit.tables}presence (
    reader varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    last_seen bigint NOT NULL,
    online_until bigint NOT NULL,
    kept_until bigint NOT NULL
) ENGINE = InnoDB;

CREATE INDEX ${feedkit.prefix}presence_seen ON ${feedkit.tables}presence (last_seen, reader);
CREATE INDEX ${feedkit.prefix}presence_kept ON ${feedkit.tables}presence (kept_until);

CREATE TABLE ${feedkit.tables}counter_cell (
    space varchar(24) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    owner varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    name varchar(80) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    total bigint NOT NULL,
    mark bigint,
    gaps varchar(1800) CHARACTER SET ascii COLLATE ascii_bin,
    cache_life varchar(32) CHARACTER SET ascii COLLATE ascii_bin,
    cache_version bigint,
    cache_total bigint,
    cache_earlier varchar(4300) CHARACTER SET ascii COLLATE ascii_bin,
    PRIMARY KEY (space, owner, name)
) ENGINE = InnoDB;

CREATE TABLE ${feedkit.tables}counter_member (
    space varchar(24) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    owner varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    member varchar(80) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    label varchar(80) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    number bigint NOT NULL,
    settled smallint NOT NULL,
    PRIMARY KEY (space, owner, member)
) ENGINE = InnoDB;

CREATE INDEX ${feedkit.prefix}counter_member_number ON ${feedkit.tables}counter_member (space, owner, number);

CREATE TABLE ${feedkit.tables}counter_newest (
    space varchar(24) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    owner varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    name varchar(80) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    member varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    place bigint NOT NULL,
    PRIMARY KEY (space, owner, name, member)
) ENGINE = InnoDB;

CREATE INDEX ${feedkit.prefix}counter_newest_place ON ${feedkit.tables}counter_newest (space, owner, name, place);

CREATE TABLE ${feedkit.tables}counter_idle (
    space varchar(24) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    owner varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    used_day integer NOT NULL,
    PRIMARY KEY (space, owner)
) ENGINE = InnoDB;

CREATE INDEX ${feedkit.prefix}counter_idle_day ON ${feedkit.tables}counter_idle (used_day);

CREATE TABLE ${feedkit.tables}counter_operation (
    space varchar(24) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    owner varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    name varchar(80) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    operation varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    kept_until bigint NOT NULL,
    position bigint NOT NULL,
    amount bigint NOT NULL,
    PRIMARY KEY (space, owner, name, operation)
) ENGINE = InnoDB;

CREATE INDEX ${feedkit.prefix}counter_operation_kept ON ${feedkit.tables}counter_operation (kept_until);

CREATE TABLE ${feedkit.tables}counter_ticket (
    space varchar(24) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    owner varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    ticket bigint NOT NULL,
    kept_until bigint NOT NULL,
    PRIMARY KEY (space, owner, ticket)
) ENGINE = InnoDB;

CREATE INDEX ${feedkit.prefix}counter_ticket_kept ON ${feedkit.tables}counter_ticket (kept_until);

INSERT INTO ${feedkit.tables}schema_version (version) VALUES (1);
