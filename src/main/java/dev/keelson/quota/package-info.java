/**
 * What objects count against resource quotas: usage, scopes and required resources of pods,
 * services, claims and all other types (source: Kubernetes' {@code pkg/quota/v1}). Shared by
 * admission, which charges usage, and the controller, which recalculates it; knows neither. Begin
 * with {@link dev.keelson.quota.Evaluator}.
 */
@NullMarked
package dev.keelson.quota;

import org.jspecify.annotations.NullMarked;
