/**
 * Validates leases (pkg/apis/coordination/validation). Knows nothing of who holds them. Begin at
 * {@link dev.keelson.schema.validation.coordination.CoordinationKinds}.
 */
@NullMarked
package dev.keelson.schema.validation.coordination;

import org.jspecify.annotations.NullMarked;
