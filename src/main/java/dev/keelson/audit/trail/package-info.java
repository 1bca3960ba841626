/**
 * The audit trail: events in a database that can be searched. A {@link
 * dev.keelson.audit.trail.TrailStore} holds them; its implementations are packages below this one
 * and obey one contract. {@link dev.keelson.audit.trail.TrailSink} brings events there, through a
 * {@link dev.keelson.audit.trail.Spool} on disk. Knows no HTTP and no database. Begin with {@code
 * TrailStore}.
 */
@NullMarked
package dev.keelson.audit.trail;

import org.jspecify.annotations.NullMarked;
