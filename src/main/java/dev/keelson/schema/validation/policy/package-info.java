/**
 * Validates pod disruption budgets and their statuses (pkg/apis/policy/validation). Begin at {@link
 * dev.keelson.schema.validation.policy.PolicyKinds}.
 */
@NullMarked
package dev.keelson.schema.validation.policy;

import org.jspecify.annotations.NullMarked;
