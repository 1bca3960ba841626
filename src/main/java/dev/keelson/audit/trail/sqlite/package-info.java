/**
 * The audit trail in an SQLite file, for one machine. Begin with {@link
 * dev.keelson.audit.trail.sqlite.SqliteTrail}.
 */
@NullMarked
package dev.keelson.audit.trail.sqlite;

import org.jspecify.annotations.NullMarked;
