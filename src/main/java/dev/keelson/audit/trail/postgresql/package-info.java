/**
 * The audit trail in PostgreSQL, for any number of servers: entities by Hibernate Reactive on the
 * Vert.x client, tables by Flyway. Nothing of these is loaded before the trail is used. Begin with
 * {@link dev.keelson.audit.trail.postgresql.PostgresTrail}.
 */
@NullMarked
package dev.keelson.audit.trail.postgresql;

import org.jspecify.annotations.NullMarked;
