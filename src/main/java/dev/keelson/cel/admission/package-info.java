/**
 * The expressions of admission policies and of the match conditions of webhooks: their environments
 * with {@code object}, {@code request}, {@code variables} and the others, and their evaluation with
 * Kubernetes' budgets (source: apiserver/pkg/admission/plugin/cel). Knows no policy. Begin with
 * {@link dev.keelson.cel.admission.PolicyCompiler}.
 */
@NullMarked
package dev.keelson.cel.admission;

import org.jspecify.annotations.NullMarked;
