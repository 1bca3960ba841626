/**
 * The log back end: events as lines of a file that rotates by size, or of a stream. Begin with
 * {@link dev.keelson.audit.log.LogWriter}.
 */
@NullMarked
package dev.keelson.audit.log;

import org.jspecify.annotations.NullMarked;
