create table if not exists account (
    id bigint primary key,
    username varchar(30) not null unique,
    email varchar(200) not null unique,
    display_name varchar(100) not null,
    note varchar(500) not null,
    password_hash varchar(200) not null,
    created_at bigint not null
);

create table if not exists oauth_app (
    client_id varchar(64) primary key,
    client_secret varchar(64) not null,
    name varchar(200) not null,
    redirect_uris varchar(2000) not null,
    scopes varchar(200) not null,
    website varchar(500) not null
);

create table if not exists oauth_code (
    hash varchar(64) primary key,
    client_id varchar(64) not null references oauth_app on delete cascade,
    account_id bigint not null references account on delete cascade,
    redirect_uri varchar(2000) not null,
    scopes varchar(200) not null,
    code_challenge varchar(128) not null,
    expires_at bigint not null
);
create index if not exists oauth_code_by_app on oauth_code (client_id);
create index if not exists oauth_code_by_account on oauth_code (account_id);

create table if not exists oauth_token (
    hash varchar(64) primary key,
    client_id varchar(64) not null,
    account_id bigint references account on delete cascade,
    scopes varchar(200) not null,
    created_at bigint not null
);
create index if not exists oauth_token_by_account on oauth_token (account_id);

create table if not exists status (
    id bigint primary key,
    account_id bigint not null references account on delete cascade,
    text varchar(2000) not null,
    in_reply_to_id bigint,
    in_reply_to_account_id bigint,
    reblog_of_id bigint,
    idempotency_key varchar(200),
    unique (account_id, idempotency_key),
    unique (account_id, reblog_of_id)
);
create index if not exists status_by_account on status (account_id, id);
create index if not exists status_by_reply on status (in_reply_to_id, id);
create index if not exists status_by_reblog on status (reblog_of_id, id);

create table if not exists notification (
    id bigint primary key,
    account_id bigint not null references account on delete cascade,
    type varchar(20) not null,
    from_account_id bigint not null references account on delete cascade,
    status_id bigint
);
create index if not exists notification_by_account on notification (account_id, id);
create index if not exists notification_by_from on notification (from_account_id);
create index if not exists notification_by_status on notification (status_id);

create table if not exists marker (
    account_id bigint not null references account on delete cascade,
    timeline varchar(20) not null,
    last_read_id varchar(40) not null,
    version int not null,
    updated_at bigint not null,
    primary key (account_id, timeline)
);

create table if not exists announcement (
    id bigint primary key,
    text varchar(2000) not null,
    published_at bigint not null
);

create table if not exists announcement_dismissal (
    account_id bigint not null references account on delete cascade,
    announcement_id bigint not null references announcement on delete cascade,
    primary key (account_id, announcement_id)
);
create index if not exists announcement_dismissal_by_announcement on announcement_dismissal (announcement_id);

create table if not exists world (
    id int primary key,
    name varchar(20) not null,
    finished boolean not null
);
