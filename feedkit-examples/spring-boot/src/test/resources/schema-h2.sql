create table if not exists article (
    author varchar(64) not null,
    id varchar(64) not null primary key,
    body varchar not null,
    published_at bigint not null
);
create unique index if not exists article_key on article (author, id);
create index if not exists article_feed on article (author, published_at desc, id desc);

create table if not exists follows (
    follower varchar(64) not null,
    followee varchar(64) not null
);
create unique index if not exists follows_by_follower on follows (follower, followee);
create index if not exists follows_by_followee on follows (followee, follower);
