/**
 * The store in one SQLite file: an append-only log of changes, a table that says for each key which
 * row of the log is its newest, and one writer that commits many writes with one flush. It knows
 * bytes and revisions only; begin with {@link dev.keelson.storage.sqlite.SqliteStore}, and read
 * {@code docs/decisions/0002-sqlite-one-writer.md} for the reasons and the bounds.
 */
@NullMarked
package dev.keelson.storage.sqlite;

import org.jspecify.annotations.NullMarked;
