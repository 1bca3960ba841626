/**
 * The audit trail in PostgreSQL, through the Vert.x client, for any number of servers. Begin with
 * {@link dev.keelson.audit.trail.postgresql.PostgresTrail}.
 */
@NullMarked
package dev.keelson.audit.trail.postgresql;

import org.jspecify.annotations.NullMarked;
