/**
 * Validation of the audit sinks of auditregistration.k8s.io, which are served only with {@code
 * --audit-dynamic-configuration}. The rules are those of Kubernetes 1.18, the last that had the
 * group. Begin with {@link dev.keelson.schema.validation.auditregistration.AuditRegistrationKinds}.
 */
@NullMarked
package dev.keelson.schema.validation.auditregistration;

import org.jspecify.annotations.NullMarked;
