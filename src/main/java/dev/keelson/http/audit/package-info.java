/**
 * The audit of requests at the HTTP edge: the stages of the chain that generate events, and the
 * bodies of requests and responses as the events show them. Begin with {@link
 * dev.keelson.http.audit.AuditFilter}.
 */
@NullMarked
package dev.keelson.http.audit;

import org.jspecify.annotations.NullMarked;
