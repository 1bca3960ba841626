/** The driver of SQLite, as the store and the audit trail of one process share it. */
@NullMarked
package dev.keelson.sqlite;

import org.jspecify.annotations.NullMarked;
