-- Draft workspaces of start_trial. name and segment are empty where none was given.

CREATE TABLE workspaces (
    id         TEXT   PRIMARY KEY,
    state      TEXT   NOT NULL CHECK (state IN ('draft')),
    business   TEXT   NOT NULL,
    email      TEXT   NOT NULL,
    name       TEXT   NOT NULL,
    segment    TEXT   NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE INDEX workspaces_created_at ON workspaces (created_at);
