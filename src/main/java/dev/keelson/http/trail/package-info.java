/**
 * The audit trail as a resource: {@code auditevents} of {@code audit.keelson.dev}, with get, list
 * and watch. Maps requests to queries of a {@link dev.keelson.audit.trail.TrailStore} and events to
 * objects; loaded only if there is a trail. Begin with {@link dev.keelson.http.trail.AuditEvents}.
 */
@NullMarked
package dev.keelson.http.trail;

import org.jspecify.annotations.NullMarked;
