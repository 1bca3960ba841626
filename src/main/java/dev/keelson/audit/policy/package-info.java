/**
 * The audit policy file (audit.k8s.io/v1 Policy): read, validated, and evaluated for requests.
 * Takes the file as a tree and knows no YAML. Begin with {@link
 * dev.keelson.audit.policy.PolicyReader} and {@link dev.keelson.audit.policy.PolicyEvaluator}.
 */
@NullMarked
package dev.keelson.audit.policy;

import org.jspecify.annotations.NullMarked;
