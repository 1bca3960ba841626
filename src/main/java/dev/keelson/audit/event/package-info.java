/**
 * The audit event (audit.k8s.io/v1) as a value: its fields, its JSON, its line in the legacy
 * format, and the bytes of request and response objects that it embeds. Knows no policy, no back
 * end and no HTTP. Begin with {@link dev.keelson.audit.event.Event}.
 */
@NullMarked
package dev.keelson.audit.event;

import org.jspecify.annotations.NullMarked;
