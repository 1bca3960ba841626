/**
 * Puts the audit together: policy file, back ends and metrics, as the flags say. Begin with {@link
 * dev.keelson.server.audit.Auditing}.
 */
@NullMarked
package dev.keelson.server.audit;

import org.jspecify.annotations.NullMarked;
