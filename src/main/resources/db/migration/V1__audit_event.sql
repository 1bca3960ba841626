-- The events of the audit trail. The identifier begins with the time, so that a day is a range of
-- identifiers; the server makes the partition of each day, and drops it after the retention.
-- A position is given in the order of commits: writers take turns.
CREATE SEQUENCE audit_event_seq;

CREATE TABLE audit_event (
  seq bigint NOT NULL DEFAULT nextval('audit_event_seq'),
  id text COLLATE "C" NOT NULL PRIMARY KEY,
  audit_id text COLLATE "C" NOT NULL,
  stage text COLLATE "C" NOT NULL,
  level text COLLATE "C" NOT NULL,
  username text COLLATE "C" NOT NULL,
  impersonated text COLLATE "C" NOT NULL,
  user_groups text COLLATE "C" NOT NULL,
  verb text COLLATE "C" NOT NULL,
  api_group text COLLATE "C" NOT NULL,
  resource text COLLATE "C" NOT NULL,
  subresource text COLLATE "C" NOT NULL,
  namespace text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  uid text COLLATE "C" NOT NULL,
  code text COLLATE "C" NOT NULL,
  decision text COLLATE "C" NOT NULL,
  source_ips text COLLATE "C" NOT NULL,
  user_agent text COLLATE "C" NOT NULL,
  text text COLLATE "C" NOT NULL,
  json text NOT NULL
) PARTITION BY RANGE (id);

CREATE INDEX audit_event_position ON audit_event (seq);
CREATE INDEX audit_event_user ON audit_event (username, id);
CREATE INDEX audit_event_namespace ON audit_event (namespace, id);
CREATE INDEX audit_event_object ON audit_event (name, resource, namespace, id);
